/** Proofs that requests and responses behave the same with our functions as with Node's. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { canWriteDirectly } from 'ristretto/lib/http/native';
import { nodeEndsInOneWrite } from 'ristretto/lib/http1/one-write';
import { provenNode } from 'ristretto/lib/http1/proven';
import { readAsStream, readTaken } from 'ristretto/lib/http1/quick-request';
import * as requests from 'ristretto/lib/http1/request-proof';
import * as state from 'ristretto/lib/http1/request-state';
import * as responses from 'ristretto/lib/http1/response-proof';
import { respond } from 'ristretto/lib/http1/write';

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

function provenSame(prototype: object, read: requests.ReadBody): Promise<boolean> {
  return new Promise(resolve => {
    requests.behavesAsNode(prototype, read, readAsStream, resolve, requests.everyProgram());
  });
}

describe('proofs of behaviour', () => {
  test('what is known about a version of Node is what is observed, and each version of the tests is known', async () => {
    const text = readFileSync(join(__dirname, '../../../scripts/nodes.json'), 'utf8');
    const versions = Object.values(JSON.parse(text) as Record<string, string>).map(version => `v${version}`);
    assert.equal(versions.includes(process.version), provenNode !== undefined);
    const end = await new Promise(resolve => {
      requests.observeEnd(resolve);
    });
    assert.deepEqual(state.knownEnd(web.request), end);
    assert.equal(nodeEndsInOneWrite(), responses.writesOfNodesEnd() === 1);
  });

  test('another runtime that claims to be a proven version of Node.js is examined', () => {
    const known = [{}, { bun: '1.4.5' }, { v8: '15.0.245.2-rusty' }, { v8: '' }].map(versions => {
      const program = `
        const versions = { ...process.versions, ...${JSON.stringify(versions)} };
        Object.defineProperty(process, 'versions', { value: versions });
        console.log(require('ristretto/lib/http1/proven').provenNode !== undefined);`;
      return spawnSync(process.execPath, ['-e', program], { cwd: __dirname, encoding: 'utf8' }).stdout.trim();
    });
    assert.deepEqual(known, [String(provenNode !== undefined), 'false', 'false', 'false']);
  });

  test('requests behave as Node’s own with listeners of each kind in each turn of the event loop', async () => {
    await settled();
    assert.notEqual(state.knownEnd(web.request), undefined);
    assert.equal(await provenSame(web.request, readTaken), true);
  });

  test('a request that ends in another turn of the event loop is detected', async () => {
    const late = Object.create(IncomingMessage.prototype, {
      _dump: {
        value(this: IncomingMessage) {
          process.nextTick(() => this.resume());
        },
      },
    }) as object;
    assert.equal(await provenSame(late, readAsStream), false);
  });

  test('a body that loses a chunk is detected', async () => {
    const losing: requests.ReadBody = (req, done) => {
      readAsStream(req, bytes => {
        done(bytes.slice(1));
      });
    };
    assert.equal(await provenSame(IncomingMessage.prototype, losing), false);
  });

  test('responses behave as Node’s own', () => {
    assert.equal(canWriteDirectly, true);
    assert.equal(responses.behavesAsNode(web.response, respond), true);
  });

  test('a response without its callback, with other bytes or with another status is detected', () => {
    const wrong: responses.Send[] = [
      (res, body) => void res.end(body === undefined ? body : `${String(body)}!`),
      (res, body) => {
        res.statusMessage = 'Other';
        res.end(body);
      },
      (res, body) => {
        const { socket } = res;
        const { write } = socket!;
        socket!.write = ((chunk: string, encoding: BufferEncoding) =>
          write.call(socket, chunk, encoding)) as typeof write;
        res.end(body);
      },
    ];
    for (const send of wrong) assert.equal(responses.behavesAsNode(ServerResponse.prototype, send), false);
  });
});

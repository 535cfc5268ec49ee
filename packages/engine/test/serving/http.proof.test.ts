// runs: slow, each
/** Proofs that requests and responses behave the same with our functions as with Node's. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { canWriteDirectly } from '@ristretto/private-engine/lib/serving/native';
import { verifiedNode } from '@ristretto/private-engine/lib/serving/node-internals';
import { writeContent } from '@ristretto/private-engine/lib/serving/write-content.js';
import * as requests from '../support/request-proof.js';
import * as responses from '../support/response-proof.js';

const NODES = join(__dirname, '../../../../scripts/nodes.json');

describe('proofs of behaviour', () => {
  test('the recorded facts about this version of Node match the observed ones', async () => {
    assert.deepEqual(verifiedNode, { requestEnd: await requests.observeEnd() });
  });

  test('each release of the majors in the tests is known, and no other runtime or major', () => {
    const majors = Object.keys(JSON.parse(readFileSync(NODES, 'utf8')) as object);
    const releases = majors.map(major => ({ node: `${major}.3.1` }));
    const others = [{ bun: '1.4.5' }, { v8: '15.0.245.2-rusty' }, { v8: '' }, { node: '21.7.3' }];
    const known = [...releases, ...others].map(versions => {
      const program = `
        const versions = { ...process.versions, ...${JSON.stringify(versions)} };
        Object.defineProperty(process, 'versions', { value: versions });
        console.log(require('@ristretto/private-engine/lib/serving/node-internals').verifiedNode !== undefined);`;
      return spawnSync(process.execPath, ['-e', program], { cwd: __dirname, encoding: 'utf8' }).stdout.trim();
    });
    assert.deepEqual(known, [...releases.map(() => 'true'), ...others.map(() => 'false')]);
  });

  test('requests behave as Node’s own with listeners of each kind in each turn of the event loop', async () => {
    assert.equal(await requests.behavesAsNode(web.request, requests.readTaken), true);
  });

  test('a request that ends in another turn of the event loop is detected', async () => {
    const late = Object.create(IncomingMessage.prototype, {
      _dump: {
        value(this: IncomingMessage) {
          process.nextTick(() => this.resume());
        },
      },
    }) as object;
    assert.equal(await requests.behavesAsNode(late, requests.readAsStream), false);
  });

  test('a body that loses a chunk is detected', async () => {
    const losing: requests.ReadBody = (req, done) => {
      requests.readAsStream(req, bytes => {
        done(bytes.slice(1));
      });
    };
    assert.equal(await requests.behavesAsNode(IncomingMessage.prototype, losing), false);
  });

  test('responses behave as Node’s own', () => {
    assert.equal(canWriteDirectly, true);
    assert.equal(responses.behavesAsNode(web.response, writeContent), true);
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

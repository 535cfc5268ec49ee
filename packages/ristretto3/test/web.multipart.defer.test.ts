import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { exchange, withServer } from '../../ristretto/test/support/http.js';
import { until } from '../../ristretto/test/support/tree.js';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import type { FilePart, Form } from 'ristretto3/lib/middleware/multipart/form';
import { askAll, chain, web } from './support/middleware.js';
import { bodyOf, form, raw, TYPE, uploadDirectory, watchHandles } from './support/multipart.js';

const formOf = (req: object): Form => (req as { form: Form }).form;
const PARTS = [
  { name: 'a', value: '1' },
  { name: 'f', filename: 'x.txt', type: 'text/plain', value: 'content' },
  { name: 'b', value: '2' },
];

/** Answers with what the form tells, and with what is in the request at the end. */
function record(...names: string[]): Handler {
  return (req, res) => {
    const told: unknown[] = [];
    for (const name of names) formOf(req).on(name, (...args: unknown[]) => told.push([name, ...args]));
    formOf(req).on('close', () =>
      res.end(JSON.stringify([told, req.body, (req as { files?: object }).files])),
    );
    formOf(req).on('error', (error: Error & { status?: number }) =>
      res.end(`error ${String(error.status)} ${error.message}`),
    );
  };
}

const deferring = (t: TestContext) => web.multipart({ uploadDir: uploadDirectory(t).uploadDir, defer: true });

describe('web.multipart: defer', () => {
  test('field and close: what was told is in req.body and req.files at the end', async t => {
    const [answer] = await askAll([deferring(t), record('field')], [form(PARTS)]);
    const [told, body, files] = JSON.parse(answer!.text);
    assert.deepEqual(told, [
      ['field', 'a', '1'],
      ['field', 'b', '2'],
    ]);
    assert.deepEqual(body, { a: '1', b: '2' });
    assert.equal(files.f.name, 'x.txt');
  });

  test('file: is told with its entry when it is written', async t => {
    const [answer] = await askAll([deferring(t), record('file')], [form(PARTS)]);
    const [[[event, name, file]]] = JSON.parse(answer!.text);
    assert.deepEqual([event, name, file.size], ['file', 'f', 7]);
    assert.equal(fs.readFileSync(file.path, 'utf8'), 'content');
  });

  test('progress: bytes received, and expected where Content-Length tells', async t => {
    const request = form(PARTS);
    const length = (request.body as Buffer).length;
    const [answer] = await askAll([deferring(t), record('progress')], [request]);
    const told = JSON.parse(answer!.text)[0] as [string, number, number][];
    assert.deepEqual(told.at(-1), ['progress', length, length]);
    const body = bodyOf(PARTS);
    const chunked = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`;
    const unknown = await withServer(chain(deferring(t), record('progress')), port =>
      exchange(port, chunked),
    );
    assert.deepEqual(JSON.parse(unknown.text)[0].at(-1), ['progress', length, null]);
  });

  test('part: who listens reads the file, and none is written', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const content = 'x'.repeat(300_000);
    const read: Handler = (req, res) => {
      const parts: Promise<unknown>[] = [];
      formOf(req).on('part', (part: FilePart) => {
        parts.push(
          text(part).then(body => [part.name, part.filename, part.headers['content-type'], body.length]),
        );
      });
      formOf(req).on(
        'close',
        () => void Promise.all(parts).then(all => res.end(JSON.stringify([all, req.body]))),
      );
    };
    const parts = [...PARTS, { name: 'g', filename: 'big', value: content }];
    const [answer] = await askAll([web.multipart({ uploadDir, defer: true }), read], [form(parts)]);
    const expected = [
      ['f', 'x.txt', 'text/plain', 7],
      ['g', 'big', null, 300_000],
    ];
    assert.deepEqual(JSON.parse(answer!.text), [expected, { a: '1', b: '2' }]);
    assert.deepEqual(left(), []);
  });

  test('part: one that is destroyed is read past', async t => {
    const skip: Handler = (req, res) => {
      formOf(req).on('part', (part: PassThrough) => part.destroy());
      formOf(req).on('close', () => res.end(JSON.stringify(req.body)));
    };
    const parts = [
      { name: 'f', filename: 'x', value: 'x'.repeat(300_000) },
      { name: 'a', value: '1' },
    ];
    const [answer] = await askAll([deferring(t), skip], [form(parts)]);
    assert.equal(answer!.text, '{"a":"1"}');
  });

  test('part: one that is destroyed while the form waits for it is read past', async t => {
    const late: Handler = (req, res) => {
      formOf(req).on('part', (part: PassThrough) => void setImmediate(() => part.destroy()));
      formOf(req).on('close', () => res.end('closed'));
    };
    const [answer] = await askAll(
      [deferring(t), late],
      [form([{ name: 'f', filename: 'x', value: 'x'.repeat(300_000) }])],
    );
    assert.equal(answer!.text, 'closed');
  });

  test('part: maxFilesSize counts what is read', async t => {
    const { uploadDir } = uploadDirectory(t);
    const read: Handler = (req, res) => {
      formOf(req).on('part', (part: PassThrough) => part.resume());
      formOf(req).on('error', (error: { status: number }) => res.end(String(error.status)));
    };
    const [answer] = await askAll(
      [web.multipart({ uploadDir, defer: true, maxFilesSize: 3 }), read],
      [form(PARTS)],
    );
    assert.equal(answer!.text, '413');
  });

  test('part: is cut off with the request, without an error that nobody listens for', async t => {
    let part: PassThrough | undefined;
    let failed: { code?: string } | undefined;
    const read: Handler = req => {
      formOf(req).on('part', (one: PassThrough) => (part = one.resume()));
      formOf(req).on('error', (error: { code?: string }) => (failed = error));
    };
    await withServer(chain(deferring(t), read), async port => {
      const client = net.connect(port, '127.0.0.1');
      client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: 9999\r\n\r\n`);
      client.write(bodyOf(PARTS).subarray(0, 170));
      await until(() => part !== undefined);
      client.destroy();
      await once(client, 'close');
      await until(() => failed !== undefined);
    });
    assert.ok(part!.destroyed);
    assert.equal(failed!.code, 'ECONNABORTED');
  });

  test('error: with the status, and without a listener no end of the process', async t => {
    const [answer] = await askAll([deferring(t), record()], [raw('--AaB03x\r\n\r\n\r\n')]);
    assert.match(answer!.text, /^error 400 multipart body has /);
    const { uploadDir, left } = uploadDirectory(t);
    const handles = watchHandles(t);
    const atOnce: Handler = (_req, res) => void res.end('answered');
    const request = raw(bodyOf(PARTS).subarray(0, -20));
    const [silent] = await askAll([web.multipart({ uploadDir, defer: true }), atOnce], [request]);
    assert.equal(silent!.text, 'answered');
    await until(() => left().length === 0 && handles.open() === 0);
  });

  test('error: one that a listener throws ends the form, and leaves no file', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const throwing: Handler = (req, res) => {
      formOf(req).on('file', () => {
        throw new Error('oops');
      });
      formOf(req).on('error', (error: Error) => res.end(error.message));
    };
    const [answer] = await askAll([web.multipart({ uploadDir, defer: true }), throwing], [form(PARTS)]);
    assert.equal(answer!.text, 'oops');
    assert.deepEqual(left(), []);
  });
});

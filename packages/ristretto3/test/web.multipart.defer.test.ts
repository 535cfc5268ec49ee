/** `web.multipart` with `defer`: the events and streams of a form, and where their errors go. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { exchange, withServer } from '../../engine/test/support/http.js';
import { until } from '../../engine/test/support/tree.js';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import type { Form, Part } from 'ristretto3/lib/middleware/multipart/form';
import { askAll, chain, sameEach, web } from './support/middleware.js';
import { bodyOf, form, raw, TYPE, uploadDirectory, watchHandles } from './support/multipart.js';

const formOf = (req: object): Form => (req as { form: Form }).form;
const PARTS = [
  { name: 'a', value: '1' },
  { name: 'f', filename: 'x.txt', type: 'text/plain', value: 'content' },
  { name: 'b', value: '2' },
];

/** Responds with the events of the form, and with what the request has at the end. */
function record(...names: string[]): Handler {
  return (req, res) => {
    const events: unknown[] = [];
    for (const name of names) formOf(req).on(name, (...args: unknown[]) => events.push([name, ...args]));
    formOf(req).on('close', () =>
      res.end(JSON.stringify([events, req.body, (req as { files?: object }).files])),
    );
    formOf(req).on('error', (error: Error & { status?: number }) =>
      res.end(`error ${String(error.status)} ${error.message}`),
    );
  };
}

/** Responds with the content of a form's streams. In Express 3 they have only the old stream events. */
function streams(other?: string): Handler {
  return (req, res) => {
    const parts: unknown[] = [];
    formOf(req).on('part', (part: Part) => {
      let value = '';
      part.on('data', chunk => (value += String(chunk)));
      part.on('end', () => parts.push([part.name, part.filename, part.headers, value]));
    });
    if (other) formOf(req).on(other, () => undefined);
    formOf(req).on('close', () => void setImmediate(() => res.end(JSON.stringify(parts))));
  };
}

const deferring = (t: TestContext) => web.multipart({ uploadDir: uploadDirectory(t).uploadDir, defer: true });

describe('web.multipart: defer', () => {
  test('field and close: emitted values match req.body and req.files at the end', async t => {
    const [answer] = await askAll([deferring(t), record('field')], [form(PARTS)]);
    const [events, body, files] = JSON.parse(answer!.text);
    assert.deepEqual(events, [
      ['field', 'a', '1'],
      ['field', 'b', '2'],
    ]);
    assert.deepEqual(body, { a: '1', b: '2' });
    assert.equal(files.f.name, 'x.txt');
  });

  test('file: is emitted with its entry when it is written', async t => {
    const [answer] = await askAll([deferring(t), record('file')], [form(PARTS)]);
    const [[[event, name, file]]] = JSON.parse(answer!.text);
    assert.deepEqual([event, name, file.size], ['file', 'f', 7]);
    assert.equal(fs.readFileSync(file.path, 'utf8'), 'content');
  });

  test('progress: emits the bytes received, and those expected if Content-Length is sent', async t => {
    const request = form(PARTS);
    const length = (request.body as Buffer).length;
    const [answer] = await askAll([deferring(t), record('progress')], [request]);
    const events = JSON.parse(answer!.text)[0] as [string, number, number][];
    assert.deepEqual(events.at(-1), ['progress', length, length]);
    const body = bodyOf(PARTS);
    const chunked = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`;
    const unknown = await withServer(chain(deferring(t), record('progress')), port =>
      exchange(port, chunked),
    );
    assert.deepEqual(JSON.parse(unknown.text)[0].at(-1), ['progress', length, null]);
  });

  test('part: a listener reads files, which are not written, and the values of fields', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const content = 'x'.repeat(300_000);
    const read: Handler = (req, res) => {
      const parts: Promise<unknown>[] = [];
      formOf(req).on('part', (part: Part) => {
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
      ['a', null, null, 1],
      ['f', 'x.txt', 'text/plain', 7],
      ['b', null, null, 1],
      ['g', 'big', null, 300_000],
    ];
    assert.deepEqual(JSON.parse(answer!.text), [expected, { a: '1', b: '2' }]);
    assert.deepEqual(left(), []);
  });

  test('part: streams of fields behave as in Express 3, with and without listeners for other events', async () => {
    const fields = [PARTS[0]!, PARTS[2]!];
    for (const other of [undefined, 'file']) {
      const [answer] = await sameEach(
        web => [web.multipart({ defer: true }), streams(other)],
        [form(fields)],
      );
      assert.deepEqual(JSON.parse(answer!.text), [
        ['a', null, { 'content-disposition': 'form-data; name="a"' }, '1'],
        ['b', null, { 'content-disposition': 'form-data; name="b"' }, '2'],
      ]);
    }
  });

  test('part: an unread or destroyed field stream does not block the form', async t => {
    const fields = [
      { name: 'a', value: 'x'.repeat(300_000) },
      { name: 'b', value: '2' },
    ];
    for (const take of [() => undefined, (part: Part) => void part.destroy()]) {
      const ignore: Handler = (req, res) => {
        formOf(req).on('part', take);
        formOf(req).on('close', () => res.end(JSON.stringify([req.body.a.length, req.body.b])));
      };
      const [answer] = await askAll([deferring(t), ignore], [form(fields)]);
      assert.equal(answer!.text, '[300000,"2"]');
    }
  });

  test('part: the form continues if a wrapped write returns nothing', async t => {
    const collect: Handler = (req, res) => {
      let length = 0;
      formOf(req).on('part', (part: PassThrough) => {
        part.write = ((chunk: Buffer) => {
          length += chunk.length;
        }) as unknown as PassThrough['write'];
      });
      formOf(req).on('close', () => res.end(String(length)));
    };
    const parts = [{ name: 'f', filename: 'x', value: 'x'.repeat(300_000) }];
    const [answer] = await askAll([deferring(t), collect], [form(parts)]);
    assert.equal(answer!.text, '300000');
  });

  test('part: a destroyed stream is skipped', async t => {
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

  test('part: a stream destroyed while the form waits for it is skipped', async t => {
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

  test('part: maxFilesSize counts the bytes read', async t => {
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

  test('part: is aborted with the request, without an unhandled error event', async t => {
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

  test('error: has the status, and does not crash the process without a listener', async t => {
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

  test('error: without a listener, a bad body goes to the error handlers unless the response has ended', async t => {
    const waits: Handler = (req, res) => void formOf(req).on('close', () => res.end('closed'));
    const [answer] = await askAll([deferring(t), waits], [raw('--AaB03x\r\n\r\n\r\n')]);
    assert.match(answer!.text, /^400 multipart body has /);
    const reported: unknown[] = [];
    const link: Handler = (req, res, next) => {
      deferring(t)(req, res, error => (error ? void reported.push(error) : next()));
    };
    const ends: Handler = (req, res) => {
      res.end('ended');
      req.on('close', () => reported.push('closed'));
    };
    const [ended] = await askAll([link, ends], [raw('--AaB03x\r\n\r\n\r\n')]);
    assert.equal(ended!.text, 'ended');
    await until(() => reported.length > 0);
    assert.deepEqual(reported, ['closed']);
  });

  test('error: an exception in a listener goes to the error handlers if the form has no error listener', async t => {
    for (const event of ['field', 'file', 'part', 'progress', 'close']) {
      const { uploadDir, left } = uploadDirectory(t);
      const throwing: Handler = (req, res) => {
        formOf(req).on(event, () => {
          throw new Error(`oops ${event}`);
        });
        formOf(req).on('close', () => res.end('closed'));
      };
      const [answer] = await askAll([web.multipart({ uploadDir, defer: true }), throwing], [form(PARTS)]);
      assert.equal(answer!.text, `500 oops ${event} undefined`);
      // After `close` the files belong to the application
      if (event !== 'close') assert.deepEqual(left(), []);
    }
  });

  test('error: an exception in an error listener goes to the error handlers', async t => {
    const throwing: Handler = req => {
      formOf(req).on('error', () => {
        throw new Error('again');
      });
    };
    const [answer] = await askAll([deferring(t), throwing], [raw('--AaB03x\r\n\r\n\r\n')]);
    assert.equal(answer!.text, '500 again undefined');
  });

  test('error: an exception in a listener ends the form and leaves no file', async t => {
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

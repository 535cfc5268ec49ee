// runs: slow
/** Published attacks on multer, busboy and dicer, and similar ones: docs/THREATS.md lists them. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import multer from '@ristretto/multer';
import { assertFast, assertLinear } from '../../../engine/test/support/worst-case.js';
import { until } from '../../../engine/test/support/until.js';
import { addField, parseFieldName } from '../lib/field-part.js';
import { readPartHeader } from '../lib/part-header.js';
import { BOUNDARY, directory, END, field, file, openFiles, part, Server, TYPE } from './support/forms.js';
import { words } from '../../../engine/test/support/random.js';

describe('multer threats', () => {
  const crashes: [string, string, string | undefined][] = [
    [
      'CVE-2022-24434: a header that starts with white space',
      `--${BOUNDARY}\r\n Content-Disposition: form-data; name="a"\r\n\r\nx\r\n${END}`,
      'Malformed part header',
    ],
    [
      'CVE-2025-47944: a part that ends within its header',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n--${BOUNDARY}--\r\n`,
      'Unexpected end of form',
    ],
    ['CVE-2025-48997: a file with an empty field name', file('', 'x', 'y') + END, 'Field name missing'],
    [
      'CVE-2025-7338: a file without end, after an error',
      file('f', 'x', 'y') + field('', 'z') + file('g', 'x', 'y').slice(0, -5),
      'Field name missing',
    ],
    ['a boundary line that goes on', `--${BOUNDARY}x\r\n\r\n${END}`, undefined],
    [
      'CVE-2026-8162: a bad percent escape in filename*',
      part('Content-Disposition: form-data; name="f"; filename*=utf-8\'\'%', 'x') + END,
      undefined,
    ],
    [
      'an unknown charset',
      part('Content-Disposition: form-data; name="f"\r\nContent-Type: text/plain; charset=none', 'x') + END,
      undefined,
    ],
  ];
  for (const [what, body, message] of crashes) {
    test(`${what}: ends the request, and the process continues`, async t => {
      const { dest, left } = directory(t);
      const server = await Server.start(t, multer({ dest }).any());
      const { error, listeners } = await server.send(body);
      assert.deepEqual([error?.message, listeners, left()], [message, {}, []]);
      assert.equal((await server.send(field('a', '1') + END)).error, undefined);
    });
  }

  test(
    'CVE-2025-47935: the streams of failed requests are closed, and nothing keeps them',
    { skip: process.platform !== 'linux' },
    async t => {
      const { dest, left } = directory(t);
      const streams: NodeJS.ReadableStream[] = [];
      const closed: unknown[] = [];
      const upload = multer({
        storage: {
          _handleFile: (_req, { stream }, callback) => {
            streams.push(stream);
            stream.on('close', () => closed.push(stream));
            stream.resume().on('error', callback);
          },
          _removeFile: (_req, _file, callback) => callback(null),
        },
      });
      const server = await Server.start(t, upload.any());
      for (let count = 0; count < 20; count++)
        await server.send(file('f', 'x', 'y'.repeat(50_000)).slice(0, -10));
      await until(() => closed.length === 20);
      assert.deepEqual([streams.length, closed.length], [20, 20]);
      const onDisk = await Server.start(t, multer({ dest }).any());
      for (let count = 0; count < 20; count++)
        await onDisk.send(file('f', 'x', 'y'.repeat(50_000)).slice(0, -10));
      assert.deepEqual([left(), openFiles(dest)], [[], 0]);
    },
  );

  test('CVE-2026-3304: files of a malformed form are removed, even if the filter decides late', async t => {
    const { dest, left } = directory(t);
    const upload = multer({
      dest,
      fileFilter: (_req, _file, callback) => void setTimeout(callback, 20, null, true),
    });
    const server = await Server.start(t, upload.any());
    const { error } = await server.send(
      `${file('f', 'x', 'y')}${file('g', 'x', 'y')}--${BOUNDARY}\r\nno header\r\n\r\n${END}`,
    );
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.deepEqual([error!.message, left()], ['Malformed part header', []]);
  });

  // Three advisories and three faults were fixed in multer 2.3 to 2.5, which do not say which is which.
  const FIXED = 'one of CVE-2026-77063, CVE-2026-77078 and CVE-2026-80465';
  test(`CVE-2026-5038, CVE-2026-77037, CVE-2026-88932, ${FIXED}: a huge index creates no array, and ends no process`, async t => {
    const server = await Server.start(t, multer().none());
    const { error, req } = await server.send(
      ['a[4294967294]', 'a[]', 'b[10000]', 'b[x]'].map(name => field(name, '1')).join('') + END,
    );
    assert.equal(error, undefined);
    assert.ok(!Array.isArray(req.body.a));
    assert.equal(JSON.stringify(req.body), '{"a":{"4294967294":"1","":"1"},"b":{"10000":"1","x":"1"}}');
  });

  test(`${FIXED}: files that a filter rejects after an error of the request are not left in req.files`, async t => {
    const upload = multer({
      limits: { files: 1 },
      fileFilter: (_req, _file, callback) => void setTimeout(callback, 20, null, false),
    });
    const server = await Server.start(t, upload.fields([{ name: 'f', maxCount: 3 }]));
    const { error, req } = await server.send(file('f', 'a', 'x') + file('f', 'b', 'x') + END);
    assert.equal((error as multer.MulterError).code, 'LIMIT_FILE_COUNT');
    assert.deepEqual({ ...(req.files as object) }, {});
  });

  test('CVE-2026-3520, CVE-2026-5079: thousands of errors, parts and brackets do not overflow the stack', async t => {
    const server = await Server.start(t, multer().any());
    const bodies = [
      `--${BOUNDARY}\r\n\r\n`.repeat(50_000),
      `--${BOUNDARY}\r\nX: y\r\n\r\n\r\n`.repeat(50_000) + END,
      field(`a${'[b]'.repeat(5000)}`, 'c') + END,
      field(`a${'['.repeat(16_000)}`, 'c') + END,
    ];
    for (const body of bodies) {
      const { error } = await server.send(body);
      assert.ok(!(error instanceof RangeError), String(error));
    }
  });

  test('CVE-2026-8161: names are keys of objects without prototypes', async t => {
    const server = await Server.start(t, multer().fields([{ name: '__proto__' }]));
    const names = words(
      `__proto__[a] constructor[prototype][a] x[__proto__][a] toString __proto__[__proto__][a]`,
    );
    const { error, req } = await server.send(
      names.map(name => field(name, '1')).join('') + file('__proto__', 'x', 'y') + END,
    );
    assert.equal(error, undefined);
    assert.equal((Object.prototype as Record<string, unknown>).a, undefined);
    assert.equal(Object.getPrototypeOf(req.body), null);
    assert.deepEqual(Object.keys(req.files as object), ['__proto__']);
  });

  test('many small pieces: a file in memory keeps no more than its content', async t => {
    const server = await Server.start(t, multer().any());
    const content = 'x'.repeat(200_000);
    const pieces = file('f', 'x', content) + END;
    const chunked = Array.from(pieces, byte => `1\r\n${byte}\r\n`).join('');
    const outcome = server.next();
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`,
    );
    const { error, req } = await outcome;
    const [received] = req.files as Express.Multer.File[];
    assert.deepEqual(
      [error, received!.size, received!.buffer.toString() === content],
      [undefined, 200_000, true],
    );
    client.destroy();
  });

  test('CVE-2026-8159: headers of parts take linear time', () => {
    const options = { decodeName: undefined, preservePath: false };
    const starts = [
      '',
      '; name="',
      '; name="a"; filename="',
      "; name=a; filename*=utf-8''",
      '; name=a\r\nContent-Type: ',
    ];
    for (const start of starts) {
      assertFast(text => readPartHeader(text, options), `Content-Disposition: form-data${start}`);
    }
    assertFast(text => readPartHeader(text, options), '');
    for (const blank of [' ', '\t', ' \t']) {
      assertLinear(length => {
        const text = `Content-Disposition:${blank.repeat(length / blank.length)}\0`;
        return () => readPartHeader(text, options);
      }, blank);
    }
  });

  test('names of fields: take linear time', () => {
    for (const filler of ['[', ']', '[]', '[a]', '[[', 'a[', '[0]', '[0', '0']) {
      assertLinear(length => {
        const name = `a${filler.repeat(length / filler.length)}`;
        return () => addField(Object.create(null) as Record<string, unknown>, parseFieldName(name), '1');
      }, filler);
    }
  });
});

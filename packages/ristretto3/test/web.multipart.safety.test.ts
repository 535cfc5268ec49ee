/** `web.multipart`: hostile, malformed and aborted uploads end with an error and leave no file. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { askPort, withServer } from '../../engine/test/support/http.js';
import { until } from '../../engine/test/support/tree.js';
import type { ErrorHandler, Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, chain, loose, post, sameEach, show, web } from './support/middleware.js';
import { bodyOf, form, raw, TYPE, uploadDirectory, watchHandles } from './support/multipart.js';
import type { Part } from './support/multipart.js';

const seen = show(req => [req.body as unknown, Object.keys((req as { files?: object }).files ?? {})]);
const file = (value: string | Buffer = 'content'): Part => ({ name: 'f', filename: 'x.txt', value });
const field = (name: string, value = '1'): Part => ({ name, value });
const withHeader = (header: string) => form([file(), { header, value: 'x' }]);
const DISPOSITION = 'Content-Disposition: form-data; name="a"';

describe('web.multipart: safety', () => {
  const malformed: Record<string, string> = {
    'no colon': 'garbage',
    'no Content-Disposition': 'X-Y: z',
    'no field at all': '',
    'not form-data': 'Content-Disposition: attachment; name="a"',
    'form-data goes on': 'Content-Disposition: form-datax; name="a"',
    'no name': 'Content-Disposition: form-data',
    'empty name': 'Content-Disposition: form-data; name=""',
    'name twice': `${DISPOSITION}; name="b"`,
    'Content-Disposition twice': `${DISPOSITION}\r\n${DISPOSITION}`,
    'quotation mark never closed': 'Content-Disposition: form-data; name="a',
    'text behind a quotation mark': 'Content-Disposition: form-data; name="a"b',
    'parameter without value': 'Content-Disposition: form-data; name',
    'NUL in a field': `${DISPOSITION}; filename="a\0b"`,
    'line feed in a field': `${DISPOSITION}; filename="a\nb"`,
    'blank before a colon': `${DISPOSITION}\r\nX : y`,
    'name of a field empty': `${DISPOSITION}\r\n: y`,
    'bad % in filename*': 'Content-Disposition: form-data; name="a"; filename*=UTF-8\'\'100%',
    'charset of filename*': 'Content-Disposition: form-data; name="a"; filename*=latin1\'\'x',
    'filename* without quotes': 'Content-Disposition: form-data; name="a"; filename*=x',
  };
  for (const [what, header] of Object.entries(malformed)) {
    test(`malformed header, ${what}: 400, and no file is left`, async t => {
      const { uploadDir, left } = uploadDirectory(t);
      const [answer] = await askAll([web.multipart({ uploadDir }), seen], [withHeader(header)]);
      assert.match(answer!.text, /^400 multipart body has /);
      assert.deepEqual(left(), []);
    });
  }

  test('malformed body: sends 400, as the oracle does', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const whole = bodyOf([file()]).toString();
    const answers = await sameEach(
      web => [web.multipart({ uploadDir }), seen],
      [
        raw(''),
        raw('x'),
        raw('--AaB03x'),
        raw(whole.slice(0, 40)),
        raw(whole, { headers: { 'Content-Type': 'multipart/form-data; boundary=other' } }),
        raw(whole, { headers: { 'Content-Type': 'multipart/mixed; boundary=AaB03x' } }),
        raw(whole, { headers: { 'Content-Type': 'multipart/form-data' } }),
      ],
      { body: true },
    );
    for (const answer of answers) assert.equal(answer.status, 400);
    const odd = [
      raw(whole.slice(0, -4)),
      raw(whole, { headers: { 'Content-Type': `multipart/form-data; boundary=${'x'.repeat(71)}` } }),
      raw(whole.replace('--AaB03x\r\n', '--AaB03x garbage\r\n')),
    ];
    for (const answer of await askAll([web.multipart({ uploadDir }), seen], odd))
      assert.equal(answer.status, 400);
    const unreadable = raw(whole, { headers: { 'Content-Type': 'multipart/form-data; boundary="AaB03x' } });
    const [passed] = await askAll([web.multipart({ uploadDir }), seen], [unreadable]);
    assert.equal(passed!.text, '[{},[]]', 'a Content-Type that is none is of no parser');
    // Deletes what the oracle left of the aborted upload.
    for (const name of left()) assert.match(name, /^\d+-/);
  });

  const many = (count: number, part: (index: number) => Part): Part[] =>
    Array.from({ length: count }, (_, index) => part(index));
  const limits: [string, object, Part[], boolean][] = [
    ['maxFields: 1000', {}, many(1000, index => field(`a${index}`)), true],
    ['maxFields: 1001', {}, many(1001, index => field(`a${index}`)), false],
    ['maxFields: option', { maxFields: 1 }, [field('a'), field('b')], false],
    ['maxFiles: option', { maxFiles: 1 }, [file(), file()], false],
    ['maxFieldsSize: 2 MiB', {}, [field('a', 'x'.repeat(2 * 1024 * 1024))], true],
    ['maxFieldsSize: more', {}, [field('a', 'x'.repeat(2 * 1024 * 1024)), field('b')], false],
    ['maxFieldsSize: option', { maxFieldsSize: 10 }, [field('a', 'x'.repeat(11))], false],
    ['maxFilesSize: option', { maxFilesSize: 10 }, [file('x'.repeat(6)), file('x'.repeat(5))], false],
    ['limit: option', { limit: 100 }, [file('x'.repeat(100))], false],
    ['limit: of text', { limit: '1kb' }, [file('x'.repeat(1024))], false],
    ['limit: enough', { limit: '2kb' }, [file('x'.repeat(1024))], true],
  ];
  for (const [what, options, parts, fits] of limits) {
    test(`${what}: ${fits ? 'is accepted' : '413, and no file is left'}`, async t => {
      const { uploadDir, left } = uploadDirectory(t);
      const handles = watchHandles(t);
      const [answer] = await askAll(
        [web.multipart({ uploadDir, ...options }), seen],
        [form([file(), ...parts])],
      );
      assert.equal(answer!.status, fits ? 200 : 413);
      if (!fits) assert.deepEqual(left(), []);
      assert.equal(handles.open(), 0);
    });
  }

  test('limit: a body over the limit gets 413 also if the boundary is missing', async () => {
    const requests = [101, 100].map(size => post('multipart/form-data', 'x'.repeat(size)));
    const answers = await sameEach(web => [loose(web.multipart)({ limit: 100 }), seen], requests, {
      body: true,
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [413, 400],
    );
  });

  test('limit: counts the bytes of a body without Content-Length', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const body = bodyOf([file('x'.repeat(5000))]);
    const chunked = Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const request = raw(chunked, { headers: { 'Transfer-Encoding': 'chunked' } });
    const [answer] = await askAll([web.multipart({ uploadDir, limit: 4000 }), seen], [request]);
    assert.equal(answer!.status, 413);
    assert.deepEqual(left(), []);
  });

  test('header of a part: may have 16 KiB; more sends 413', async t => {
    const { uploadDir } = uploadDirectory(t);
    const named = (length: number) =>
      form([{ header: `${DISPOSITION}\r\nX: ${'x'.repeat(length)}`, value: '1' }]);
    const answers = await askAll(
      [web.multipart({ uploadDir }), seen],
      [named(16_300), named(16_400), named(100_000)],
    );
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 413, 413],
    );
  });

  test('names that objects inherit: do no harm', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const names = [
      '__proto__',
      '__proto__[x]',
      'a[__proto__][x]',
      'constructor[prototype][x]',
      'toString',
      'a[toString]',
    ];
    const parts = [...names.map(name => field(name)), ...names.map(name => ({ ...file(), name }))];
    const [answer] = await askAll([web.multipart({ uploadDir }), seen], [form(parts)]);
    assert.equal(answer!.status, 200);
    const [body, files] = JSON.parse(answer!.text);
    assert.deepEqual(body, { a: { toString: '1' }, constructor: { prototype: { x: '1' } }, toString: '1' });
    assert.deepEqual(files, ['a', 'constructor', 'toString']);
    assert.equal(({} as { x?: unknown }).x, undefined);
    // A file that is not in req.files is not on disk either.
    assert.equal(left().length, 3);
  });

  test('names of thousands of levels: are cut off at five levels', async t => {
    const { uploadDir } = uploadDirectory(t);
    const name = `a${'[b]'.repeat(5000)}`;
    const [answer] = await askAll(
      [web.multipart({ uploadDir }), seen],
      [form([field(name), { ...file(), name }])],
    );
    let depth = 0;
    for (let value = JSON.parse(answer!.text)[0]; typeof value === 'object'; depth++)
      value = Object.values(value)[0];
    assert.equal(depth, 7);
  });

  test('huge indexes: do not create huge arrays', async t => {
    const { uploadDir } = uploadDirectory(t);
    const parts = [field('a[4294967294]'), field('b[999999999]'), { ...file(), name: 'c[999999999]' }];
    const [answer] = await askAll([web.multipart({ uploadDir }), seen], [form(parts)]);
    assert.deepEqual(JSON.parse(answer!.text)[0], { a: { 4294967294: '1' }, b: { 999999999: '1' } });
  });

  test('missing uploadDir: sends 500 and does not crash the process', async t => {
    const { uploadDir } = uploadDirectory(t);
    const links = [web.multipart({ uploadDir: path.join(uploadDir, 'nope') }), seen];
    const [answer, next] = await askAll(links, [form([field('a'), file(), file()]), form([field('a')])]);
    assert.match(answer!.text, /^500 ENOENT/);
    assert.equal(next!.status, 200);
  });

  test('disk that is full: sends 500 and leaves no file', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    let writes = 0;
    const handles = watchHandles(t, handle => {
      const write = handle.write.bind(handle);
      t.mock.method(handle, 'write', (...args: Parameters<typeof write>) => {
        if (++writes < 2) return write(...args);
        return Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
      });
    });
    const [answer] = await askAll([web.multipart({ uploadDir }), seen], [form([file(), file()])]);
    assert.equal(answer!.text, '500 no space left on device ENOSPC');
    assert.deepEqual(left(), []);
    assert.equal(handles.open(), 0);
  });

  test('files that cannot be closed or removed: the first error is reported', async t => {
    const { uploadDir } = uploadDirectory(t);
    watchHandles(t, handle => {
      const close = handle.close.bind(handle);
      t.mock.method(handle, 'close', async () => {
        await close();
        throw new Error('input/output error');
      });
    });
    t.mock.method(fs.promises, 'rm', () => Promise.reject(new Error('gone')));
    const [answer] = await askAll([web.multipart({ uploadDir }), seen], [form([file()])]);
    assert.equal(answer!.text, '500 input/output error undefined');
  });

  test('CVE-2025-47935, CVE-2026-2359, CVE-2026-3304: 100 aborted uploads leak no file or descriptor, and call each handler once', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const handles = watchHandles(t);
    const errors: { status: number; code: string }[] = [];
    const record: ErrorHandler = (error: { status: number; code: string }, _req, _res, _next) =>
      void errors.push(error);
    const reached: Handler = () => assert.fail('the form was not whole');
    let begun = 0;
    const begin: Handler = (_req, _res, next) => {
      begun++;
      next();
    };
    await withServer(chain(begin, web.multipart({ uploadDir }), reached, record), async port => {
      for (let round = 0; round < 100; round++) {
        const client = net.connect(port, '127.0.0.1');
        const body = bodyOf([field('a'), file('first'), file('x'.repeat(100_000))]);
        client.write(
          `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        const before = handles.opened.length;
        const cut = 10 + round * 1000;
        client.write(body.subarray(0, cut));
        // Some abort before there is a file, some while it is being written.
        await until(() => begun > round && (round % 2 === 0 || handles.opened.length > before));
        client.destroy();
        await once(client, 'close');
        await until(() => errors.length === round + 1);
      }
    });
    assert.deepEqual(left(), []);
    assert.equal(handles.open(), 0);
    assert.deepEqual(
      new Set(errors.map(error => `${error.status} ${error.code}`)),
      new Set(['400 ECONNABORTED']),
    );
  });

  test('error in the middle: the rest is discarded, and the connection stays usable', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    await withServer(chain(web.multipart({ uploadDir, maxFieldsSize: 10 }), seen), async port => {
      const big = bodyOf([file(), field('a', 'x'.repeat(1000)), file('y'.repeat(3_000_000))]);
      const small = bodyOf([field('b')]);
      const head = (length: number, connection: string) =>
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nConnection: ${connection}\r\nContent-Length: ${length}\r\n\r\n`;
      const client = net.connect(port, '127.0.0.1');
      let text = '';
      client.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      client.write(Buffer.concat([Buffer.from(head(big.length, 'keep-alive')), big]));
      client.write(Buffer.concat([Buffer.from(head(small.length, 'close')), small]));
      await once(client, 'close');
      assert.match(text, /^HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 [^]*\[\{"b":"1"\},\[\]\]$/);
    });
    assert.deepEqual(left(), []);
  });

  test('success: the files stay and belong to the application', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const handles = watchHandles(t);
    const links = [web.multipart({ uploadDir }), seen];
    const requests = Array.from({ length: 20 }, () => form([file()]));
    await withServer(chain(...links), port => Promise.all(requests.map(request => askPort(port, request))));
    assert.equal(left().length, 20);
    assert.equal(handles.open(), 0);
  });
});

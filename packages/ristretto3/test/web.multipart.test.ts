/**
 * `web.multipart`: the fields and files of a form, and its options; hostile, malformed and aborted uploads, which end with an error and
 * leave no file; `defer`; and a full disk, in a separate process whose files cannot grow beyond about 64 KiB.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { once } from 'node:events';
import net from 'node:net';
import type { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { ErrorHandler, Handler } from 'ristretto3/lib/middleware/connect';
import type { Form, Part as PartStream } from 'ristretto3/lib/middleware/multipart/form';
import type { Answer, Ask } from '../../engine/test/support/http.js';
import { askPort, each, exchange, withServer } from '../../engine/test/support/http.js';
import { until } from '../../engine/test/support/until.js';
import { askAll, chain, given, loose, post, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';
import { bodyOf, form, raw, TYPE, uploadDirectory, watchHandles } from './support/multipart.js';
import type { Part } from './support/multipart.js';
import { words } from '../../engine/test/support/random.js';

type Options = NonNullable<Parameters<Web['multipart']>[0]>;
interface Entry extends Record<string, unknown> {
  path: string;
  size: number;
}

const isFile = (value: object): value is Entry => 'fieldName' in value;

/** Returns what both have for a file; other members of ours have separate tests. */
function described(value: unknown): unknown {
  // Sorted, because the oracle's order depends on when files were written.
  if (Array.isArray(value))
    return value.map(described).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  if (!isFile(value)) {
    const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, one]) => [name, described(one)]));
  }
  const { fieldName, originalFilename, headers, size, name, type } = value;
  return {
    fieldName,
    originalFilename,
    headers,
    size,
    name,
    type,
    content: fs.readFileSync(value.path, 'utf8'),
  };
}

const seen = show(req => [req.body as unknown, described(req.files)]);
const files = (req: object): Record<string, Entry> => (req as { files: Record<string, Entry> }).files;

describe('web.multipart', () => {
  /** Sends forms to both and compares fields and files. */
  const sameForms = (uploadDir: string, forms: Part[][]) =>
    sameEach(
      web => [web.multipart({ uploadDir }), seen],
      forms.map(parts => form(parts)),
    );

  test('error headers.too.many: sends 431 for a form whose length is among the headers that Node leaves out', async t => {
    const { uploadDir } = uploadDirectory(t);
    const { body, headers } = form([{ name: 'a', value: '1' }]);
    const filler = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`a${at}`, '1']));
    const length = { 'Content-Length': String((body as Buffer).length) };
    for (const hidden of [
      { ...headers, ...filler, ...length },
      { ...length, ...filler, ...headers },
    ]) {
      const request = { method: 'POST', headers: hidden as Record<string, string>, body };
      const [answer] = await askAll([web.multipart({ uploadDir }), seen], [request as Ask]);
      assert.equal(answer!.status, 431);
    }
  });

  test('fields: are set in req.body', async t => {
    const { uploadDir } = uploadDirectory(t);
    const answers = await sameForms(uploadDir, [
      [
        { name: 'a', value: '1' },
        { name: 'b', value: '' },
        { name: 'ünï', value: '☃\r\n--AaB03' },
      ],
      [
        { name: 'x', value: '1' },
        { name: 'x', value: '2' },
      ],
      [],
    ]);
    assert.equal(answers[0]!.text, '[{"a":"1","b":"","ünï":"☃\\r\\n--AaB03"},{}]');
    assert.equal(answers[1]!.text, '[{"x":["1","2"]},{}]');
  });

  test('fields: names nest as in a query string', async t => {
    const { uploadDir } = uploadDirectory(t);
    const named = (...names: string[]): Part[] =>
      names.map((name, index) => ({ name, value: String(index) }));
    await sameForms(uploadDir, [
      named('a[b]', 'a[c][]', 'a[c][]', 'x[y][z]'),
      named('a[]', 'a[]', 'b[0]', 'b[1]', 'c[2]', 'd[20]', 'e[21]'),
      named('a[b][c][d][e][f][g][h]'),
      Array.from({ length: 40 }, (_, index) => ({ name: 'many', value: String(index) })),
      Array.from({ length: 40 }, (_, index) => ({ name: 'many[]', value: String(index) })),
    ]);
  });

  test('files: are set in req.files, with their content on disk', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const [answer] = await sameForms(uploadDir, [
      [
        { name: 'a', value: '1' },
        { name: 'photo', filename: 'me.png', type: 'image/png', value: 'PNG\r\n\r\n--\r\n' },
        { name: 'empty', filename: '', type: 'application/octet-stream' },
      ],
      [
        { name: 'f[a]', filename: 'x', value: '1' },
        { name: 'f[b]', filename: 'y', value: '22' },
        { name: 'g', filename: 'one', value: '1' },
        { name: 'g', filename: 'two', value: '2' },
        { name: 'h[]', filename: 'three', value: '3' },
      ],
    ]);
    const [body, described] = JSON.parse(answer!.text);
    assert.deepEqual(body, { a: '1' });
    assert.equal(described.photo.content, 'PNG\r\n\r\n--\r\n');
    // There are two of the first form and five of the second, from both frameworks.
    assert.equal(left().length, 14);
  });

  test('files: have name, type, size, path, hash, lastModifiedDate and the getters', async t => {
    const { uploadDir } = uploadDirectory(t);
    const read = show(req => {
      const file = files(req).photo!;
      return [
        file.name,
        file.filename,
        file.type,
        file.mime,
        file.size,
        file.length,
        file.hash,
        file.lastModifiedDate,
      ];
    });
    const request = form([{ name: 'photo', filename: 'me.png', type: 'image/png', value: '12345' }]);
    const [answer] = await askAll([web.multipart({ uploadDir, hash: 'sha1' }), read], [request]);
    const [name, filename, type, mime, size, length, hash, date] = JSON.parse(answer!.text);
    assert.deepEqual([name, type, size], ['me.png', 'image/png', 5]);
    assert.deepEqual([filename, mime, length], [name, type, size]);
    assert.equal(hash, '8cb2237d0679ca88db6464eac60da96345513964');
    assert.ok(Math.abs(Date.now() - Date.parse(date)) < 60_000);
  });

  test('files: have the mode that the umask allows', async t => {
    const { uploadDir } = uploadDirectory(t);
    const mode = show(req => fs.statSync(files(req).f!.path).mode & 0o777);
    const [answer] = await sameEach(
      web => [web.multipart({ uploadDir }), mode],
      [form([{ name: 'f', filename: 'x' }])],
    );
    assert.equal(answer!.text, String(0o666 & ~process.umask()));
  });

  test('uploadDir: is the temporary directory of the system by default', async t => {
    const where: Handler = (req, res) => {
      const file = files(req).f!.path;
      t.after(() => fs.rmSync(file));
      res.end(path.dirname(file));
    };
    const [answer] = await askAll([web.multipart(), where], [form([{ name: 'f', filename: 'x' }])]);
    assert.equal(answer!.text, os.tmpdir());
  });

  test('keepExtensions: keeps the harmless part of the last extension, unless the option is false', async t => {
    const { uploadDir } = uploadDirectory(t);
    const names = ['a.txt', 'a.tar.gz', 'a.', 'a.p h', 'A.JPG', 'a.b-c', 'a.p%20g', 'a.\u00e4'];
    const long = [15, 16, 17].map(length => `a.${'x'.repeat(length)}`);
    const requests = [...names, ...long].map(filename => form([{ name: 'f', filename }]));
    const extension = show(req => path.extname(files(req).f!.path));
    const answers = await sameEach(web => [web.multipart({ uploadDir }), extension], requests);
    assert.deepEqual(
      answers.map(answer => JSON.parse(answer.text)),
      ['.txt', '.gz', '.', '.p', '.JPG', '.b-c', '.p', '.', ...[15, 16, 16].map(n => `.${'x'.repeat(n)}`)],
    );
    const extensions = async (options: object, filenames: string[]) => {
      const asked = filenames.map(filename => form([{ name: 'f', filename }]));
      const found = await askAll([web.multipart({ uploadDir, ...options }), extension], asked);
      return found.map(answer => JSON.parse(answer.text));
    };
    // In Express 3, names without an extension are random, and may contain a dot
    assert.deepEqual(await extensions({}, ['a', '.bashrc', '..']), ['', '', '']);
    assert.deepEqual(await extensions({ keepExtensions: false }, ['a.txt', 'a']), ['', '']);
  });

  test('headers: are a plain object with its methods, whatever names the client sends', async t => {
    const { uploadDir } = uploadDirectory(t);
    const owns = show(req => {
      const { headers } = files(req).f as unknown as { headers: Record<string, string> };
      return [headers.hasOwnProperty('content-type'), headers.hasOwnProperty('__proto__')];
    });
    const photo = form([{ name: 'f', filename: 'x', type: 'image/png' }]);
    const [answer] = await sameEach(web => [web.multipart({ uploadDir }), owns], [photo]);
    assert.equal(answer!.text, '[true,false]');
    const header =
      'Content-Disposition: form-data; name="f"; filename="x"\r\nhasOwnProperty: 1\r\n__proto__: 2';
    const [hostile] = await askAll([web.multipart({ uploadDir }), owns], [form([{ header }])]);
    assert.equal(hostile!.text, '[false,false]');
  });

  test('CVE-2014-3744: file names: directories are stripped, quotation marks and UTF-8 kept, filename* takes precedence', async t => {
    const { uploadDir } = uploadDirectory(t);
    const read = show(req => [files(req).f!.name, files(req).f!.path]);
    const disposition = (parameters: string) =>
      form([{ header: `Content-Disposition: form-data; name="f"; ${parameters}`, value: 'x' }]);
    const cases: [string, string][] = [
      ['filename="a b;c.txt"', 'a b;c.txt'],
      [String.raw`filename="C:\dir\a.txt"`, 'a.txt'],
      ['filename="../../etc/passwd"', 'passwd'],
      [String.raw`filename="..\..\evil"`, 'evil'],
      ['filename="x.sh/../../y"', 'y'],
      ['filename="a/../.."', ''],
      ['filename=".."', ''],
      ['filename="dir/."', ''],
      [String.raw`filename="a \"b\".txt"`, 'a "b".txt'],
      ['filename="a %22b%22.txt"', 'a "b".txt'],
      ['filename="☃.txt"', '☃.txt'],
      ['filename=plain.txt', 'plain.txt'],
      ["filename*=UTF-8''a%20%E2%82%AC.txt", 'a €.txt'],
      ['filename="x"; filename*=utf-8\'en\'y%2F..%2Fz.txt', 'z.txt'],
      ['filename="a.txt" ; size=5', 'a.txt'],
    ];
    const requests = cases.map(([parameters]) => disposition(parameters));
    const answers = await askAll([web.multipart({ uploadDir }), read], requests);
    for (const [index, { text }] of answers.entries()) {
      const [name, file] = JSON.parse(text);
      assert.deepEqual([name, path.dirname(file)], [cases[index]![1], uploadDir]);
      assert.match(path.basename(file), /^[0-9a-f]{32}(\.[\w-]+)?$/);
    }
  });

  test('header of a part: accepts names in any case and folded lines', async t => {
    const { uploadDir } = uploadDirectory(t);
    const header = 'CONTENT-DISPOSITION: Form-Data;\r\n name="a";\r\n\tfilename="b"\r\nX-Y:z';
    const read = show(req => files(req).a!.headers);
    const [answer] = await askAll([web.multipart({ uploadDir }), read], [form([{ header, value: '1' }])]);
    const expected = { 'content-disposition': 'Form-Data; name="a"; filename="b"', 'x-y': 'z' };
    assert.deepEqual(JSON.parse(answer!.text), expected);
  });

  test('body: accepts text before and after the parts, and spaces after a boundary', async t => {
    const { uploadDir } = uploadDirectory(t);
    const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1\r\n';
    const bodies = [
      `--AaB03x\r\n${part}--AaB03x--`,
      `--AaB03x\r\n${part}--AaB03x--\r\nepilogue\r\n--AaB03x\r\n`,
      `preamble\r\n--AaB03x\r\n${part}--AaB03x--\r\n`,
      `\r\n--AaB03x \t\r\n${part}--AaB03x--\r\n`,
      '--AaB03x--\r\n',
    ];
    const requests = bodies.map(body => raw(body));
    const answers = await askAll([web.multipart({ uploadDir }), seen], requests);
    const texts = answers.map(answer => answer.text);
    assert.deepEqual(texts, [...Array<string>(4).fill('[{"a":"1"},{}]'), '[{},{}]']);
  });

  test('boundary: may be quoted and contain unusual characters', async t => {
    const { uploadDir } = uploadDirectory(t);
    const boundary = "a'()+_,-./:=? b";
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--`;
    const type = `multipart/form-data; boundary="${boundary}"`;
    const [answer] = await sameEach(web => [web.multipart({ uploadDir }), seen], [post(type, body)]);
    assert.equal(answer!.text, '[{"a":"1"},{}]');
  });

  test('other requests: are passed on with empty objects', async () => {
    const requests = [
      {},
      { method: 'POST' },
      form([{ name: 'a', value: '1' }], { method: 'GET' }),
      post('application/json', '{}'),
      post('text/plain', 'x'),
    ];
    for (const answer of await sameEach(web => [web.multipart(), seen], requests))
      assert.equal(answer.text, '[{},{}]');
    const build = (web: Web) => [
      given({ _body: true, body: 1 }),
      web.multipart(),
      show(req => [req.body as unknown]),
    ];
    const [taken] = await sameEach(build, [form([{ name: 'a', value: '1' }])]);
    assert.equal(taken!.text, '[1]');
  });

  test('methods: include all that may have a body', async t => {
    const { uploadDir } = uploadDirectory(t);
    const requests = ['PUT', 'PATCH', 'DELETE'].map(method => form([{ name: 'a', value: '1' }], { method }));
    const answers = await sameEach(web => [web.multipart({ uploadDir }), seen], requests);
    for (const answer of answers) assert.equal(answer.text, '[{"a":"1"},{}]');
  });

  test('CVE-2026-12590: wrong options throw an error with their values', () => {
    const wrong: [object, RegExp][] = [
      [{ limit: 'abc' }, /^TypeError: web\.multipart\(\): limit must be a number of bytes.* got 'abc'/],
      [{ limit: NaN }, /got NaN/],
      [{ maxFieldsSize: NaN }, /maxFieldsSize must be/],
      [{ maxFieldsSize: {} }, /maxFieldsSize must be/],
      [{ maxFilesSize: -1 }, /maxFilesSize must be/],
      [{ maxFields: NaN }, /maxFields must be a number, not NaN/],
      [{ maxFields: '5' }, /^TypeError: maxFields must be a number, not 5/],
      [{ maxFiles: NaN }, /^TypeError: maxFiles must be a number, not NaN/],
      [{ hash: 'nope' }, /^TypeError: hash must be the name of a digest.*not nope/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(() => loose(web.multipart)(options as Options), message);
      assert.throws(() => loose(web.bodyParser)(options as Options), TypeError);
    }
    assert.throws(() => loose(web.limit)('x'), TypeError);
  });
});

describe('web.multipart: safety', () => {
  const seen = show(req => [req.body as unknown, Object.keys((req as { files?: object }).files ?? {})]);
  const file = (value: string | Buffer = 'content'): Part => ({ name: 'f', filename: 'x.txt', value });
  const field = (name: string, value = '1'): Part => ({ name, value });
  const withHeader = (header: string) => form([file(), { header, value: 'x' }]);
  const DISPOSITION = 'Content-Disposition: form-data; name="a"';

  const malformed: Record<string, string> = {
    'no colon': 'garbage',
    'no Content-Disposition': 'X-Y: z',
    'an empty Content-Disposition': 'Content-Disposition:',
    'no field at all': '',
    'not form-data': 'Content-Disposition: attachment; name="a"',
    'form-data goes on': 'Content-Disposition: form-datax; name="a"',
    'no name': 'Content-Disposition: form-data',
    'empty name (CVE-2025-48997)': 'Content-Disposition: form-data; name=""',
    'empty name of a file (CVE-2025-48997)': 'Content-Disposition: form-data; name=""; filename="x"',
    'name twice': `${DISPOSITION}; name="b"`,
    'Content-Disposition twice': `${DISPOSITION}\r\n${DISPOSITION}`,
    'quotation mark never closed': 'Content-Disposition: form-data; name="a',
    'text behind a quotation mark': 'Content-Disposition: form-data; name="a"b',
    'parameter without value': 'Content-Disposition: form-data; name',
    'NUL in a field': `${DISPOSITION}; filename="a\0b"`,
    'line feed in a field': `${DISPOSITION}; filename="a\nb"`,
    'blank before a colon': `${DISPOSITION}\r\nX : y`,
    'name of a field empty': `${DISPOSITION}\r\n: y`,
    ...Object.fromEntries(
      ['100%', '%2', '%zz', '%ff', 'a%C3'].map(value => [
        `${value} in filename* (CVE-2026-8162)`,
        `Content-Disposition: form-data; name="a"; filename*=UTF-8''${value}`,
      ]),
    ),
    'charset of filename*': 'Content-Disposition: form-data; name="a"; filename*=latin1\'\'x',
    'filename* without quotes': 'Content-Disposition: form-data; name="a"; filename*=x',
  };
  /** The attacks with malformed parts. */
  const ATTACKS = 'CVE-2022-24434, CVE-2025-47944, CVE-2025-7338, CVE-2026-3520';
  for (const [what, header] of Object.entries(malformed)) {
    test(`${ATTACKS}: malformed header, ${what}: 400, and no file is left`, async t => {
      const { uploadDir, left } = uploadDirectory(t);
      const handles = watchHandles(t);
      const [answer] = await askAll([web.multipart({ uploadDir }), seen], [withHeader(header)]);
      assert.match(answer!.text, /^400 multipart body has /);
      assert.deepEqual([left(), handles.open()], [[], 0]);
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
    ['CVE-2023-25576: thousands of fields', {}, many(5000, () => field('a')), false],
    ['CVE-2023-25576: thousands of files', {}, many(5000, () => file()), false],
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
    assert.deepEqual(each(answers, 'status'), [413, 400]);
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
    assert.deepEqual(each(answers, 'status'), [200, 413, 413]);
  });

  test('CVE-2026-8161: names that objects inherit do no harm', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const names = words(
      `__proto__ __proto__[x] a[__proto__][x] constructor[prototype][x] toString a[toString]`,
    );
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

  test('CVE-2026-5079: names of thousands of levels are cut off at five levels', async t => {
    const { uploadDir } = uploadDirectory(t);
    for (const [level, levels] of Object.entries({ '[b]': 7, '[0]': 7, '[]': 3 })) {
      const name = `a${level.repeat(5000)}`;
      const parts = [field(name), { ...file(), name }];
      const [answer] = await askAll([web.multipart({ uploadDir }), seen], [form(parts)]);
      let depth = 0;
      for (let value = JSON.parse(answer!.text)[0]; typeof value === 'object'; depth++)
        value = Object.values(value)[0];
      assert.equal(depth, levels, level);
    }
  });

  test('CVE-2026-5038, CVE-2026-77037, CVE-2026-88932: huge indexes create no huge arrays', async t => {
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

describe('web.multipart: defer', () => {
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
      formOf(req).on('part', (part: PartStream) => {
        let value = '';
        part.on('data', chunk => (value += String(chunk)));
        part.on('end', () => parts.push([part.name, part.filename, part.headers, value]));
      });
      if (other) formOf(req).on(other, () => undefined);
      formOf(req).on('close', () => void setImmediate(() => res.end(JSON.stringify(parts))));
    };
  }

  const deferring = (t: TestContext) =>
    web.multipart({ uploadDir: uploadDirectory(t).uploadDir, defer: true });

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
      formOf(req).on('part', (part: PartStream) => {
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

  for (const [what, take, kinds] of [
    ['an unread field', () => undefined, ['field']],
    ['a destroyed stream', part => void part.destroy(), ['field', 'file']],
    [
      'a stream destroyed while the form waits for it',
      part => void setImmediate(() => part.destroy()),
      ['file'],
    ],
    [
      'a stream whose wrapped write returns nothing',
      part => void (part.write = () => undefined as never),
      ['file'],
    ],
  ] as [string, (part: PartStream) => void, string[]][]) {
    test(`part: ${what} does not block the form`, async t => {
      for (const kind of kinds) {
        const ignore: Handler = (req, res) => {
          formOf(req).on('part', (part: PartStream) => {
            if (part.name === 'big') take(part);
          });
          formOf(req).on('close', () => res.end(req.body.b));
        };
        const big = { name: 'big', ...(kind === 'file' && { filename: 'x' }), value: 'x'.repeat(300_000) };
        const [answer] = await askAll([deferring(t), ignore], [form([big, { name: 'b', value: '2' }])]);
        assert.equal(answer!.text, '2', kind);
      }
    });
  }

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

  for (const event of ['field', 'file', 'part', 'progress', 'close']) {
    test(`error: an exception in a listener for ${event} goes to the error listener, else to the error handlers`, async t => {
      for (const listens of [false, true]) {
        const { uploadDir, left } = uploadDirectory(t);
        const throwing: Handler = (req, res) => {
          formOf(req).on(event, () => {
            throw new Error('oops');
          });
          formOf(req).on('close', () => res.end('closed'));
          if (listens) formOf(req).on('error', (error: Error) => res.end(error.message));
        };
        const [answer] = await askAll([web.multipart({ uploadDir, defer: true }), throwing], [form(PARTS)]);
        assert.equal(answer!.text, listens ? 'oops' : '500 oops undefined');
        // After `close` the files belong to the application
        if (event !== 'close') assert.deepEqual(left(), []);
      }
    });
  }

  test('error: an exception in an error listener goes to the error handlers', async t => {
    const throwing: Handler = req => {
      formOf(req).on('error', () => {
        throw new Error('again');
      });
    };
    const [answer] = await askAll([deferring(t), throwing], [raw('--AaB03x\r\n\r\n\r\n')]);
    assert.equal(answer!.text, '500 again undefined');
  });
});

describe('web.multipart', { skip: process.platform === 'win32' }, () => {
  /** Responds to uploads with the sizes of their files, which it removes, and to GET with the number of open files. */
  const PROGRAM = `
  const fs = require('node:fs');
  const web = require('ristretto3');
  const uploadDir = process.argv[1];
  const app = web().set('env', 'production');
  const taken = (req, res) => {
    const files = Object.values(req.files);
    for (const { path } of files) fs.rmSync(path);
    res.send(files.map(({ size }) => size).join());
  };
  app.post('/whole', web.multipart({ uploadDir }), taken);
  app.post('/deferred', web.multipart({ uploadDir, defer: true }), (req, res, next) => {
    req.form.on('error', next).on('close', () => taken(req, res));
  });
  const isFile = fd => {
    try {
      return fs.fstatSync(Number(fd)).isFile();
    } catch {
      return false;
    }
  };
  app.get('/open', (req, res) => res.send(String(fs.readdirSync('/dev/fd').filter(isFile).length)));
  const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

  /**
   * Starts the program with a file size limit, the closest to a full disk without privileges: a write is cut short, and
   * the next one fails.
   */
  async function start(t: TestContext, uploadDir: string): Promise<{ child: ChildProcess; port: number }> {
    const limited = ['-c', 'ulimit -f 128 && exec "$0" "$@"', process.execPath, '-e', PROGRAM, uploadDir];
    // The reports that test processes write about themselves exceed the limit
    const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
    const child = spawn('sh', limited, { cwd: path.join(__dirname, '..'), env });
    t.after(() => child.kill('SIGKILL'));
    // Errors without a status are logged
    child.stderr.resume();
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, port: Number(line.toString()) };
  }

  const file = (size: number): Part => ({ name: `f${size}`, filename: 'x.bin', value: Buffer.alloc(size) });

  for (const where of ['/whole', '/deferred']) {
    test(`full disk: 500, no file or descriptor is leaked, and the next upload succeeds (${where})`, async t => {
      const { uploadDir, left } = uploadDirectory(t);
      const { child, port } = await start(t, uploadDir);
      const upload = (...sizes: number[]): Promise<Answer> =>
        askPort(port, form(sizes.map(file), { path: where }));
      const open = async (): Promise<string> => (await askPort(port, '/open')).text;
      const before = await open();

      const refused = [await upload(1_000_000), await upload(1000, 200_000, 3000)];
      refused.push(...(await Promise.all(Array.from({ length: 10 }, () => upload(5000, 1_000_000)))));
      for (const { status, text } of refused) {
        assert.deepEqual([status, text], [500, 'Internal Server Error\n']);
      }
      assert.deepEqual(left(), []);
      assert.equal(await open(), before);

      const answer = await upload(1000, 30_000);
      assert.deepEqual([answer.status, answer.text], [200, '1000,30000']);
      assert.deepEqual(left(), []);
      assert.equal(await open(), before);
      assert.equal(child.exitCode, null);
    });
  }
});

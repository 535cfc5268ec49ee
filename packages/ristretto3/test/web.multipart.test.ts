/** `web.multipart`: the fields and files of a form, and its options. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import type { Ask } from '../../engine/test/support/http.js';
import { askAll, given, loose, post, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';
import { form, raw, uploadDirectory } from './support/multipart.js';
import type { Part } from './support/multipart.js';

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

  test('file names: directories are stripped, quotation marks and UTF-8 kept, filename* takes precedence', async t => {
    const { uploadDir } = uploadDirectory(t);
    const read = show(req => files(req).f!.name);
    const disposition = (parameters: string) =>
      form([{ header: `Content-Disposition: form-data; name="f"; ${parameters}`, value: 'x' }]);
    const cases: [string, string][] = [
      ['filename="a b;c.txt"', 'a b;c.txt'],
      [String.raw`filename="C:\dir\a.txt"`, 'a.txt'],
      ['filename="../../etc/passwd"', 'passwd'],
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
    assert.deepEqual(
      answers.map(answer => JSON.parse(answer.text)),
      cases.map(([, name]) => name),
    );
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

  test('wrong options: throw an error with their values', () => {
    const wrong: [object, RegExp][] = [
      [{ limit: 'abc' }, /^TypeError: web\.multipart\(\): limit must be a number of bytes.* got 'abc'/],
      [{ limit: NaN }, /got NaN/],
      [{ maxFieldsSize: {} }, /maxFieldsSize must be/],
      [{ maxFilesSize: -1 }, /maxFilesSize must be/],
      [{ maxFields: '5' }, /^TypeError: maxFields must be a number, not 5/],
      [{ maxFiles: NaN }, /^TypeError: maxFiles must be a number, not NaN/],
      [{ hash: 'nope' }, /^TypeError: hash must be the name of a digest.*not nope/],
    ];
    for (const [options, message] of wrong)
      assert.throws(() => loose(web.multipart)(options as Options), message);
  });
});

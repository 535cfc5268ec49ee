/** The error page of strange errors, stacks and sources: it is always sent, and never crashes the process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { buildSync } from 'esbuild';
import { viewerToken } from '@ristretto/private-engine/lib/dev/error-page/viewer';
import web from 'ristretto';
import { ownFolder } from '../support/program.js';
import { ask } from '../support/http.js';
import type { Answer } from '../support/http.js';
import { words } from '../support/random.js';

process.env.NODE_ENV = 'development';
delete process.env.RISTRETTO_ERROR_PAGE;

/** The cookie of a browser that has opened the link. */
const OPENED = `ristretto-error-page=${viewerToken()}`;

const home = ownFolder();

function write(name: string, text: string): string {
  const file = path.join(home, name);
  fs.writeFileSync(file, text);
  return file;
}

/** Returns the response that a browser gets for an error. */
function browse(thrown: unknown): Promise<Answer> {
  const app = web().set('error logger', () => undefined);
  app.use((_req, _res, next) => {
    next(thrown);
  });
  return ask(app, { headers: { Accept: 'text/html', Cookie: OPENED } });
}

async function messageOf(thrown: unknown): Promise<string | undefined> {
  return /<h1 tabindex="0">(.*?)<\/h1>/s.exec((await browse(thrown)).text)?.[1];
}

/** Returns an error whose stack names a place. */
function errorAt(file: string, line: number, column = 1): Error {
  return Object.assign(new Error('x'), { stack: `Error: x\n    at own (${file}:${line}:${column})` });
}

const throwing = (...names: string[]): Error => {
  const error = new Error('never read');
  // V8 may format the stack when it is first read, and then reads the message
  void error.stack;
  const get = (): never => {
    throw new Error('A getter throws');
  };
  for (const name of names) Object.defineProperty(error, name, { get, enumerable: true });
  return error;
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('error page of unusual errors', () => {
  const values: [what: string, thrown: unknown, message: RegExp][] = [
    ['a string', 'only <text>', /^only &lt;text&gt;$/],
    ['a number', 42, /^42$/],
    ['a symbol', Symbol('mark'), /^Symbol\(mark\)$/],
    ['an object', { reason: 'none' }, /^\{ reason: &#39;none&#39; \}$/],
    ['an object without a prototype', Object.create(null), /^\[Object: null prototype\] \{\}$/],
    ['a function', () => undefined, /^\[Function/],
    ['an object with only a message', { message: 'half an error' }, /^half an error$/],
    ['an Error without a message', new RangeError(), /^No message$/],
    ['an error without a stack', Object.assign(new Error('bare'), { stack: undefined }), /^bare$/],
    [
      'an object with only a stack',
      { stack: 'Custom: from the stack\n    at x (y:1:2)' },
      /^from the stack$/,
    ],
    [
      'a stack of another name',
      { name: 'Other', stack: 'Custom: from it\n    at /nowhere/x.js:1:2' },
      /^Custom: from it$/,
    ],
    [
      'an object that cannot be inspected',
      {
        get [Symbol.toStringTag]() {
          throw new Error('no tag');
        },
      },
      /cannot be read|toStringTag/,
    ],
    ['an error whose stack is not a string', Object.assign(new Error('listed'), { stack: [1] }), /^listed$/],
    ['a message getter that throws', throwing('message'), /^never read$/],
    ['getters that throw', throwing('message', 'name', 'cause', 'errors', 'code'), /^never read$/],
    ['a stack getter that throws', throwing('stack', 'name'), /^never read$/],
  ];
  for (const [what, thrown, message] of values) {
    test(`thrown: shows the message of ${what}`, async () => {
      assert.match((await messageOf(thrown)) ?? 'no page', message);
    });
  }

  test('thrown: shows a message for a revoked proxy', async () => {
    assert.match((await messageOf(revoked())) ?? '', /revoked|cannot be read|Proxy/);
  });

  test('messages: are truncated if they are long', async () => {
    const { body } = await browse(new Error('x'.repeat(5_000_000)));
    assert.ok(body.length < 250_000, String(body.length));
    const { text } = await browse(new Error('y'.repeat(5_000_000)));
    assert.match(text, /error-page\.errors\.test/);
    assert.match((await messageOf(new Error('x'.repeat(20_000))))!, /… \(10000 more characters\)$/);
  });

  test('causes: stop at a cycle and are limited in number', async () => {
    const first: Error & { cause?: unknown } = new Error('first');
    first.cause = new Error('second', { cause: first });
    const { text } = await browse(first);
    assert.equal(text.match(/<h2>Caused by/g)!.length, 1);
    let chain = new Error('innermost');
    for (let i = 0; i < 1000; i++) chain = new Error(`link ${i}`, { cause: chain });
    const long = await browse(chain);
    assert.equal(long.text.match(/<h2>Caused by/g)!.length, 11);
  });

  test('causes: shows lists without errors as properties, and ignores revoked proxies', async () => {
    const { text } = await browse(Object.assign(new Error('x'), { errors: [{ path: 'name' }] }));
    assert.doesNotMatch(text, /<h2>Contained error/);
    assert.match(text, /path: &#39;name&#39;|path: 'name'/);
    const proxied = await browse(Object.assign(new Error('x'), { errors: revoked() }));
    assert.match(proxied.text, /<h1/);
  });

  test('properties: are shown in short form, whatever they are', async () => {
    const deep = { a: { b: { c: { d: { e: 1 }, list: [[]] } } } };
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key${i}`, i]));
    const values = {
      deep,
      many,
      list: new Array<number>(1000).fill(7),
      bytes: Buffer.from('secret'),
      at: new Date(0),
      run: () => undefined,
      inner: new Error('inner'),
      proxy: revoked(),
      nothing: null,
      big: 10n,
      ['__proto__']: 'own',
    };
    const { text } = await browse(Object.assign(new Error('x'), values));
    for (const part of [
      '[Object]',
      '[Array]',
      '10 more',
      '6 bytes',
      ...words('1970-01-01 [Function] [inner] [Proxy] 10n'),
    ]) {
      assert.ok(text.includes(part), part);
    }
    const proxy = new Proxy(new Error('closed'), {
      ownKeys() {
        throw new Error('no');
      },
    });
    assert.match((await browse(proxy)).text, /<h1 tabindex="0">closed</);
  });

  test('stacks: are truncated if they have a thousand frames', async () => {
    const calls = Array.from({ length: 1000 }, (_, i) => `    at own${i} (/nowhere/a.js:${i}:1)`);
    const { text } = await browse(
      Object.assign(new Error('x'), { stack: ['Error: x', ...calls].join('\n') }),
    );
    assert.match(text, />own199</);
    assert.doesNotMatch(text, />own200</);
  });

  test('stacks: without frames or without places are reported as such or shown unchanged', async () => {
    assert.match((await browse('text')).text, /There is no stack/);
    const bare = Object.assign(new Error('x'), { stack: 'Error: x\n    at /nowhere/a.js:1:2' });
    assert.match((await browse(bare)).text, />anonymous<\/span>/);
    const eval1 = Object.assign(new Error('x'), {
      stack: 'Error: x\n    at eval (eval at run (/a.js:1:2), <anonymous>:1:1)',
    });
    assert.match((await browse(eval1)).text, /eval at run/);
    const nodes = Object.assign(new Error('x'), { stack: 'Error: x\n    at emit (node:events:1:2)' });
    assert.match((await browse(nodes)).text, /1 frame of Node\.js/);
  });

  test('stacks: show the nearest package if no frame is from the program', async () => {
    const stack = 'Error: x\n    at emit (node:events:1:2)\n    at q (/app/node_modules/pg/a.js:1:2)';
    const { text } = await browse(Object.assign(new Error('x'), { stack }));
    assert.match(text, /<li class="plain"><span class="function">q<\/span>.*1 frame of Node\.js/s);
  });

  test('sources: show the surrounding lines, with tabs, carriage returns and the end of the file', async () => {
    const file = write('short.js', 'one();\r\n\ttwo(); // b\r\nthree();');
    const { text } = await browse(errorAt(file, 3));
    assert.match(text, /<i>1<\/i><span class="name">one<\/span>\(\);<\/span>/);
    assert.match(text, /marked"><i>3<\/i>/);
    assert.doesNotMatch(text, /<i>4<\/i>/);
  });

  test('sources: show only the part of a long line around the column', async () => {
    const file = write('bundle.js', `${'a'.repeat(500_000)}HERE${'b'.repeat(500_000)}`);
    const { text, body } = await browse(errorAt(file, 1, 500_001));
    assert.match(text, /…a+<mark>HEREb+<\/mark>…/);
    assert.ok(body.length < 20_000);
    assert.match((await browse(errorAt(file, 1, 9_999_999))).text, /…b+</);
    assert.match((await browse(errorAt(file, 1, 3))).text, /<i>1<\/i>aa<mark>a+<\/mark>…/);
  });

  test('sources: are not read if not source code, missing, too large or not on this machine', async () => {
    const secret = write('.env', 'SECRET=hush');
    const text = write('data.txt', 'hush');
    const large = write('large.js', `hush\n${'x'.repeat(5 * 1024 * 1024)}`);
    fs.mkdirSync(path.join(home, 'folder.js'));
    const files = [
      secret,
      text,
      large,
      path.join(home, 'folder.js'),
      path.join(home, 'none.js'),
      '//server/share/a.js',
      'relative.js',
      '/etc/passwd',
    ];
    for (const file of files) {
      const answer = await browse(errorAt(file, 1));
      assert.match(answer.text, /<h1/);
      assert.doesNotMatch(answer.text, /hush|class="source"/, file);
    }
    const past = await browse(errorAt(write('past.js', 'one line'), 100));
    assert.doesNotMatch(past.text, /class="source"/);
  });

  test('sources: highlighting never changes the text', async () => {
    const line = 'const a = `x ${1}` + "<b>" + \'y\' /* c */ || /re/.test(2); // d';
    const { text } = await browse(errorAt(write('colours.ts', line), 1));
    const shown = /marked"><i>1<\/i>(.*?)<\/span><\/code>/s.exec(text)![1]!;
    const plain = shown
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>');
    assert.equal(plain.replaceAll('&quot;', '"').replaceAll('&#39;', "'"), line);
    for (const kind of ['keyword', 'text', 'comment', 'number', 'name'])
      assert.match(shown, new RegExp(kind));
  });

  test('sources: mark the word or character at the column, wherever it is in the line', async () => {
    const file = write('columns.js', '\t\tconst a = `${b.name}` + "🙂"; // e\r\nnext();');
    const marks: [column: number, marked: string | undefined][] = [
      [0, undefined],
      [3, 'const'],
      [5, 'nst'],
      [16, 'b'],
      [18, 'name'],
      [26, undefined],
      [27, '&quot;'],
      [28, '🙂'],
      [35, undefined],
      [9_999, undefined],
    ];
    for (const [column, marked] of marks) {
      const { text } = await browse(errorAt(file, 1, column));
      assert.equal(/<mark>(.*?)<\/mark>/.exec(text)?.[1], marked, String(column));
    }
    const { text } = await browse(errorAt(file, 1, 18));
    assert.match(text, /<span class="text">`\$\{b\.<mark>name<\/mark>\}`<\/span>/);
  });

  test('sources: positions come from source maps if Node uses them', () => {
    write(
      'mapped.ts',
      'type A = string;\n\nexport function fail(): A {\n  throw new Error("mapped"); // here\n}\n',
    );
    write(
      'start.ts',
      `import { fail } from './mapped';
const app = require(process.env.FRAMEWORK!)();
app.get('/', () => fail());
app.inject({ headers: { accept: 'text/html', cookie: '${OPENED}' } }).then(({ text }: any) => console.log(text()));`,
    );
    const outfile = path.join(home, 'out.js');
    buildSync({
      entryPoints: [path.join(home, 'start.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      sourcemap: 'inline',
    });
    const env = { ...process.env, FRAMEWORK: path.join(__dirname, '../../../ristretto') };
    const { stdout } = spawnSync(process.execPath, ['--enable-source-maps', outfile], {
      encoding: 'utf8',
      env,
    });
    assert.match(stdout, /mapped\.ts:4:9/);
    assert.match(stdout, /marked"><i>4<\/i>.*here/);
  });

  test('failures: sends the page of Express if the error page itself fails', async () => {
    const app = web().set('error logger', () => undefined);
    app.use((req, _res, next) => {
      Object.defineProperty(req.headers, 'sec-fetch-site', {
        get() {
          throw new Error('cannot be read');
        },
      });
      next(new Error('the first'));
    });
    const { status, text } = await ask(app, { headers: { Accept: 'text/html', Cookie: OPENED } });
    assert.equal(status, 500);
    assert.match(text, /<pre>Error: the first<br>/);
  });

  test('requests: omits members that throw or have unusual values', async () => {
    const app = web().set('error logger', () => undefined);
    app.use((req, _res, next) => {
      Object.defineProperty(req, 'query', {
        get() {
          throw new Error('no query');
        },
      });
      Object.defineProperty(req, 'matchedPath', { value: 5 });
      Object.assign(req, { body: [1, 'two'], originalUrl: undefined });
      Object.defineProperty(req, 'headers', {
        value: new Proxy(req.headers, { ownKeys: () => [1] as never }),
      });
      next(new Error('x'));
    });
    const { text } = await ask(app, { path: '/a', headers: { Accept: 'text/html', Cookie: OPENED } });
    assert.match(text, /<dd class="mono">\/a</);
    assert.match(text, /whole value<\/dt><dd class="mono">\[ 1, &#39;two&#39; \]/);
    const closed = web().set('error logger', () => undefined);
    closed.use((req, _res, next) => {
      Object.assign(req, { body: revoked() });
      next(new Error('closed body'));
    });
    const answer = await ask(closed, { path: '/a', headers: { Accept: 'text/html', Cookie: OPENED } });
    assert.match(answer.text, /<h1 tabindex="0">closed body</);
  });
});

/** Hints about common errors, and the log of unhandled errors in development. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { viewerToken } from '@ristretto/private-engine/lib/dev/error-page/viewer';
import web from 'ristretto';
import { mistakeIn } from '@ristretto/private-engine/lib/dev/json-text';
import { hintsFor } from '@ristretto/private-engine/lib/dev/error-page/hints';
import { readError } from '@ristretto/private-engine/lib/dev/error-page/read-error';
import { inEnvironment, logged as loggedBy } from '../support/environment.js';
import { ask } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { runProgram } from '../support/warnings.js';

process.env.NODE_ENV = 'development';
delete process.env.RISTRETTO_ERROR_PAGE;

type Prepare = (app: web.Express) => unknown;

/** The cookie of a browser that has opened the link. */
const OPENED = `ristretto-error-page=${viewerToken()}`;

/** Returns what is logged to stderr in the meantime. */
async function logged(run: () => Promise<unknown>): Promise<string> {
  return (await loggedBy(() => run().then(() => sleep(20)))).join('\n');
}

/** Returns the hints on the page as text, after asserting that the log has the same ones. */
async function hintsOf(prepare: Prepare, request: Ask = {}): Promise<string[]> {
  const app = web();
  prepare(app);
  let text = '';
  const log = await logged(async () => {
    const headers = { Accept: 'application/json', ...request.headers };
    ({ text } = await ask(app, { ...request, headers }));
  });
  const { hints = [] } = JSON.parse(text) as { hints?: string[] };
  const inLog = log.split('\n').filter(line => line.startsWith('Hint: '));
  assert.deepEqual(
    inLog,
    hints.map(hint => `Hint: ${hint}`),
  );
  return hints;
}

/** Returns a POST request with a body of this type. */
const posted = (type: string | undefined, body = 'a=1'): Ask => ({
  method: 'POST',
  headers: type === undefined ? {} : { 'Content-Type': type },
  body,
});

const destructuring: Prepare = app =>
  app.post('/', (req, res) => {
    const { name } = req.body as { name: string };
    res.send(name);
  });

const reading: Prepare = app =>
  app.post('/', (req, res) => {
    res.send((req.body as { user: { name: string } }).user.name);
  });

/** Prepares an application that fails with an error with these properties. */
const failing =
  (message: string, properties: object = {}): Prepare =>
  app =>
    app.use((_req, _res, next) => {
      next(Object.assign(new Error(message), properties));
    });

describe('hints about errors', () => {
  const parsers: [type: string, advice: RegExp][] = [
    ['application/json; charset=utf-8', /`app\.use\(web\.json\(\)\)`/],
    ['application/json; charset=', /Content-Type, because it is malformed/],
    ['application/vnd.api+json', /`app\.use\(web\.json\(\)\)`/],
    ['application/x-www-form-urlencoded', /`app\.use\(web\.urlencoded\(\{ extended: true \}\)\)`/],
    ['multipart/form-data; boundary=x', /multer/],
    ['text/csv', /`app\.use\(web\.text\(\)\)`/],
    ['application/octet-stream', /`app\.use\(web\.raw\(/],
  ];
  for (const [type, advice] of parsers) {
    test(`req.body: names the parser for ${type}`, async () => {
      for (const prepare of [destructuring, reading]) {
        const [hint] = await hintsOf(prepare, posted(type));
        assert.match(hint!, advice);
        assert.ok(hint!.includes(`\`${type}\``));
      }
    });
  }

  test('req.body: the hint is on the page', async () => {
    const app = web().set('error logger', () => undefined);
    destructuring(app);
    const { headers, ...request } = posted('text/plain');
    const { text } = await ask(app, {
      ...request,
      headers: { ...headers, Accept: 'text/html', Cookie: OPENED },
    });
    assert.match(
      text,
      /<p class="hint"><code>req\.body<\/code> was not parsed.*<code>app\.use\(web\.text\(\)\)<\/code>/,
    );
  });

  test('req.body: says that the request has no Content-Type', async () => {
    assert.match((await hintsOf(destructuring, posted(undefined)))[0]!, /has no `Content-Type`/);
  });

  test('req.body: detects an empty object that another parser has set', async () => {
    const prepare: Prepare = app => {
      app.use(web.json());
      reading(app);
    };
    assert.match((await hintsOf(prepare, posted('application/x-www-form-urlencoded')))[0]!, /urlencoded/);
    assert.deepEqual(await hintsOf(prepare, posted('application/json', '{}')), []);
    assert.deepEqual(await hintsOf(prepare, posted('application/json', '{"a":1}')), []);
  });

  test('req.body: is not named as the cause of other errors', async () => {
    const other: Prepare = app =>
      app.post('/', () => {
        const nothing = undefined as unknown as { name: string };
        return nothing.name;
      });
    assert.deepEqual(await hintsOf(other, posted('application/json')), []);
    const range: Prepare = app =>
      app.post('/', (_req, _res, next) => next(new RangeError('body of undefined')));
    assert.deepEqual(await hintsOf(range, posted('application/json')), []);
    assert.deepEqual(
      hintsFor(readError(new TypeError("Cannot read properties of undefined (reading 'body')")), undefined),
      [],
    );
  });

  test('req.session and similar properties: names the middleware that sets them', async () => {
    const prepare: Prepare = app =>
      app.get('/', (req, res) => {
        res.send((req as unknown as { session: { user: string } }).session.user);
      });
    assert.match((await hintsOf(prepare))[0]!, /`req\.session` is not set\. `express-session` sets it/);
    const withSession: Prepare = app => {
      app.use((req, _res, next) => {
        Object.assign(req, { session: {} });
        next();
      });
      app.get('/', req => (req as unknown as { session: { user: { name: string } } }).session.user.name);
    };
    assert.deepEqual(await hintsOf(withSession), []);
  });

  test('missing modules: says what to install', async () => {
    const prepare: Prepare = app => app.get('/', (_req, res) => res.render('index.nosuchengine'));
    const withView: Prepare = app => {
      const folder = fs.mkdtempSync(path.join(__dirname, '.own-'));
      fs.writeFileSync(path.join(folder, 'index.nosuchengine'), '');
      app.set('views', folder);
      process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
      prepare(app);
    };
    assert.deepEqual(await hintsOf(withView), ['Install the package: `npm install nosuchengine`']);
    const code = 'MODULE_NOT_FOUND';
    const scoped = failing("Cannot find module '@scope/name/file'", { code });
    assert.deepEqual(await hintsOf(scoped), ['Install the package: `npm install @scope/name`']);
    const esm = failing("Cannot find package '@scope' imported from /app/a.js", {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    assert.deepEqual(await hintsOf(esm), ['Install the package: `npm install @scope`']);
    assert.match((await hintsOf(failing("Cannot find module './a'", { code })))[0]!, /no file `\.\/a`/);
    assert.deepEqual(await hintsOf(failing('something else', { code })), []);
  });

  test('views: says where they are looked up', async () => {
    const views = [path.join(__dirname, 'one'), path.join(__dirname, 'two')];
    const prepare: Prepare = app => {
      app.engine('html', () => undefined);
      app.set('views', views);
      app.get('/', (_req, res) => res.render('missing.html'));
    };
    const [hint] = await hintsOf(prepare);
    for (const folder of views) assert.ok(hint!.includes(`\`${path.join(folder, 'missing.html')}\``), hint);
    const single: Prepare = app => {
      app.set('view engine', 'html').engine('html', () => undefined);
      app.get('/', (_req, res) => res.render('missing'));
    };
    assert.ok((await hintsOf(single))[0]!.includes('missing.html`'));
    assert.deepEqual(await hintsOf(failing('Failed to lookup view "x" in views directory "y"')), []);
    const none: Prepare = app => app.get('/', (_req, res) => res.render('missing'));
    assert.match((await hintsOf(none))[0]!, /app\.set\('view engine', 'ejs'\)/);
  });

  test('connections: says what refuses them', async () => {
    const real: Prepare = app =>
      app.get('/', (_req, _res, next) => {
        net.connect(1, '127.0.0.1').on('error', next);
      });
    assert.deepEqual(await hintsOf(real), ['Nothing listens on `127.0.0.1:1`. Is the service running?']);
    const refused = Object.assign(new Error('connect'), { address: '::1', port: 5432 });
    const several = failing('', { code: 'ECONNREFUSED', errors: [refused] });
    assert.deepEqual(await hintsOf(several), ['Nothing listens on `::1:5432`. Is PostgreSQL running?']);
    assert.deepEqual(await hintsOf(failing('x', { code: 'ECONNREFUSED' })), ['Is the service running?']);
    const taken = failing('listen', { code: 'EADDRINUSE', port: 3000 });
    assert.match((await hintsOf(taken))[0]!, /port 3000/);
  });

  test('files: names the folder that a relative path is resolved against', async () => {
    const prepare =
      (file: string): Prepare =>
      app =>
        app.get('/', (_req, _res, next) => {
          fs.readFile(file, next);
        });
    assert.ok((await hintsOf(prepare('no/such/file')))[0]!.includes(process.cwd()));
    assert.deepEqual(await hintsOf(prepare('/no/such/file')), [
      'There is no `/no/such/file`. If that can happen, catch the error and send a 404.',
    ]);
    assert.deepEqual(await hintsOf(failing('x', { code: 'ENOENT' })), []);
  });

  test('bodies: says how to raise the limit', async () => {
    const prepare: Prepare = app => app.use(web.json({ limit: 10 }));
    assert.match(
      (await hintsOf(prepare, posted('application/json', '[1,2,3,4,5,6,7]')))[0]!,
      /limit of 10 bytes/,
    );
  });

  test('JSON: says what is wrong with the body and where', async () => {
    const rows: [text: string, problem: string | undefined][] = [
      [
        '{"a": 1,\n "items": [{"b": 1 "c": 2}]}',
        `',' or '}' in body.items[0] at line 2, column 20, got "\\"".`,
      ],
      ['{"a b": [1, 2', `',' or ']' in body["a b"] at line 1, column 14, the text ends.`],
      ['{a: 1}', 'a name in double quotes in body at line 1, column 2, got "a".'],
      ['{"a" 1}', `':' after "a" in body at line 1, column 6, got "1".`],
      ['{"a": tru}', 'a value in body.a at line 1, column 7, got "t".'],
      ['[1, 01]', 'a value in body[1] at line 1, column 5, got "0".'],
      ['[1,]', 'a value in body[1] at line 1, column 4, got "]".'],
      ['{} x', 'the end in body at line 1, column 4, got "x".'],
      [' ', 'a value in body at line 1, column 2, the text ends.'],
      ['["a\tb"]', 'a valid escape sequence in body[0] at line 1, column 4, got "\\t".'],
      ['{"a": "\\x"}', 'a valid escape sequence in body.a at line 1, column 8, got "\\\\".'],
      ['{"a', 'a closing quote in body at line 1, column 4, the text ends.'],
      ['["a]', 'a closing quote in body[0] at line 1, column 5, the text ends.'],
    ];
    for (const [text, problem] of rows) {
      const hints = await hintsOf(
        app => app.use(web.json({ strict: false })),
        posted('application/json', text),
      );
      assert.deepEqual(hints, [`The body is not JSON: expected ${problem!}`], text);
    }
    for (const text of ['{}', '[]', '{"a":[1.5e+3,-0,null,true,"x\\u0041\\n"]} ', '7']) {
      assert.equal(mistakeIn(text), undefined);
    }
    const strict: Prepare = app => app.use(web.json());
    assert.deepEqual(await hintsOf(strict, posted('application/json', '7')), []);
    const reviver = (): never => {
      throw new SyntaxError('own');
    };
    const revived: Prepare = app => app.use(web.json({ reviver }));
    assert.deepEqual(await hintsOf(revived, posted('application/json', '{}')), []);
    const form: Prepare = app => app.use(web.urlencoded({ extended: true }));
    assert.deepEqual(await hintsOf(form, posted('application/x-www-form-urlencoded; charset=x')), []);
  });

  test('JSON: the error is unchanged, because Express sends its stack to clients', async () => {
    const build = (framework: Web): never => {
      const app = framework().set('env', 'development').use(framework.json());
      app.use((error, _req, res, _next) =>
        res.json([error.message, error.body, error.stack.split('\n    at')[0]]),
      );
      return app as never;
    };
    await same(build, posted('application/json', '{a}'));
  });

  test('failures: a member that throws produces no hint', async () => {
    const prepare: Prepare = app =>
      app.use((req, _res, next) => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        req.body = proxy;
        next(new TypeError("Cannot read properties of undefined (reading 'x') of body"));
      });
    assert.deepEqual(await hintsOf(prepare), []);
  });

  test('express: is not used as the name if a tool formats traces in its own way', () => {
    const error = readError(
      new TypeError("Cannot destructure property 'a' of 'req.body' as it is undefined."),
    );
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => 'formatted';
    try {
      const [hint] = hintsFor(error, { headers: { 'content-type': 'application/json' } });
      assert.match(hint!, /`app\.use\(web\.json\(\)\)`/);
    } finally {
      Error.prepareStackTrace = prepareStackTrace!;
    }
  });

  test('express: is the name of the framework if it is installed under this name', () => {
    const home = fs.mkdtempSync(path.join(__dirname, '.own-'));
    try {
      const target = path.join(home, 'node_modules/express');
      for (const part of words(`
        lib/dev lib/modules.js lib/report lib/protocol lib/deferred.js lib/realms.js lib/shown.js
      `)) {
        fs.cpSync(path.resolve(__dirname, '../..', part), path.join(target, part), {
          recursive: true,
        });
      }
      const name = path.join(target, 'lib/dev/error-page/');
      const program = `
        require(${JSON.stringify(path.join(target, 'lib/report/development'))}).noteVersionRoot(${JSON.stringify(path.join(target, 'lib'))});
        const { hintsFor } = require(${JSON.stringify(`${name}hints`)});
        const { readError } = require(${JSON.stringify(`${name}read-error`)});
        const error = new TypeError("Cannot destructure property 'a' of 'req.body' as it is undefined.");
        seen.push(...hintsFor(readError(error), { headers: { 'content-type': 'application/json' } }));`;
      assert.match(String(runProgram(program).seen[0]), /`app\.use\(express\.json\(\)\)`/);
    } finally {
      fs.rmSync(home, { recursive: true });
    }
  });
});

describe('log of errors in development', () => {
  const fail = (env?: string): web.Express => {
    const app = web().get('/', function handler(_req, _res, next) {
      next(new Error('outer', { cause: new Error('inner') }));
    });
    return env === undefined ? app : app.set('env', env);
  };

  test('stacks: begin with the frames of the program, fold the others into one line, and end with the causes', async () => {
    const log = await logged(() => ask(fail()));
    assert.match(
      log,
      /^Error: outer\n {4}at .*hints\.test\.ts:\d+:\d+\)?\n {4}at … \d+ frames of ristretto[^\n]*\nCaused by: Error: inner\n {4}at /,
    );
  });

  test('error.stack: is unchanged', async () => {
    const error = new Error('kept');
    const { stack } = error;
    await logged(() => ask(web().use((_req, _res, next) => next(error))));
    assert.equal(error.stack, stack);
  });

  test('env: with another value, or if switched off, logs the same as Express', async () => {
    const expected = /^Error: outer\n(?: {4}at [^…\n]*(?:\n|$))+$/;
    assert.match(await logged(() => ask(fail('production'))), expected);
    assert.match(await logged(() => ask(fail().disable('error page'))), expected);
    const off = { RISTRETTO_ERROR_PAGE: 'off' };
    assert.match(await inEnvironment(off, () => logged(() => ask(fail()))), expected);
    assert.equal(await logged(() => ask(fail('test'))), '');
  });

  test('unusual errors: are logged as completely as possible', async () => {
    const bare = Object.assign(Object.create(null) as object, { reason: 'x' });
    const log = await logged(() => ask(web().use((_req, _res, next) => next(bare))));
    assert.match(log, /reason: 'x'/);
  });

  test('app.inject: logs the same', () => {
    const { stderr } = runProgram(`
      const app = web();
      app.post('/', function handler(req) { const { name } = req.body; });
      app.inject({ method: 'POST', body: { name: 'Ada' } });`);
    assert.match(
      stderr,
      /as it is undefined\.\n {4}at handler .*\n {4}at … \d+ frames of .*\nHint: .*web\.json\(\)/s,
    );
  });

  test('files: shows no hint about a missing file if the client gets a 404 anyway', async () => {
    const missing = { code: 'ENOENT', path: __filename };
    assert.match((await hintsOf(failing('x', missing))).join(), /There is no/);
    assert.deepEqual(await hintsOf(failing('x', { ...missing, status: 404 })), []);
  });

  test('uploads: without a status, the hint names the setting, which sets one', async () => {
    const failing = (app: web.Express): void => {
      app.use((_req, _res, next) =>
        next(Object.assign(new Error('x'), { name: 'MulterError', code: 'LIMIT_FILE_SIZE' })),
      );
    };
    assert.match((await hintsOf(failing)).join(), /it has no status.*'error format'/);
    const set = (app: web.Express): void => failing(app.set('error format', 'problem'));
    assert.deepEqual(await hintsOf(set), []);
  });
});

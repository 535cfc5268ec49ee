// runs: slow
/**
 * Warnings about listening, connections and settings, and what they learn from the source text of handlers.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { factoryCall, paramsRead, usesBody } from '@ristretto/private-engine/lib/dev/handler-source';
import { isOneEditAway } from '@ristretto/private-engine/lib/dev/setting-names.js';
import { words } from '../support/random.js';
import { LONGEST_WAIT } from '../support/until.js';
import { runProgram, warningsOf } from '../support/warnings.js';
import { runApp } from '../support/watched-app.js';

/** Listens twice on one port. */
function listenTwice(
  more = '',
  env: Record<string, string> = {},
  options = 'port',
): { status: number | null; stderr: string } {
  const inherited = { ...process.env };
  delete inherited.RISTRETTO_WARNINGS;
  delete inherited.NODE_ENV;
  const program = `
    const web = require('ristretto');
    const first = web().listen(0, () => {
      const { port } = first.address();
      const app = web();
      ${more}
      const server = app.listen(${options});
      if (${more.includes('LISTENER')}) server.on('error', error => { console.error('taken ' + error.code); process.exit(7); });
    });`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: path.join(__dirname, '../../../ristretto'),
    encoding: 'utf8',
    env: { ...inherited, ...env },
    timeout: LONGEST_WAIT,
  });
  return { status, stderr };
}

/** Mistakes with app.listen: text that is not a port, and a port that is in use. */
describe('warnings', () => {
  test('listen: warns about undefined, and a string that is neither a port nor a path', () => {
    const program = `
      const end = server => server.on('error', () => {}).close();
      end(web().listen('abc'));
      end(web().listen('localhost:3000'));
      const folder = process.platform === 'win32' ? '//./pipe' : require('node:os').tmpdir();
      const socket = folder + '/ristretto-' + process.pid + '.sock';
      for (const value of ['0', 0, socket]) end(web().listen(value));
      end(web().listen());
      end(web().listen(undefined, () => {}));
      end(web().disable('development warnings').listen('abc'));
      end(web().disable('development warnings').listen(undefined));`;
    const text = (value: string): string =>
      `app.listen() got '${value}', which is not a port: the server listens on a UNIX socket of that name. ` +
      `Pass a number, or './${value}' if you mean a socket.`;
    assert.deepEqual(
      warningsOf(program).map(({ code, message, detail }) => [code, message, detail]),
      [
        ['RISTRETTO_LISTEN', text('abc'), '    at [eval]:3:17'],
        ['RISTRETTO_LISTEN', text('localhost:3000'), '    at [eval]:4:17'],
        [
          'RISTRETTO_LISTEN',
          'app.listen() got undefined in place of a port, so the system chooses one at random. If the environment has ' +
            'the port, pass Number(process.env.PORT ?? 3000); for any free port, pass 0.',
          '    at [eval]:9:17',
        ],
      ],
    );
  });

  test('port in use: prints one line and exits with code 1', () => {
    for (const options of ['port', '{ port, http2: true }']) {
      const { status, stderr } = listenTwice('', {}, options);
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^Port \d+ is in use \(EADDRINUSE\)\. To find out which program uses it: .*\d+; app\.listen\(\) was called at \[eval\]:\d+:\d+\n$/m,
      );
      assert.doesNotMatch(stderr, /^ {4}at /m);
    }
  });

  test('copies of the framework: only the last one listens for uncaught errors', () => {
    const { seen, warnings } = runProgram(`
      (async () => {
        for (let copy = 0; copy < 12; copy++) {
          for (const file of Object.keys(require.cache)) delete require.cache[file];
          await require('ristretto')().get('/', (req, res) => res.end()).inject('/');
        }
        seen.push(process.listenerCount('uncaughtExceptionMonitor'));
      })();`);
    assert.deepEqual([seen, warnings], [[1], []]);
  });

  test('port in use: a program that handles the error receives it', () => {
    const rows: [more: string, status: number, text: RegExp][] = [
      ['/* LISTENER */', 7, /^taken EADDRINUSE\n$/],
      [
        "process.on('uncaughtException', error => { console.error('caught ' + error.code); process.exit(8); });",
        8,
        /^caught EADDRINUSE\n$/,
      ],
      [
        "process.on('uncaughtExceptionMonitor', error => console.error('seen ' + error.code));",
        1,
        /seen EADDRINUSE\n[^]*Error: listen EADDRINUSE/,
      ],
      ['process.setUncaughtExceptionCaptureCallback(() => process.exit(9));', 9, /^$/],
      ["app.disable('development warnings');", 1, /Error: listen EADDRINUSE/],
    ];
    for (const [more, code, text] of rows) {
      const { status, stderr } = listenTwice(more);
      assert.equal(status, code, more);
      assert.match(stderr, text);
    }
    const { status, stderr } = listenTwice('', { NODE_ENV: 'production' });
    assert.equal(status, 1);
    assert.match(stderr, /Error: listen EADDRINUSE/);
  });

  test('port in use: does not affect other errors', () => {
    const { status, stderr } = listenTwice('', {}, "'/nowhere/at/all.sock'");
    assert.equal(status, 1);
    assert.match(stderr, /Error: listen E[A-Z]+: .*nowhere/);
  });
});

const codesOf = (warnings: string[]): string[] => warnings.map(text => text.split(':')[0]!);

/** Middleware that creates a session like that of express-session, with `cookie` and data. */
const SESSION = `
  const session = (cookie, data = { user: 1 }) => (req, res, next) => { req.session = { cookie, ...data }; next(); };
  const send = (req, res) => res.send('sent');`;

/** Warnings about the connection to the client: proxies that are not trusted, and cookies that need TLS. */
describe('warnings', () => {
  test('X-Forwarded: warns once about a proxy if trust proxy was never set', () => {
    const program = "app.get('/', (req, res) => res.send(req.ip));";
    const { warnings, seen } = runApp(program, [
      ['/', { 'X-Forwarded-For': '192.0.2.1' }],
      ['/', { 'X-Forwarded-Proto': 'https' }],
      ['/', { 'X-Forwarded-Host': 'example.com' }],
    ]);
    assert.deepEqual(codesOf(warnings), ['RISTRETTO_UNTRUSTED_PROXY']);
    assert.match(warnings[0]!, /Behind a proxy, set it .*app\.set\('trust proxy', 1\)/);
    assert.equal(seen.length, 3);
  });

  test('X-Forwarded: does not warn if the program has set trust proxy, or without these headers', () => {
    const program = "app.get('/', (req, res) => res.send(req.ip));";
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    for (const value of ['1', 'false']) {
      const sub = `app.set('trust proxy', ${value}); app.use('/sub', web().get('/', (req, res) => res.send('x')));`;
      const { warnings } = runApp(sub + program, [
        ['/', headers],
        ['/sub', headers],
      ]);
      assert.deepEqual(warnings, []);
    }
    const proxy = "app.use((req, res, next) => { req.headers['x-forwarded-for'] = req.ip; next(); });";
    assert.deepEqual(runApp(proxy + program, ['/']).warnings, []);
    assert.deepEqual(runApp(program, [['/', { 'X-Real-IP': '192.0.2.1' }]]).warnings, []);
  });

  test('req.app: may be anything that a program assigned before the application received the request', () => {
    const program = `
      app.get('/:what', (req, res) => res.send(req.params.what));
      const given = { '/text': 'mine', '/null': null, '/other': { settings: 1 } };
      const listener = (req, res) => app(Object.assign(req, { app: given[req.url] }), res);
      app.listen = port => require('node:http').createServer(listener).listen(port);`;
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const { warnings, seen } = runApp(program, [
      ['/text', headers],
      ['/null', headers],
      ['/other', headers],
    ]);
    assert.deepEqual(warnings, []);
    assert.deepEqual(seen, ['text', 'null', 'other']);
  });

  test('secure session: warns if express-session sends no cookie', () => {
    const program = `${SESSION}
      app.get('/a', session({ secure: true }), send);`;
    const [warning, ...others] = runApp(program, ['/a']).warnings;
    assert.match(
      warning!,
      /^RISTRETTO_SECURE_SESSION: The session of GET \/a is lost, because its cookie is 'secure'/,
    );
    assert.deepEqual(others, []);
  });

  test('secure session: does not warn about other or empty sessions, or over TLS', () => {
    const program = `${SESSION}
      app.set('trust proxy', true);
      app.get('/auto', session({ secure: false }), send);
      app.get('/empty', session({ secure: true }, {}), send);
      app.get('/none', session(undefined), send);
      app.get('/tls', session({ secure: true }), send);
      app.get('/null', (req, res) => { req.session = null; res.send('x'); });
      app.get('/lied', (req, res, next) => { Object.defineProperty(req, 'secure', { value: false }); next(); }, session({ secure: true }), send);`;
    const tls = { 'X-Forwarded-Proto': 'https' };
    assert.deepEqual(
      runApp(program, ['/auto', '/empty', '/none', ['/tls', tls], '/null', ['/lied', tls]]).warnings,
      [],
    );
  });
});

/** Runs these lines and returns one string per warning: the two names in the message, and the place. */
function warned(lines: string[], before = ''): string[] {
  return warningsOf(`const app = web(); ${before}\n${lines.join('\n')}`).map(
    ({ message, detail }) =>
      `${[...message.matchAll(/'([^']*)'/g)].map(([, name]) => name).join(' > ')}${detail!.trimStart()}`,
  );
}

/** Warnings about names of settings. */
describe('warnings', () => {
  test('misspelt setting: an edit adds, removes or replaces one letter, or swaps two adjacent ones', () => {
    for (const text of ['view', 'vies', 'iews', 'views!', 'vievs', 'veiws', 'viwes', 'xviews', 'views'])
      assert.equal(isOneEditAway(text, 'views'), true, text);
    for (const text of ['', 'vi', 'swiev', 'reviews', 'news', 'viewers', 'veisw', 'vwies'])
      assert.equal(isOneEditAway(text, 'views'), false, text);
  });

  test('misspelt setting: warns about a name one letter off or in capital letters, with the place', () => {
    const lines = [
      "app.set('veiw engine', 'pug');",
      "app.enable('trust-proxy');",
      "app.disable('X-Powered-By');",
      "app.set('viewEngine', 'pug').set('json space', 2);",
    ];
    assert.deepEqual(warned(lines), [
      'veiw engine > view engineat [eval]:2:5',
      'trust-proxy > trust proxyat [eval]:3:5',
      'X-Powered-By > x-powered-byat [eval]:4:5',
      'viewEngine > view engineat [eval]:5:5',
      'json space > json spacesat [eval]:5:30',
    ]);
  });

  test('misspelt setting: does not warn about names of the program', () => {
    const names = words('port title tag ent env view views secret trust proxy engine');
    const lines = names.map(name => `app.set('${name}', app.get('${name}'));`);
    assert.deepEqual(
      warned([...lines, "app.set('veiws'); app.enabled('veiws'); app.get('menu');", 'app.set(Symbol(), 1);']),
      [],
    );
  });

  test('misspelt setting: warns when app.get reads it, or reads a path', () => {
    assert.deepEqual(warned(["app.get('keep-alive timeout');", 'app.listen(0, () => process.exit());']), []);
    assert.equal(warned(["app.get('veiws');", "app.get('/views');", "app.get('trust-proxy');"]).length, 3);
  });

  test('app.disable("development warnings"): silences an application and those mounted in it', () => {
    const lines = ["app.set('veiws', 'x');", "const sub = web(); app.use(sub); sub.set('veiws', 'x');"];
    assert.deepEqual(warned(lines, "app.disable('development warnings');"), []);
    assert.equal(warned(lines).length, 2);
  });
});

/** Returns functions as programs write them: the compiler of the tests would change their text. */
function written(...sources: string[]): ((...args: never[]) => unknown)[] {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text of the functions is what is tested
  return new Function(`return [${sources.join(', ')}];`)() as ((...args: never[]) => unknown)[];
}

/** What warnings learn from the source text of handlers: their parameters, and what they use of the request. */
describe('handlers, by their source', () => {
  test('a factory: is a function that takes nothing but options', () => {
    const calls = written(
      'function helmet(options) {}',
      'function middlewareWrapper(o) {}',
      '(function (options = {}) {})',
      'function f(req) {}',
      'function f(_req) {}',
      'function f(a, b) {}',
      'function f({ a }) {}',
      'function f(...options) {}',
      'options => options',
      'function f() {}',
      'function f(options) { return arguments.length; }',
      'Array.prototype.push',
    ).map(factoryCall);
    assert.deepEqual(calls.slice(0, 3), ['helmet()', 'cors()', 'f()']);
    assert.deepEqual(new Set(calls.slice(3)), new Set([undefined]));
  });

  test('parameters that are read: are found by the name of the request, once each', () => {
    const read = written(
      '(req, res) => req.params.id + req.params.id + req.params.toString',
      '(request, res) => { const { id, name: own, ...rest } = request.params; }',
      // Node's type stripping turns `(req.params as any).id` into this
      '(req, res) => { const { id } = req.params       ; return (req.params       ).name; }',
      '(req, res) => other.params.id + a.req.params.id',
      '(req, res) => { const { id } = other.params; }',
      '({ params }, res) => params.id',
      'req => req.params.id',
      '(err, req, res, next) => req.params.id',
    ).map(paramsRead);
    assert.deepEqual(read, [['id'], ['id', 'name'], ['name', 'id'], [], [], [], [], []]);
  });

  test('a body that is used: does not warn about a handler that reads the stream', () => {
    const sources = [
      '(req, res) => req.body.a',
      '(req, res) => { const { body, query } = req; }',
      '(req, res) => res.end()',
      '(req, res) => { req.on("data", f); req.body = 1; }',
      '(req, res) => pipeline(req, f(req.body))',
    ];
    assert.deepEqual(written(...sources).map(usesBody), [true, true, false, false, false]);
  });
});

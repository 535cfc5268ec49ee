// runs: slow
/** Warnings about values, the place in the program that they name, and how they are silenced. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { explainUnserializable, lostIn } from '@ristretto/private-engine/lib/dev/json-value';
import { callerPlace, frameworkRoot, placeOf } from '@ristretto/private-engine/lib/dev/place';
import { foldStack, parseStack } from '@ristretto/private-engine/lib/dev/stack';
import { noteVersionRoot, reportsMistakes } from '@ristretto/private-engine/lib/report/development';
import { buildSync } from 'esbuild';
import { inEnvironment } from '../support/environment.js';
import { ownFolder } from '../support/program.js';
import { words } from '../support/random.js';
import { runProgram, warningsOf } from '../support/warnings.js';
import { runApp } from '../support/watched-app.js';

/** Returns what `explain` adds below the message of the error that a function throws. */
function explained(run: () => void, explain: (error: unknown) => void): { message: string; stack: string[] } {
  try {
    run();
  } catch (error) {
    const { message: before } = error as Error;
    explain(error);
    const { message, stack } = error as Error;
    assert.equal(message.startsWith(before), true);
    return {
      message: message.slice(before.length).trim(),
      stack: stack!.slice(stack!.indexOf(before) + before.length).split('\n'),
    };
  }
  throw new Error('nothing was thrown');
}

const ofValue = (value: unknown): string =>
  explained(
    () => JSON.stringify(value),
    error => {
      explainUnserializable(error, value);
    },
  ).message;

/** Warnings about values passed to responses (undefined values, secrets, cookies), and errors about JSON. */
describe('warnings', () => {
  test('undefined value: warns in a redirect and a header, which are still sent', () => {
    const program = `
      app.get('/a', (req, res) => res.redirect(undefined));
      app.get('/b', (req, res) => {
        res.set('X-A', undefined);
        res.set({ 'X-B': undefined, 'X-C': 'c' }).location(undefined).end(res.get('X-A') + res.get('X-B') + res.get('Location'));
      });
      app.use('/quiet', web().disable('development warnings').get('/', (req, res) => res.set('X-A', undefined).end()));`;
    const { warnings, seen } = runApp(program, ['/a', '/b', '/quiet']);
    const code = 'RISTRETTO_UNDEFINED_VALUE';
    const advice = 'Check where the value comes from, or leave out the call.';
    assert.deepEqual(
      warnings,
      [
        `${code}: res.redirect() or res.location() got undefined, and sends the string 'undefined'. ${advice} at [eval]:3:39`,
        `${code}: res.set('X-A') got undefined, and sends the string 'undefined'. ${advice} at [eval]:5:13`,
        `${code}: res.set('X-B') got undefined, and sends the string 'undefined'. ${advice} at [eval]:6:13`,
        `${code}: res.redirect() or res.location() got undefined, and sends the string 'undefined'. ${advice} at [eval]:6:51`,
      ].sort(),
    );
    assert.deepEqual(seen, ['Found. Redirecting to undefined', 'undefinedundefinedundefined', '']);
  });

  test('lost value: is found at any depth, with its path and what to send', () => {
    const shared = {};
    const found = [
      { a: [{ 'b c': new Set([1]) }] },
      { shared, again: shared, map: new Map() },
      [Promise.resolve(1)],
      { error: new Error('a') },
    ].map(lostIn);
    assert.deepEqual(found, [
      'a Set in value.a[0]["b c"], of which JSON has only {}. Send [...value.a[0]["b c"]].',
      'a Map in value.map, of which JSON has only {}. Send Object.fromEntries(value.map).',
      'a promise in value[0], of which JSON has only {}. Send what it resolves to: await value[0].',
      'an Error in value.error, of which JSON has only {}. Send what clients may see of it, such as value.error.message.',
    ]);
    const kept = [
      Object.assign(new Error('a'), { code: 'b' }),
      Object.assign(new Error('a'), { toJSON: () => 'a' }),
      { toJSON: () => 'a', map: new Map() },
      'text',
      null,
      // Not examined to the end
      [...Array.from({ length: 10_001 }, () => ({})), new Map()],
    ];
    assert.deepEqual(new Set(kept.map(lostIn)), new Set([undefined]));
  });

  test('early hints: a link that cannot be sent is reported where it is passed', () => {
    const program = `
      app.get('/a', (req, res) => {
        res.earlyHints('/app.css').earlyHints({ preload: { href: '/b', title: 'a\\nb' } }).end('sent');
      });`;
    const { warnings, seen } = runApp(program, ['/a']);
    const message = 'RISTRETTO_EARLY_HINT: res.earlyHints() leaves out the link ';
    assert.deepEqual(
      warnings,
      [
        `${message}"/app.css": it is not of the form '</app.css>; rel=preload; as="style"'. at [eval]:4:13`,
        `${message}${JSON.stringify('</b>; rel="preload"; title="a\nb"')}: it contains a character that headers cannot contain. at [eval]:4:36`,
      ].sort(),
    );
    assert.deepEqual(seen, ['sent']);
  });

  test('undefined value: members that a tool calls on its own object still work', () => {
    const program = `
      const headers = {};
      web.response.set.call({ setHeader: (name, value) => (headers[name] = value) }, 'X-A', undefined);
      seen.push(headers);`;
    assert.deepEqual(runApp(program, []).seen, [{ 'X-A': 'undefined' }]);
  });

  test('cookie secret: warns when a short secret signs a cookie', () => {
    const sign = "(req, res) => res.cookie('a', 'b', { signed: true }).end('x')";
    const program = `
      app.get('/short', (req, res, next) => { req.secret = 'keyboard cat'; next(); }, ${sign});
      app.get('/long', (req, res, next) => { req.secret = 'x'.repeat(16); next(); }, ${sign});
      app.get('/key', (req, res, next) => { req.secret = require('node:crypto').createSecretKey(Buffer.alloc(32)); next(); }, ${sign});`;
    const { warnings, seen } = runApp(program, ['/short', '/long', '/key']);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0]!,
      /^RISTRETTO_SHORT_SECRET: The secret of signed cookies has 12 characters\..* at \[eval\]:3:\d+$/,
    );
    assert.deepEqual(seen.slice(0, 2), ['x', 'x']);
  });

  test('secure cookie: warns over plain HTTP, unless browsers keep the cookie anyway', () => {
    const program = `
      app.set('trust proxy', true);
      app.get('/', (req, res) => res.cookie('sid', 'b', { secure: true }).end('x'));
      app.get('/plain', (req, res) => res.cookie('sid', 'b').end('x'));`;
    const code = (host: string, path = '/', more = {}): string[] =>
      runApp(program, [[path, { host, ...more }]]).warnings.map(text => text.slice(0, text.indexOf(' is ')));
    assert.deepEqual(code('example.com'), ["RISTRETTO_SECURE_COOKIE: The cookie 'sid'"]);
    assert.deepEqual(code('example.com', '/', { 'X-Forwarded-Proto': 'https' }), []);
    assert.deepEqual(code('example.com', '/plain'), []);
    for (const host of ['localhost:3000', 'a.localhost', '127.0.0.1', '[::1]:80'])
      assert.deepEqual(code(host), [], host);
  });

  test('cookie options: warns about text and domains that cannot work, and no others', () => {
    const program = `
      const send = options => (req, res) => {
        try { res.cookie('sid', 'b', options); } catch {}
        res.end('x');
      };
      app.get('/words', send({ maxAge: 'one hour' }));
      app.get('/digits', send({ maxAge: '1000', sameSite: 'none', secure: true, domain: '.example.com' }));
      app.get('/other', send({ domain: 'example.org' }));`;
    const of = (path: string, host = 'localhost'): string[] => runApp(program, [[path, { host }]]).warnings;
    assert.match(of('/words')[0]!, /maxAge: 'one hour'.* Write 60 \* 60 \* 1000 for one hour\./);
    assert.match(of('/other')[0]!, /for the domain 'example\.org' but the request is for localhost/);
    assert.deepEqual(
      of('/digits', 'www.example.com').map(text => text.split(':')[0]),
      ['RISTRETTO_SECURE_COOKIE'],
    );
    assert.deepEqual(
      of('/digits', 'localhost').filter(text => text.includes('maxAge')),
      [],
    );
  });

  test('res.status and res.redirect: do not warn about what can be sent, or leads elsewhere', () => {
    const program = `
      app.get('/text', (req, res) => res.status('404').end('x'));
      app.get('/cookie', (req, res) => res.cookie('a', 'b').redirect('/cookie'));
      app.get('/loop', (req, res) => res.redirect('/loop'));`;
    const of = (path: string): string[] => runApp(program, [path]).warnings.map(text => text.split(':')[0]!);
    assert.deepEqual([of('/text'), of('/cookie')], [[], []]);
    assert.deepEqual(of('/loop'), ['RISTRETTO_REDIRECT_LOOP']);
  });

  test('parsers of bytes: warns behind a JSON parser that consumes their type', () => {
    const program = `
      const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };
      const end = (req, res) => res.end('x');
      app.post('/same', web.json(), web.raw({ type: '*/*' }), end);
      app.use(web.json());
      app.post('/other', web.text({ type: 'text/*' }), end);
      app.use('/mounted', web.text({ type: '*/*' }), end);
      app.use(web.raw({ type: '*/*' }));
      app.post('/all', end);
      const asked = (async () => {
        for (const url of ['/same', '/other', '/mounted', '/all']) await app.inject({ url, ...json });
      })();`;
    assert.deepEqual(
      runApp(program, []).warnings.map(text => text.replace(/, so that.*/, '')),
      ['RISTRETTO_PARSED_BODY: An earlier parser has read the body of POST /mounted'],
    );
  });

  test('res.json: the error names the path of a circular reference or a BigInt', () => {
    const item: Record<string, unknown> = { id: 1 };
    item.self = { 'the owner': item };
    const root: unknown[] = [];
    root.push(root);
    assert.equal(
      ofValue({ ok: [{ id: 1 }, item] }),
      'value.ok[1].self["the owner"] refers back to value.ok[1]: leave it out, or send a copy without it.',
    );
    assert.equal(ofValue(root), 'value[0] refers back to value: leave it out, or send a copy without it.');
    const shared = { a: 1 };
    assert.equal(
      ofValue({ one: shared, two: shared, none: null, date: new Date(0), rows: [{ id: 7n }] }),
      'value.rows[0].id is the BigInt 7n: send String(value.rows[0].id) or Number(value.rows[0].id).',
    );
    assert.equal(ofValue({ toJSON: () => ({ a: 1n }) }), '');
    const failing = {
      toJSON() {
        throw new RangeError('own');
      },
    };
    assert.equal(ofValue(failing), '');
  });

  test('res.json: throws the error of Express, with details only in development', () => {
    const program = `app.get('/', (req, res) => { try { res.json({ a: 1n }); } catch (error) { res.send(error.name + ': ' + error.message); } });`;
    const first = 'TypeError: Do not know how to serialize a BigInt';
    const second = '\n  value.a is the BigInt 1n: send String(value.a) or Number(value.a).';
    assert.deepEqual(runApp(program, ['/']).seen, [first + second]);
    assert.deepEqual(runApp(`app.disable('development warnings'); ${program}`, ['/']).seen, [first]);
    assert.deepEqual(runApp(program, ['/'], { env: { NODE_ENV: 'production' } }).seen, [first]);
  });
});

const home = ownFolder();
const load = createRequire(__filename);
const own = load.resolve('@ristretto/private-engine/lib/dev/place');
const lib = path.dirname(path.dirname(own));

/** Writes a file and creates its folders. */
function write(name: string, text: string): string {
  const file = path.join(home, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

/** Runs a file and parses its output as JSON. */
function run(file: string): unknown {
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
}

/** Returns a stack trace with these calls after the module's own. */
function traceOf(...calls: string[]): { stack: string } {
  return { stack: ['Error', `captureStack (${own}:1:1)`, ...calls].join('\n    at ') };
}

/** Finds the caller of the framework in stack traces. */
describe('diagnose.place', () => {
  test('caller: does not change the stack trace limit that the program has set', () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      assert.equal(callerPlace()?.file, __filename);
      assert.equal(Error.stackTraceLimit, 0);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });

  test('ES modules: the file is a path', () => {
    const file = write(
      'a module.mjs',
      `import { createRequire } from 'node:module';
       const { callerPlace } = createRequire(import.meta.url)(${JSON.stringify(own)});
       await null;
       console.log(JSON.stringify(callerPlace()));`,
    );
    assert.deepEqual(run(file), { file, line: 4, column: 35 });
  });

  test('frames: skips frames of the framework and of Node', () => {
    noteVersionRoot(path.join(`${path.dirname(lib)}3`, 'lib'));
    const trace = traceOf(
      `Function.use (${path.join(lib, 'router', 'index.js')}:1:1)`,
      `Application.use (${path.join(`${path.dirname(lib)}3`, 'lib', 'application.js')}:1:1)`,
      'Array.forEach (<anonymous>)',
      'emit (node:events:1:1)',
      'eval (eval at run (/app/eval.js:1:1), <anonymous>:1:1)',
      'main (/app (copy)/main.js:7:9)',
    );
    assert.deepEqual(placeOf(trace), { file: '/app (copy)/main.js', line: 7, column: 9 });
  });

  test('frames: skips frames of installed packages that the program called', () => {
    const patched = '/app/node_modules/tracer/patch.js';
    assert.equal(placeOf(traceOf(`use (${patched}:1:1)`, 'async /app/main.mjs:2:3'))?.file, '/app/main.mjs');
  });

  test('frames: an installed package is the caller while it is being loaded', () => {
    const trace = traceOf(
      '/app/node_modules/plugin/index.js:3:5',
      '/app/node_modules/plugin/other.js:3:5',
      'Module._compile (node:internal/modules/cjs/loader:1:1)',
      '/app/main.js:1:1',
    );
    assert.deepEqual(placeOf(trace), { file: '/app/node_modules/plugin/index.js', line: 3, column: 5 });
  });

  test('bundles: the caller is unknown', () => {
    const outfile = path.join(home, 'bundle.cjs');
    const contents = `console.log(JSON.stringify([require(${JSON.stringify(own)}).callerPlace()]));`;
    buildSync({ stdin: { contents, resolveDir: __dirname }, bundle: true, platform: 'node', outfile });
    assert.deepEqual(run(outfile), [null]);
    assert.equal(placeOf({ stack: 'Error\n    at main (/app/bundle.js:1:2)' }), undefined);
  });

  test('traces: have no caller in a tool’s custom format', () => {
    assert.equal(placeOf({ stack: [{ frame: 1 }] }), undefined);
    assert.equal(placeOf({}), undefined);
  });
});

const root = path.resolve(__dirname, '../..');
const OURS = `Layer.handle [as handle_request] (${root}/lib/router/layer.js:77:16)`;

const stackOf = (calls: string[], head = 'Error: x'): string =>
  [head, ...calls.map(call => `    at ${call}`)].join('\n');

const parse = (...calls: string[]): ReturnType<typeof parseStack>['frames'] =>
  parseStack(stackOf(calls), 'x').frames;

/** Parses stacks into frames, and folds them for the log. */
describe('stack of an error', () => {
  noteVersionRoot(`${root}3/lib`);

  test('frames: contain the name of the function and its place', () => {
    const [named, async, bare, url] = parse(
      'Store.find [as get] (/app/store.js:3:4)',
      'async load (/app/my load (1).js:5:6)',
      'async /app/app.js:7:8',
      'show (file:///app/page.mjs:9:10)',
    );
    assert.deepEqual(
      [named!.name, named!.place],
      ['Store.find [as get]', { file: '/app/store.js', line: 3, column: 4 }],
    );
    assert.equal(async!.name, 'async load');
    assert.deepEqual([bare!.name, bare!.place!.file, bare!.place!.line], ['', '/app/app.js', 7]);
    assert.equal(url!.place!.file, path.resolve('/app/page.mjs'));
    assert.equal(parse('<anonymous> (/app/app.js:1:2)')[0]!.name, '');
  });

  test('origin: distinguishes the program, packages, the framework and Node.js', () => {
    const calls = [
      'own (/app/src/a.js:1:2)',
      'pkg (/app/node_modules/pg/lib/client.js:1:2)',
      'scoped (/app/node_modules/.pnpm/@a+b@1/node_modules/@a/b/index.js:1:2)',
      'windows (C:\\app\\node_modules\\@a\\b\\index.js:1:2)',
      OURS,
      `old (${root}3/lib/application.js:1:2)`,
      'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      'Array.map (<anonymous>)',
      'async Promise.all (index 0)',
      'eval (eval at run (/app/a.js:1:2), <anonymous>:1:1)',
      'far (file://other.example/a.js:1:2)',
      'mapped (webpack://app/./src/a.ts:1:2)',
    ];
    assert.deepEqual(
      parse(...calls).map(({ origin }) => origin),
      [
        undefined,
        ...words('pg @a/b @a/b ristretto ristretto Node.js Node.js Node.js'),
        undefined,
        undefined,
        undefined,
      ],
    );
  });

  test('message: is not parsed for lines that look like frames', () => {
    const message = 'bad\n    at evil (/etc/passwd:1:1)';
    const { head, frames } = parseStack(stackOf(['own (/app/a.js:1:2)'], `Error: ${message}`), message);
    assert.equal(head, `Error: ${message}`);
    assert.deepEqual(
      frames.map(({ name }) => name),
      ['own'],
    );
  });

  test('message: may have changed since the stack was captured', () => {
    assert.equal(parseStack(stackOf(['own (/app/a.js:1:2)']), 'another').frames.length, 1);
    assert.equal(parseStack(stackOf(['own (/app/a.js:1:2)']), '').frames.length, 1);
  });

  test('folded: the frames of the program come first, and one line summarizes the others', () => {
    const folded = foldStack(
      stackOf([
        `send (${root}/lib/response/send.js:1:2)`,
        'query (/app/node_modules/pg/a.js:1:2)',
        'own (/app/a.js:1:2)',
        OURS,
        'cors (/app/node_modules/cors/a.js:1:2)',
        'outer (/app/b.js:1:2)',
        'emit (node:events:1:2)',
      ]),
      'x',
    );
    assert.equal(
      folded,
      [
        'Error: x',
        '    at query (/app/node_modules/pg/a.js:1:2)',
        '    at own (/app/a.js:1:2)',
        '    at outer (/app/b.js:1:2)',
        '    at … 4 frames of ristretto, cors and Node.js',
      ].join('\n'),
    );
  });

  test('folded: a stack is unchanged if it has no frames of the program, or several traces', () => {
    const unchanged = [
      stackOf([OURS, 'emit (node:events:1:2)']),
      'Error: no calls',
      stackOf(['own (/app/a.js:1:2)']),
      `${stackOf(['own (/app/a.js:1:2)', OURS])}\nFrom previous event:\n    at x (/app/b.js:1:2)`,
    ];
    for (const stack of unchanged) assert.equal(foldStack(stack, 'x'), stack);
  });

  test('tools: if one formats traces in its own way, the framework is treated like any other package', () => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => 'formatted';
    try {
      assert.equal(frameworkRoot(), undefined);
      assert.equal(
        parse('handle (/app/node_modules/ristretto/lib/router/layer.js:1:2)')[0]!.origin,
        'ristretto',
      );
    } finally {
      Error.prepareStackTrace = prepareStackTrace!;
    }
  });
});

const WARN = "const { warnOnce } = require('@ristretto/private-engine/lib/dev/warn');\n";

/** Returns whether mistakes are reported with these environment variables. */
const reportsWith = (
  env: { NODE_ENV?: string; RISTRETTO_WARNINGS?: string },
  settings?: Record<string, unknown>,
): boolean =>
  inEnvironment({ NODE_ENV: undefined, RISTRETTO_WARNINGS: undefined, ...env }, () =>
    reportsMistakes(settings),
  );

/** Warnings about mistakes: when they are emitted, and how they are silenced. */
describe('warnings', () => {
  test('place: a warning has a name, a code and the place in the program', () => {
    const { warnings, stderr } = runProgram(`${WARN}warnOnce('RISTRETTO_X', 'X is wrong.');`);
    assert.deepEqual(warnings, [
      { name: 'RistrettoWarning', code: 'RISTRETTO_X', message: 'X is wrong.', detail: '    at [eval]:2:1' },
    ]);
    assert.match(stderr, /\[RISTRETTO_X\] RistrettoWarning: X is wrong\.\n {4}at \[eval\]:2:1\n/);
  });

  test('place: emits one warning per place and code, whatever the message', () => {
    const program = `${WARN}for (const name of ['a', 'b']) {
      warnOnce('RISTRETTO_X', name);
      warnOnce('RISTRETTO_X', name);
      warnOnce('RISTRETTO_' + name, name);
    }`;
    const warned = warningsOf(program).map(({ code, detail }) => `${code}${detail!}`);
    assert.deepEqual(warned, [
      'RISTRETTO_X    at [eval]:3:7',
      'RISTRETTO_X    at [eval]:4:7',
      'RISTRETTO_a    at [eval]:5:7',
      'RISTRETTO_b    at [eval]:5:7',
    ]);
  });

  test('place: if it is unknown, each message is emitted once', () => {
    const program = `${WARN}for (const name of ['a', 'b', 'a']) warnOnce('RISTRETTO_X', name, null);`;
    const warned = warningsOf(program).map(({ message, detail }) => [message, detail]);
    assert.deepEqual(warned, [
      ['a', undefined],
      ['b', undefined],
    ]);
  });

  test('place: can be given if it was captured earlier', () => {
    const program = `${WARN}warnOnce('RISTRETTO_X', 'x', { file: '/app.js', line: 3, column: 1 });`;
    assert.equal(warningsOf(program)[0]?.detail, '    at /app.js:3:1');
  });

  test('number: after five with the same code, a last line says how many more there are', () => {
    const program = `${WARN}for (let i = 1; i <= 9; i++) warnOnce('RISTRETTO_X', 'x' + i, null);
      for (let i = 1; i <= 6; i++) warnOnce('RISTRETTO_Y', 'y' + i, null);
      warnOnce('RISTRETTO_Z', 'z', null);`;
    const printed = (args: string[] = [], more = ''): string[] => {
      const { stderr } = runProgram(program + more, { args });
      return [...stderr.matchAll(/\[RISTRETTO_(\w)\] RistrettoWarning: (.*)/g)].map(
        ([, code, message]) => `${code!}: ${message!}`,
      );
    };
    const five = (code: string): string[] =>
      [1, 2, 3, 4, 5].map(number => `${code}: ${code.toLowerCase()}${number}`);
    const rest = [
      'X: 4 more of these are not shown: fix those above first.',
      'Y: 1 more of these is not shown: fix those above first.',
    ];
    assert.deepEqual(printed(), [...five('X'), ...five('Y'), 'Z: z', ...rest]);
    assert.deepEqual(printed(['--disable-warning=RISTRETTO_X']), [...five('Y'), 'Z: z', rest[1]]);
    assert.deepEqual(printed(['--no-warnings']), []);

    const later = `setTimeout(() => warnOnce('RISTRETTO_Y', 'y7', null), 1200);`;
    assert.deepEqual(printed([], later), [...five('X'), ...five('Y'), 'Z: z', ...rest, rest[1]]);
  });

  test('--disable-warning: silences one code, or all by their name', () => {
    const program = `${WARN}warnOnce('RISTRETTO_X', 'first'); warnOnce('RISTRETTO_Y', 'second');`;
    const printed = (value: string): string[] =>
      runProgram(program, { args: [`--disable-warning=${value}`] }).stderr.match(/first|second/g) ?? [];
    assert.deepEqual(printed('RISTRETTO_X'), ['second']);
    assert.deepEqual(printed('RistrettoWarning'), []);
  });

  test('RISTRETTO_WARNINGS: off silences all warnings', () => {
    const program = `${WARN}warnOnce('RISTRETTO_X', 'x');`;
    assert.deepEqual(warningsOf(program, { env: { RISTRETTO_WARNINGS: 'off' } }), []);
    assert.equal(reportsWith({ RISTRETTO_WARNINGS: 'off' }), false);
    assert.equal(reportsWith({ RISTRETTO_WARNINGS: 'on' }), true);
  });

  test('NODE_ENV: mistakes are reported only in development, which is the default', () => {
    assert.equal(reportsWith({}), true);
    assert.equal(reportsWith({ NODE_ENV: '' }), true);
    assert.equal(reportsWith({ NODE_ENV: 'development' }), true);
    for (const NODE_ENV of ['production', 'test', 'staging']) assert.equal(reportsWith({ NODE_ENV }), false);
  });

  test('app.disable("development warnings"): silences an application, as does another env', () => {
    const settings = { env: 'development' };
    assert.equal(reportsWith({}, settings), true);
    assert.equal(reportsWith({}, { ...settings, 'development warnings': true }), true);
    assert.equal(reportsWith({}, { ...settings, 'development warnings': false }), false);
    assert.equal(reportsWith({}, { env: 'production' }), false);
    assert.equal(reportsWith({ NODE_ENV: 'production' }, settings), false);
  });
});

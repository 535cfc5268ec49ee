// runs: slow
/** Warnings about registrations on routers and about paths. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { isBrokenErrorHandler, isLast } from '@ristretto/private-engine/lib/dev/handler-source.js';
import { lacksSlash, problemOf, withoutBraces } from '@ristretto/private-engine/lib/dev/path-syntax.js';
import { checkSoon } from '@ristretto/private-engine/lib/router/dev/check-stack';
import { instance, patternText } from '../../../../proofs/differential/generate-path.js';
import { everyOption, randomText } from '../support/patterns.js';
import { Random, words } from '../support/random.js';
import { warningsOf } from '../support/warnings.js';
import { runApp } from '../support/watched-app.js';

/** Compiles functions from text, because the checks read their source. */
const compile = (text: string): (() => void) => runInThisContext(`(${text})`) as () => void;
const codes = (warnings: string[]): string[] => warnings.map(text => text.slice(0, text.indexOf(':')));

const unreachable = (program: string): string[] =>
  warningsOf(`const app = web(), router = web.Router(), send = (req, res) => res.send('x');\n${program}`).map(
    ({ code, message, detail }) => `${code} ${/'([^']*)'/.exec(message)![1]!}${detail!.replace('    ', ' ')}`,
  );

/**
 * Warnings about registrations on routers: error handlers of the wrong form or in the wrong place, and unreachable
 * routes.
 */
describe('warnings', () => {
  test('no route: a route for OPTIONS alone is no reason for advice', () => {
    const program =
      "app.options('*', (req, res) => res.end()).get('/', (req, res) => res.send(String(Error.stackTraceLimit)));";
    const { warnings, seen } = runApp(program, ['/none', '/']);
    assert.deepEqual(warnings, []);
    // Stacks of the program are as long as without the framework
    assert.match(JSON.stringify(seen), /10/);
  });

  test('no route: a path for WebSockets only, and a handshake that another route gets, are reported', async () => {
    const program = `
      app.ws('/socket', socket => socket.close());`;
    const { warnings } = runApp(program, ['/socket']);
    assert.match(
      warnings.join(),
      /No route handled GET \/socket, but the path is registered for WebSockets, by \.ws\(\)/,
    );
    const handshake = `
      app.get('/plain', (req, res) => res.end()).ws('/socket', socket => socket.close());
      const server = app.listen(0, () => {
        const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
        require('node:http').get({ port: server.address().port, path: '/plain', headers, agent: false }, res => {
          res.resume().on('end', () => server.close());
        });
      });`;
    const [warning] = warningsOf('const app = web();' + handshake);
    assert.equal(warning?.code, 'RISTRETTO_NO_SOCKET');
    assert.match(warning!.message, /reached \.get\(\) of GET \/plain/);
  });

  test('error handler: is detected with three parameters by their names', () => {
    const broken = [
      '(err, req, res) => req',
      'function handle(error, request, response) {}',
      'async (_e, _req, rsp) => undefined',
      '({ method(err, req, res) {} }).method',
      '(err, req, res, next = 1) => next',
    ];
    for (const text of broken) assert.equal(isBrokenErrorHandler(compile(text)), true, text);
    const right = [
      '(err, req, res, next) => next',
      '(e, t, n) => n',
      '(req, res, err) => err',
      '(error) => error',
      '() => undefined',
      '((err, req, res) => undefined).bind(undefined)',
    ];
    for (const text of right) assert.equal(isBrokenErrorHandler(compile(text)), false, text);
  });

  test('error handler: warns at registration if it has three parameters', () => {
    const program = `
      const app = web();
      app.use(function failed(err, req, res) { res.send('x'); });
      app.get('/', (err, req, res, next) => next(err), (error, req, res) => {});
      web.Router().use((err, req, res) => {});
      web().disable('development warnings').use((err, req, res) => {});`;
    const warned = warningsOf(program).map(({ code, message, detail }) => `${code}: ${message}${detail!}`);
    const rest = 'because it takes 3 parameters. Error handlers take exactly four: (err, req, res, next).';
    const what = (name: string): string =>
      `The function '${name}' is called for requests and not for errors, ${rest}`;
    assert.deepEqual(warned, [
      `RISTRETTO_ERROR_HANDLER: ${what('failed')}    at [eval]:3:11`,
      `RISTRETTO_ERROR_HANDLER: ${what('<anonymous>')}    at [eval]:4:11`,
      `RISTRETTO_ERROR_HANDLER: ${what('<anonymous>')}    at [eval]:5:20`,
    ]);
  });

  test('error handler: warns if the only error handler is registered before the failing handler', () => {
    const program = `
      app.set('error logger', () => undefined);
      app.use(function tooEarly(err, req, res, next) { res.send('handled'); });
      const router = web.Router();
      router.get('/b', (req, res) => { throw new Error('b'); });
      app.get('/a', (req, res, next) => next(new Error('a')));
      app.use(router);`;
    const { warnings, seen } = runApp(program, ['/a', '/b']);
    assert.deepEqual(codes(warnings), ['RISTRETTO_ERROR_HANDLER_ORDER']);
    assert.match(
      warnings[0]!,
      /GET \/[ab]: 'tooEarly' is registered before the handler that failed.* at \[eval\]:4:11$/,
    );
    assert.doesNotMatch(String(seen), /handled/);
  });

  test('error handler: does not warn in a list, as packages provide them', () => {
    const program = `
      app.set('error logger', () => undefined);
      const onError = (err, req, res, next) => next(err);
      app.use([(req, res, next) => next(), onError, (req, res, next) => next()]);
      app.get('/', (req, res, next) => next(new Error('a')));`;
    assert.deepEqual(runApp(program, ['/']).warnings, []);
    assert.equal(
      runApp(program.replace('onError, (req, res, next) => next()', 'onError'), ['/']).warnings.length,
      1,
    );
  });

  test('error handler: does not warn without an error, or if it is handled, passed on, or for another path', () => {
    const early = "app.set('error logger', () => undefined); app.use((err, req, res, next) => next(err));";
    const fail = "app.get('/', (req, res, next) => next(new Error('a')));";
    const programs = [
      `${early}${fail} app.use((err, req, res, next) => res.send('handled'));`,
      `${early}${fail} app.use((err, req, res, next) => next(err));`,
      `app.set('error logger', () => undefined).use('/api', (err, req, res, next) => next(err)); ${fail}`,
      `app.set('error logger', () => undefined); ${fail}`,
    ];
    for (const program of programs) assert.deepEqual(runApp(program, ['/']).warnings, []);
  });

  test('unreachable route: a handler without next ends all requests for its method and path', () => {
    for (const text of ['(req, res) => res', 'async function f(req, res,) {}']) {
      assert.equal(isLast(compile(text)), true, text);
    }
    const others = [
      '(req, res, next) => next',
      '(...rest) => rest',
      '(req, ...rest) => rest',
      '(req, res, next = 1) => next',
      '(req, res) => req.next',
      '(req, res) => res.sendFile(req.path, { root })',
      '(req, res) => res.sendfile(req.path)',
      '(req, res) => res.download(req.path)',
      '({ url }, res) => url',
      '(req, { send }) => send',
      '(req, res = {}) => res',
      'function (req, res) { return arguments; }',
      '((req, res) => res).bind(undefined)',
      '() => undefined',
    ];
    for (const text of others) assert.equal(isLast(compile(text)), false, text);
  });

  test('unreachable route: warns about the same path and method, and after a handler for everything', () => {
    const same = `
      app.get('/users', send);
      app.get('/users', send);
      app.post('/users', send);
      router.route('/x').all(send).get(send);
      router.get('/x', send);
      app.use('/mounted', send);
      app.get('/mounted', send);
      app.use(router);`;
    const code = 'RISTRETTO_UNREACHABLE';
    assert.deepEqual(unreachable(same).sort(), [
      `${code} get /mounted at [eval]:9:11`,
      `${code} get /users at [eval]:4:11`,
      `${code} get /x at [eval]:6:36`,
      `${code} get /x at [eval]:7:14`,
    ]);
    const everything = `
      app.all('/every', send);
      app.all('/every', send);
      app.get('*', send);
      app.get('/late', send);
      app.post('/late', send);
      app.use((req, res) => res.sendStatus(404));
      app.use(router);
      app.use((err, req, res, next) => next(err));`;
    assert.deepEqual(unreachable(everything).sort(), [
      `${code} all /every at [eval]:4:11`,
      `${code} get /late at [eval]:6:11`,
      `${code} use / at [eval]:9:11`,
    ]);
  });

  test('unreachable route: does not warn if the earlier handler or a param callback may pass control on', () => {
    const program = `
      app.get('/a', (req, res, next) => next()).get('/a', send);
      app.get('/b', (req, res, next) => next('route'), send).get('/b', send);
      app.param('id', (req, res, next) => next('route')).get('/:id', send).get('/:id', send);
      app.get('/c', send).post('/c', send).head('/c', send);
      app.get('/all', send).all('/all', send);
      router.route('/all').get(send).all(send);
      app.get(/x/, send).get(/x/, send);
      app.use('/d', send).get('/d/e', send);
      app.use((req, res, next) => next()).use(send);
      web().disable('development warnings').get('/', send).get('/', send);`;
    assert.deepEqual(unreachable(program), []);
  });

  test('registration: is not checked if there are no timers, as in workers outside a request', context => {
    const setTimer = context.mock.method(globalThis, 'setImmediate', () => {
      throw new Error('Disallowed operation called within global scope');
    });
    assert.doesNotThrow(() => {
      checkSoon({} as never);
    });
    assert.equal(setTimer.mock.callCount(), 1);
  });
});

interface Layer {
  match(path: string): boolean;
  params: Record<string, string>;
}

const OracleLayer = createRequire(__filename)('express/lib/router/layer') as new (
  path: unknown,
  options: object,
  fn: () => void,
) => Layer;

/** The parameters of a path in Express; undefined if it does not match. */
function paramsInExpress(pattern: unknown, path: string): Record<string, string> | undefined {
  const layer = new OracleLayer(pattern, { end: true }, () => undefined);
  return layer.match(path) ? { ...layer.params } : undefined;
}

/** Returns whether a path matches in Express with any of the options; undefined if the pattern is invalid. */
function matchesInExpress(pattern: string, path: string): boolean | undefined {
  try {
    return everyOption.some(options => new OracleLayer(pattern, options, () => undefined).match(path));
  } catch {
    return undefined;
  }
}

const seed = Number(process.env.SEED ?? 20250101);

/** Warnings about paths, compared with what the paths match in Express. */
describe('warnings', () => {
  test('path without a slash: detects common mistakes, which match nothing in Express', () => {
    for (const path of words('users users/:id :id :a/:b .well-known/x a* api-v1 http://x/y a+')) {
      assert.equal(lacksSlash(path), true, path);
      for (const asked of [`/${path}`, '/', '/users', '/users/7', '/a', '/http://x/y', '/.well-known/x'])
        assert.equal(matchesInExpress(path, asked), false, `${path} on ${asked}`);
    }
  });

  test('path without a slash: accepts paths that can match', () => {
    const paths = ['', ...words('/ * ** (.*) (/a) /users a?/b a|/b ^/a [/]a \\/a :a? :a*')];
    for (const path of [...paths, ':a(.*)', 'a{0,1}/b', '.?/a', '(a|/b)', '+/'])
      assert.equal(lacksSlash(path), false, path);
  });

  test(`path without a slash: random patterns (seed ${seed}) that are reported match nothing in Express`, () => {
    const random = new Random(seed);
    const pieces = words('/ /:a :b a b - . (a| (a) [^/] \\d * + ? {0} ) | (?=a ^ (.*)');
    let found = 0;
    for (let i = 0; i < 6000; i++) {
      const pattern = randomText(random, pieces, 6);
      if (!lacksSlash(pattern)) continue;
      for (let j = 0; j < 4; j++) {
        const path = `/${randomText(random, ['/', 'a', 'b', '-', '.', '1'], 6)}`;
        const matches = matchesInExpress(pattern, path);
        assert.ok(!matches, `${pattern} on ${path}`);
        if (matches === false) found++;
      }
    }
    assert.ok(found > 1000, `only ${found} were compared`);
  });

  test('syntax of Express 5: is detected, and has in Express 4 the effect that the message describes', () => {
    for (const path of ['/*splat', '/api/*rest', '/{*splat}', '/files{/*path}', '*all', '/a/*b/c'])
      assert.match(problemOf(path) ?? '', /^'\*\w+' matches any path that ends with '\w+'|^'\{/, path);
    for (const path of words('{/:x} /users{/:id} /:file{.:ext} /:a{-:b} /x{/y} /{*splat} /users/{id}'))
      assert.match(problemOf(path) ?? '', /matches (these characters literally|any path)/, path);
    assert.equal(paramsInExpress('/*splat', '/a/b'), undefined);
    assert.deepEqual(paramsInExpress('/*splat', '/a/bsplat'), { 0: 'a/b' });
    assert.equal(paramsInExpress('/users{/:id}', '/users/7'), undefined);
    assert.deepEqual(paramsInExpress('/users{/:id}', '/users{/7}'), { id: '7' });
  });

  test('syntax of Express 5: the suggested pattern matches the same paths in Express 4', () => {
    const rows: [path: string, instead: string, matches: string[], misses: string[]][] = [
      ['/*splat', "'/*'", ['/', '/a', '/a/b'], []],
      ['/{*splat}', "'/*'", ['/', '/a', '/a/b'], []],
      ['/files{/*rest}', "['/files', '/files/*']", ['/files', '/files/a/b'], ['/filesx']],
      ['/users{/:id}', "'/users/:id?'", ['/users', '/users/7'], ['/users/7/8', '/usersx']],
      ['{/:lang}/about', "'/:lang?/about'", ['/about', '/en/about'], ['/en']],
      ['/a{/:b{/:c}}', "['/a', '/a/:b/:c?']", ['/a', '/a/1', '/a/1/2'], ['/b']],
      ['/:file{.:ext}', "'/:file.:ext?'", ['/a', '/a.js'], ['/a/b']],
      ['/:a{-:b}', "['/:a', '/:a-:b']", ['/x', '/x-y'], ['/x/y']],
      ['/x{/y}', "['/x', '/x/y']", ['/x', '/x/y'], ['/xy']],
      ['/users/{id}/posts', "'/users/:id/posts'", ['/users/7/posts'], ['/users/posts']],
    ];
    for (const [path, instead, matches, misses] of rows) {
      assert.equal(withoutBraces(path), instead, path);
      const pattern = JSON.parse(instead.replaceAll("'", '"')) as unknown;
      for (const asked of matches) assert.ok(paramsInExpress(pattern, asked), `${instead} on ${asked}`);
      for (const asked of misses) assert.ok(!paramsInExpress(pattern, asked), `${instead} on ${asked}`);
      assert.ok(
        [pattern].flat().every(text => problemOf(text as string) === undefined),
        instead,
      );
    }
  });

  test('syntax of Express 5: accepts the syntax of Express 4', () => {
    const paths = words('/* /ab*cd /a/*.html /*.* /:a* /:a(\\d{3}) /a{2} /a{1,2}b /:a([*x]+) /:a?');
    for (const path of [...paths, ...words('/\\*x /\\{a} /(a*b) /((a)*b) /[{]a} /{ /a} /*-x /x*y/')])
      assert.equal(problemOf(path), undefined, path);
  });

  test(`syntax of Express 5: likely patterns of Express 4 (seed ${seed}) are accepted if they match a path made for them`, () => {
    const random = new Random(seed);
    let matching = 0;
    for (let i = 0; i < 3000; i++) {
      const pattern = patternText(random);
      const path = instance(random, pattern);
      if (!path.startsWith('/') || matchesInExpress(pattern, path) !== true) continue;
      matching++;
      assert.equal(lacksSlash(pattern), false, pattern);
      assert.equal(problemOf(pattern), undefined, pattern);
    }
    assert.ok(matching > 1000, `only ${matching} patterns matched`);
  });

  const warned = (program: string, env?: Record<string, string>): string[] =>
    warningsOf(program, { env: env ?? {} }).map(
      ({ code, message, detail }) => `${code.slice(10)} ${/'([^']*)'/.exec(message)![1]!}${detail!}`,
    );

  test('path without a slash, syntax of Express 5: warn with the place in the program for every way to register', () => {
    const program = `
      const app = web();
      const answer = (req, res, next) => next();
      app.get('users', answer);
      app.use('files', answer, answer);
      app.all(['/ok', ['posts']], answer);
      app.route(':id').get(answer);
      web.Router().get('/*splat', answer);
      web.Router().use('xy{/:z}', answer);`;
    assert.deepEqual(warned(program), [
      'PATH_WITHOUT_SLASH users    at [eval]:4:11',
      'PATH_WITHOUT_SLASH files    at [eval]:5:11',
      'PATH_WITHOUT_SLASH posts    at [eval]:6:11',
      'PATH_WITHOUT_SLASH :id    at [eval]:7:11',
      'PATH_SYNTAX /*splat    at [eval]:8:20',
      'PATH_WITHOUT_SLASH xy{/:z}    at [eval]:9:20',
      'PATH_SYNTAX xy{/:z}    at [eval]:9:20',
    ]);
  });

  test('path without a slash, syntax of Express 5: do not warn about correct paths', () => {
    const program = `
      const app = web();
      const answer = (req, res, next) => next();
      app.get('users');
      app.use(answer).use('/', answer).use('', answer).use('*', answer).get(/users/, answer).get(['/a', /b/], answer);
      app.get('/ab*cd', answer).all('(.*)', answer).get('/by/:users', answer).param('users', answer);`;
    assert.deepEqual(warned(program), []);
  });

  test('app.disable("development warnings"), env: turn off the warnings of an application', () => {
    const program = (silence: string): string => `
      const app = web();
      ${silence};
      app.get('users', () => {});`;
    assert.deepEqual(warned(program("app.disable('development warnings')")), []);
    assert.deepEqual(warned(program("app.set('env', 'production')")), []);
    assert.equal(warned(program("app.enable('development warnings')")).length, 1);
    assert.deepEqual(warned(program(''), { NODE_ENV: 'production' }), []);
  });

  test('ristretto3: emits these warnings too', () => {
    const program = `
      const app = require('ristretto3')();
      const answer = (req, res, next) => next();
      app.get('users', answer);
      app.all('/*splat', answer);
      app.use('files', answer).use(answer);`;
    assert.deepEqual(warned(program), [
      'PATH_WITHOUT_SLASH users    at [eval]:4:11',
      'PATH_SYNTAX /*splat    at [eval]:5:11',
      'PATH_WITHOUT_SLASH files    at [eval]:6:11',
    ]);
  });
});

// runs: slow, twice
/**
 * Warnings about registrations on routers: error handlers of the wrong form or in the wrong place, and unreachable
 * routes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { checkSoon } from '@ristretto/private-engine/lib/router/dev/check-stack';
import { isBrokenErrorHandler, isLast } from '@ristretto/private-engine/lib/dev/handler-source.js';
import { runApp } from '../support/watched-app.js';
import { warningsOf } from '../support/warnings.js';

/** Compiles functions from text, because the checks read their source. */
const compile = (text: string): (() => void) => runInThisContext(`(${text})`) as () => void;

const codes = (warnings: string[]): string[] => warnings.map(text => text.slice(0, text.indexOf(':')));

const unreachable = (program: string): string[] =>
  warningsOf(`const app = web(), router = web.Router(), send = (req, res) => res.send('x');\n${program}`).map(
    ({ code, message, detail }) => `${code} ${/'([^']*)'/.exec(message)![1]!}${detail!.replace('    ', ' ')}`,
  );

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
      'async (e, _req, _res) => undefined',
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
    for (const text of ['(req, res) => res', 'async function f(req, res) {}']) {
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

// runs: slow, built
/** Warnings about handlers, and about the directories passed to `web.static`. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { warnOfDirectory } from '@ristretto/private-engine/lib/dev/directory';
import web from 'ristretto';
import { words } from '../support/random.js';
import { runProgram, warningsOf } from '../support/warnings.js';
import { runApp } from '../support/watched-app.js';

const STUCK = "app.set('stuck warning', milliseconds) changes the time; false disables this warning.";

const RETURNED =
  'and sent no response. Return values of handlers are ignored: call res.json(value) or res.send(value).';

/** Warnings about handlers that respond incorrectly, call next() too often, or do neither. */
describe('warnings', () => {
  test('returned value: warns with the value and the place if nothing is sent', () => {
    const program = `
      app.get('/a', (req, res) => ({ id: 1 }));
      app.get('/b', async (req, res) => { await null; return [1, 2]; });
      app.get('/c', (req, res) => 'x'.repeat(200));
      app.get('/d', async (req, res) => new (class User { name = 'Tobi'; })());
      app.get('/e', () => Object.create(null));`;
    const { warnings, seen } = runApp(program, ['/a', '/b', '/c', '/d', '/e'], { until: 5 });
    const code = 'RISTRETTO_RETURNED_VALUE';
    assert.deepEqual(warnings, [
      `${code}: A handler of GET /a returned { id: 1 } ${RETURNED} at [eval]:3:11`,
      `${code}: A handler of GET /b returned [ 1, 2 ] ${RETURNED} at [eval]:4:11`,
      `${code}: A handler of GET /c returned '${'x'.repeat(79)}… ${RETURNED} at [eval]:5:11`,
      `${code}: A handler of GET /d returned User { name: 'Tobi' } ${RETURNED} at [eval]:6:11`,
      `${code}: A handler of GET /e returned [Object: null prototype] {} ${RETURNED} at [eval]:7:11`,
    ]);
    assert.deepEqual(seen, Array(5).fill('none'));
  });

  test('returned value: does not warn about values from short functions and handlers that respond', () => {
    const program = `
      const late = res => setTimeout(() => res.send('late'), 1100);
      const { Readable } = require('node:stream');
      class Query { id = 1; on() {} }
      class Lazy extends Promise {}
      app.get('/timer', (req, res) => late(res));
      app.get('/send', (req, res) => res.send('sent'));
      app.get('/async-send', async (req, res) => res.send('sent'));
      app.get('/next', (req, res, next) => { next(); return 'passed on'; });
      app.get('/next', async (req, res, next) => { next(); return 'passed on'; });
      app.get('/next', (req, res) => res.send('next'));
      app.get('/pipe', (req, res) => Readable.from(['piped']).pipe(res));
      app.get('/emitter', async (req, res) => { late(res); return new Query(); });
      app.get('/number', (req, res) => [].push(late(res)));
      app.get('/sent-later', (req, res) => { setTimeout(() => res.send('soon'), 100); return { a: 1 }; });
      app.get('/sent-first', (req, res) => { res.send('first'); return { a: 1 }; });
      app.get('/async-first', async (req, res) => { res.send('first'); return 'done'; });
      app.get('/null', async (req, res) => { late(res); return null; });
      app.get('/class', (req, res) => { late(res); return new Map(); });
      app.get('/lazy', (req, res) => { late(res); return Lazy.resolve('value'); });
      app.get('/empty', async (req, res) => { late(res); return new Map(); });
      app.get('/async-res', async (req, res) => { late(res); return res; });
      app.get('/reject', (req, res) => Promise.reject(Object.assign(new Error('no'), { status: 400 })));
      app.use((err, req, res, next) => res.send('error'));`;
    const paths = words('timer send async-send next pipe emitter number sent-later sent-first');
    const more = ['async-first', 'null', 'class', 'lazy', 'empty', 'async-res', 'reject'];
    const { warnings, seen } = runApp(
      program,
      [...paths, ...more].map(path => `/${path}`),
    );
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      seen.map(text => String(text)).join(' '),
      'late sent sent next piped late late soon first first late late late late late error',
    );
  });

  test('stuck: warns with the handler that the request is waiting in, and where it was registered', () => {
    const program = `
      app.set('stuck warning', 500);
      app.use((req, res, next) => next());
      app.get('/a', (req, res, next) => next(), function hang() {});
      const router = web.Router();
      router.get('/b', () => {});
      app.use('/r', router);
      app.param('p', () => {});
      app.get('/p/:p', () => {});
      router.get('/c', (req, res, next) => next(new Error('failed')));
      router.use(function failing(err, req, res, next) {});`;
    const { warnings } = runApp(program, ['/a', '/r/b', '/p/1', '/r/c'], { until: 4 });
    const text = (name: string, what: string, line: number): string =>
      `RISTRETTO_STUCK: ${name} has had no response for 0.5 s. It got stuck in ${what} at [eval]:${line}, ` +
      `which neither sent a response nor called next(). ${STUCK} at [eval]:${line}`;
    const places = ['5:11', '7:14', '10:11', '12:14'];
    const whats = [
      "the handler 'hang'",
      "the handler '<anonymous>'",
      "a callback of param('p') for the path",
    ];
    const names = ['GET /a', 'GET /r/b', 'GET /p/:p', 'GET /r/c'];
    const expected = [...whats, "the handler 'failing'"].map((what, i) =>
      text(names[i]!, what, 0).replaceAll('[eval]:0', `[eval]:${places[i]!}`),
    );
    assert.deepEqual(warnings, expected.sort());
  });

  test('stuck: mentions next() when nothing followed', () => {
    const program = `
      app.set('stuck warning', '500ms');
      web.Router.process_params = function (layer, called, req, res, done) { if (layer.name !== 'never') done(); };
      app.use(function first(req, res, next) { next(); });
      app.use(function never(req, res) {});`;
    const [warning] = runApp(program, ['/'], { until: 1 }).warnings;
    assert.match(warning!, /It got stuck after the handler 'first' at \[eval\]:5:11 had called next\(\)\. /);
  });

  test('stuck: a time that cannot be read is rejected', () => {
    for (const value of ['soon', '5', true, -1, NaN] as never[])
      assert.throws(() => web().set('stuck warning', value), /Expected .*the setting 'stuck warning'/);
  });

  test('stuck: does not warn about streams, uploads and disconnected clients, or if it is switched off', () => {
    const program = `
      app.set('stuck warning', 500);
      app.get('/stream', (req, res) => { res.flushHeaders(); setTimeout(() => res.end('end'), 800); });
      app.get('/gone', () => {});
      const off = [false, 0, null].map(value => web().set('stuck warning', value));
      off.forEach((sub, i) => app.use('/off' + i, sub.get('/', () => {})));
      app.post('/upload', (req, res) => req.on('end', () => res.end('got it')).resume());
      app.use('/quiet', web().disable('development warnings').get('/', () => {}));
      app.use('/production', web().set('env', 'production').get('/', () => {}));
      const server = app.listen(0, () => {
        const options = { port: server.address().port, path: '/upload', method: 'POST', agent: false };
        const req = require('node:http').request(options, res => res.resume().on('end', () => server.close()));
        req.write('begin');
        setTimeout(() => req.end(), 800);
      });`;
    const paths = ['/stream', '/off0', '/off1', '/off2', '/quiet', '/production'];
    const { warnings, seen } = runApp(program, paths, { wait: 1300 });
    assert.deepEqual(warnings, []);
    assert.deepEqual(seen, ['end', ...Array(5).fill('none')]);
    assert.deepEqual(
      runApp("app.set('stuck warning', 1000).get('/gone', () => {});", ['/gone'], { wait: 200 }).warnings,
      [],
    );
  });

  test('next() twice: warns with both places, unless the second call passes on an error', () => {
    const program = `
      app.get('/a', (req, res, next) => {
        next();
        next();
      });
      app.get('/b', (req, res, next) => { next(); setTimeout(next, 10, new Error('timeout')); });
      app.get('/c', (req, res, next) => { setImmediate(next); setImmediate(next); });
      app.use((req, res) => { if (!res.headersSent) res.send('x'); });
      app.use((err, req, res, next) => {});`;
    const { warnings, seen } = runApp(program, ['/a', '/b', '/c']);
    const rest = 'the handlers after it ran twice. Return after the first call.';
    assert.deepEqual(warnings, [
      `RISTRETTO_NEXT_TWICE: A handler of GET /a called next() twice, first at [eval]:4:9: ${rest} at [eval]:5:9`,
      `RISTRETTO_NEXT_TWICE: A handler of GET /c called next() twice, first: ${rest} at [eval]:8:11`,
    ]);
    assert.deepEqual(seen, ['x', 'x', 'x']);
  });

  for (const name of ['ristretto', 'ristretto3', 'ristretto5']) {
    test(`req.next: is the function that middleware of ${name} gets, and calling it once is no second call`, () => {
      const program = `
        const five = require('${name}')();
        const router = '${name}' === 'ristretto3' ? five : require('${name}').Router();
        five.use((req, res, next) => { seen.push(next === req.next); next(); });
        five.use((req, res, next) => res.format({ text: (a, b, c) => { seen.push(c === next); c(); } }));
        five.use((req, res) => req.next());
        if (router !== five) {
          router.use((req, res, next) => { seen.push(next === req.next); req.next(); });
          five.use(router);
        }
        five.use((req, res, next) => (req.query.sub ? router2(req, res, next) : next()));
        const router2 = require('ristretto').Router().use((req, res, next) => req.next());
        five.get('/', (req, res) => req.next());
        five.get('/', (req, res, next) => next(), (req, res) => res.format({ text: (a, b, c) => c() }));
        five.get('/error', (req, res, next) => next(new Error('mine')));
        five.use((err, req, res, next) => req.next());
        five.use((req, res) => res.${name === 'ristretto3' ? 'sendfile' : 'sendFile'}(process.cwd()));
        five.use((req, res) => res.end('end'));
        app.use((req, res) => five(req, res));`;
      const { warnings, seen } = runApp(program, ['/', '/?sub=1', '/error']);
      assert.deepEqual(warnings, []);
      const checks = name === 'ristretto3' ? 6 : 9;
      assert.deepEqual(seen, [...Array<boolean>(checks).fill(true), 'end', 'end', 'end']);
    });

    test(`env: an application of ${name} in production is not watched beside one in development`, () => {
      const program = `
        app.get('/', (req, res) => res.end('watched'));
        const note = where => (req, res, next) => {
          seen.push([where, Object.hasOwn(res, 'writeHead')]);
          next();
        };
        const other = env => {
          const made = require('${name}')().set('env', env);
          made.set('stuck warning', 500);
          made.use((req, res, next) => { req.first = next; next(); });
          made.use((req, res, next) => { seen.push(req.first === next && req.next === next); next(); });
          made.use(note(env));
          made.use((req, res, next) => { next(); next(); });
          made.use((req, res) => res.headersSent || res.end(env));
          return made;
        };
        const http = require('node:http');
        const send = (server, path) => new Promise(resolve => {
          server.listen(0, () => http.get({ port: server.address().port, path, agent: false }, res => {
            res.resume().on('end', () => { server.close(); resolve(); });
          }));
        });
        process.once('beforeExit', async () => {
          await send(http.createServer(other('test')), '/');
          await send(http.createServer(other('production')), '/');
        });`;
      const { warnings, seen } = runApp(program, ['/']);
      assert.deepEqual(warnings, []);
      assert.deepEqual(seen, ['watched', true, ['test', false], true, ['production', false]]);
    });
  }

  test('next() after the response: warns with both places if nothing was to run after it', () => {
    const program = `
      app.get('/a', (req, res, next) => {
        res.send('a');
        next();
      });
      app.get('/log', (req, res, next) => { res.send('logged'); next(); });
      app.get('/log', (req, res) => { seen.push(res.statusCode); });`;
    const { warnings, seen } = runApp(program, ['/a', '/log']);
    assert.deepEqual(warnings, [
      'RISTRETTO_NEXT_AFTER_RESPONSE: next() was called after the response to GET /a had been sent at [eval]:4:13. ' +
        'Later handlers can no longer respond: either call next(), or send a response and return. at [eval]:5:9',
    ]);
    assert.deepEqual(seen, [200, 'a', 'logged']);
  });

  test('next() twice and after the response: does not warn about packages or calls from an unknown place', () => {
    const program = `
      const compile = text => require('node:vm').runInThisContext(text, { filename: '/app/node_modules/some/index.js' });
      app.get('/twice', compile('(req, res, next) => { next(); next(); }'));
      app.get('/twice', (req, res) => { if (!res.headersSent) res.send('x'); });
      app.get('/after', compile('(req, res, next) => { res.send("x"); next(); }'));
      app.get('/later', (req, res, next) => { res.send('x'); setImmediate(next); });
      app.get('/undefined', compile('(req, res) => res.set("X-A", undefined).send("x")'));`;
    const { warnings, seen } = runApp(program, ['/twice', '/after', '/later', '/undefined']);
    assert.deepEqual(warnings, []);
    assert.deepEqual(seen, ['x', 'x', 'x', 'x']);
  });

  test('second response: the error also says where the first one was sent, below its usual message', () => {
    const program = `
      const report = error => seen.push(error.code, error.message, error.stack.split('\\n').slice(0, 5).join('\\n'));
      app.get('/users/:id', (req, res) => {
        res.send('first');
        try { res.json({}); } catch (error) { report(error); }
        try { res.writeHead(200); } catch (error) { seen.push(error.message.includes('[eval]:5:13')); }
        try { res.setHeader('bad name', 'x'); } catch (error) { seen.push(error.message.includes('[eval]')); }
      });`;
    const { seen, warnings } = runApp(program, ['/users/7']);
    const [code, message, stack, ...rest] = seen as string[];
    const first = 'Cannot set headers after they are sent to the client';
    const second = '  GET /users/:id already got its response at [eval]:5:13.';
    assert.equal(code, 'ERR_HTTP_HEADERS_SENT');
    assert.equal(message, `${first}\n${second}`);
    assert.match(stack!, /^Error \[ERR_HTTP_HEADERS_SENT\]: Cannot set/);
    assert.equal(stack!.includes(second), true);
    assert.doesNotMatch(stack!, /sent\.[jt]s/);
    assert.deepEqual(rest, [true, true, 'first']);
    assert.deepEqual(warnings, []);
  });

  test('second response: the error, and a warning, also say where control was passed on', () => {
    const program = `
      app.get('/', (req, res, next) => {
        res.send('first');
        next();
      }, (req, res) => {
        try { res.send('second'); } catch (error) { seen.push(error.message.split('\\n  ').slice(1)); }
      });`;
    const { seen, warnings } = runApp(program, ['/']);
    const lines = [
      'GET / already got its response at [eval]:4:13.',
      'After that, next() was called at [eval]:5:9.',
    ];
    assert.deepEqual(seen, [lines, 'first']);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /^RISTRETTO_NEXT_AFTER_RESPONSE: /);
    const quiet = runApp(`app.disable('development warnings');${program}`, ['/']);
    assert.deepEqual([quiet.warnings, quiet.seen], [[], [[], 'first']]);
  });

  test('res.writeHead: watches the method of the response, or of the prototype that it gets', () => {
    const program = `
      const http = require('node:http');
      class Silent extends http.ServerResponse {
        writeHead(...args) { super.writeHead(...args); }
      }
      app.listen = port => http.createServer({ ServerResponse: Silent }, (req, res) => {
        const { writeHead } = res;
        if (req.url === '/own') res.writeHead = function (status) { return writeHead.call(this, status, { 'X-Own': 'yes' }); };
        app(req, res);
      }).listen(port);
      app.get('/adopted', (req, res) => res.writeHead(203).end('ended'));
      app.get('/own', (req, res) => { seen.push(res.writeHead(203) === undefined, res.getHeader('X-Own')); res.end('own'); });`;
    const { seen, warnings } = runApp(program, ['/adopted', '/own']);
    assert.deepEqual([[...seen].sort(), warnings], [['ended', 'own', true, 'yes'], []]);
  });

  test('NODE_ENV: disables these checks in production and in tests', () => {
    const program = `
      app.get('/', (req, res, next) => {
        seen.push(next === req.next, Object.hasOwn(res, 'writeHead'));
        res.send('sent');
        try { res.send('again'); } catch (error) { seen.push(error.message); }
        seen.push(Object.keys(require.cache).filter(file => /engine.(?:lib|src).(?:dev|router.dev)\\b/.test(file)).map(file => file.split(/[\\\\/]/).pop()));
      });`;
    for (const NODE_ENV of ['production', 'test']) {
      const { seen, warnings } = runApp(program, ['/'], { env: { NODE_ENV } });
      const message = 'Cannot set headers after they are sent to the client';
      assert.deepEqual([seen, warnings], [[true, false, message, [], 'sent'], []]);
    }
  });
});

/** Keeps a program running until its directories have been checked. */
const WAIT = 'setTimeout(() => undefined, 1200);';

/** Warnings about the directories passed to `web.static`, and what the checks load in production. */
describe('warnings', () => {
  test('missing directory: warns with the place in the program, but not if the path is a file', () => {
    const program = `
      web.static('nowhere');
      web.static('tsconfig.json');
      web.static('tsconfig.json/below');
      web.static('support');
      require('ristretto3').static('nowhere');
      ${WAIT}`;
    const home = path.join(__dirname, '..');
    const later = 'Ignore this if it is created later, for example by a build.';
    assert.deepEqual(
      warningsOf(program)
        .map(({ code, message, detail }) => [code, message, detail])
        .sort(),
      [
        [`web.static() got '${home}/nowhere', which does not exist. ${later}`, '    at [eval]:2:11'],
        [`web.static() got '${home}/nowhere', which does not exist. ${later}`, '    at [eval]:6:29'],
        [
          `web.static() got '${home}/tsconfig.json/below', which does not exist. ${later}`,
          '    at [eval]:4:11',
        ],
      ]
        .map(row => ['RISTRETTO_STATIC_ROOT', ...row])
        .sort(),
    );
  });

  test('missing views: an explicit setting warns, the default does not', () => {
    const program = `
      const app = web();
      app.set('views', 'nowhere');
      app.set('views', ['support', 'nowhere2', 7]);
      app.set('views', 'tsconfig.json');
      web().set('env', 'test').set('views', 'nowhere');
      ${WAIT}`;
    const warned = warningsOf(program).map(({ code, message, detail }) => `${code} ${message}${detail!}`);
    const later = 'Ignore this if it is created later, for example by a build.';
    assert.deepEqual(warned.sort(), [
      `RISTRETTO_VIEWS_ROOT app.set('views') got 'nowhere', which does not exist. ${later}    at [eval]:3:11`,
      `RISTRETTO_VIEWS_ROOT app.set('views') got 'nowhere2', which does not exist. ${later}    at [eval]:4:11`,
      `RISTRETTO_VIEWS_ROOT app.set('views') got 'tsconfig.json', which is not a directory. ${later}    at [eval]:5:11`,
    ]);
  });

  test('missing directory: does not warn if it is created within a second or the program exits before', () => {
    const program = `
      const fs = require('node:fs');
      const root = require('node:path').join(require('node:os').tmpdir(), 'static-' + process.pid);
      web.static(root);
      setTimeout(() => fs.mkdirSync(root), 100);
      process.on('exit', () => fs.rmdirSync(root));`;
    assert.deepEqual(warningsOf(program + WAIT), []);
    assert.deepEqual(warningsOf("web.static('nowhere');"), []);
  });

  test('missing directory: does not warn about a name that the file system rejects', () => {
    assert.deepEqual(warningsOf(`web.static('${'x'.repeat(5000)}'); ${WAIT}`), []);
  });

  test('missing directory: is not checked if there are no timers, as in workers outside a request', context => {
    const setTimer = context.mock.method(globalThis, 'setTimeout', () => {
      throw new Error('Disallowed operation called within global scope');
    });
    assert.doesNotThrow(() => {
      warnOfDirectory('/nowhere', 'web.static()', 'RISTRETTO_STATIC_ROOT');
    });
    assert.equal(setTimer.mock.callCount(), 1);
  });

  test('production: emits no warnings and loads none of these modules', () => {
    const program = `
      const app = web();
      app.set('veiws', 'x').get('users', () => {}).use('/*splat', web.static('nowhere'));
      seen.push(...Object.keys(require.cache).filter(file => /engine.(?:lib|src).dev\\b/.test(file)).map(file => file.split(/[\\\\/]/).pop()));`;
    const { warnings, seen } = runProgram(program, { env: { NODE_ENV: 'production' } });
    assert.deepEqual([warnings, seen], [[], []]);
  });
});

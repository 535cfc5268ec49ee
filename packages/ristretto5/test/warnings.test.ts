// runs: slow
/** Warnings about mistakes in development, and `DEBUG=express:*,router*`: those of 4.x, on the routers and responses of 5.x. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printed } from '../../engine/test/support/program.js';
import { words } from '../../engine/test/support/random.js';
import { runProgram } from '../../engine/test/support/warnings.js';
import { each } from '../../engine/test/support/http.js';

/** Returns the warnings of a package after the program has sent its requests. */
function warningsOf(name: 'ristretto' | 'ristretto5', settings = ''): string[] {
  const { warnings } = runProgram(`
    const app = require('${name}')();
    app.set('stuck warning', 600); ${settings}
    app.get('/value', () => 'hello');
    app.get('/stuck', () => {});
    app.get('/twice', (req, res, next) => { next(); next(); });
    app.get('/late', (req, res, next) => { res.send('a'); next(); });
    app.get('/redirect', (req, res) => res.redirect(undefined));
    app.get('/header', (req, res) => res.set('X-A', undefined).send(''));
    app.get('/users/:id', (req, res) => res.send('first'));
    app.get('/users/:id', (req, res) => res.send('second'));
    app.use(function broken(err, req, res) {});
    app.use((req, res) => res.headersSent || res.send('end'));
    app.use(function early(err, req, res, next) { next(err); });
    const server = app.listen(0, async () => {
      const ask = path => fetch('http://localhost:' + server.address().port + path, { redirect: 'manual' });
      for (const path of ['/value', '/stuck']) ask(path).catch(() => {});
      for (const path of ['/twice', '/late', '/redirect', '/header']) await ask(path).then(res => res.text());
      setTimeout(() => process.exit(), 1800);
    });`);
  return warnings.map(({ code, message }) => `${code}: ${message.replaceAll(/\d+:\d+/g, '')}`).sort();
}

describe('warnings', () => {
  test('sendFile: an absolute path through a hidden directory is a 404 that is explained', () => {
    const { warnings } = runProgram(`
      const app = require('ristretto5')();
      app.get('/', (req, res) => res.sendFile('/srv/.pnpm/a.html'));
      app.inject('/').then(() => app.inject('/'));`);
    assert.deepEqual(each(warnings, 'code'), ['RISTRETTO_HIDDEN_FILE']);
    assert.match(warnings[0]!.message, /'\.pnpm' in its path begins with a dot/);
  });

  test('forms of Express 4 with another meaning: are reported with what to write', () => {
    const { warnings, stderr } = runProgram(`
      const app = require('ristretto5')();
      app.get('/a', (req, res) => res.send(404));
      app.get('/b', (req, res) => res.send(500, 'body'));
      app.get('/c', (req, res) => res.json(201, {}));
      app.get('/d', (req, res) => res.redirect('back'));
      app.get('/numbers', (req, res) => (req.query.json ? res.json(404) : res.send(7)));
      app.get('/removed', (req, res) => res.sendfile('x'));
      app.get('/param', (req, res) => res.send(req.param('id')));
      (async () => {
        for (const path of ['/a', '/b', '/c', '/d', '/numbers', '/numbers?json=1', '/removed', '/param']) await app.inject(path);
        await new Promise(setImmediate).then(() => new Promise(setImmediate));
        app.del('/', () => {});
      })();`);
    assert.deepEqual(
      warnings.map(({ code, message }) => `${code} ${message}`),
      [
        'res.send(404) is of Express 4. In Express 5, it sends the number as the body of a 200: write res.sendStatus(404).',
        'res.send(500, body) is of Express 4. In Express 5, it sends the number as the body of a 200: write res.status(500).send(body).',
        'res.json(201, body) is of Express 4. In Express 5, it sends the number as the body of a 200: write res.status(201).json(body).',
        "'back' as a URL is of Express 4. In Express 5, it is a path, 'back': write res.redirect(req.get('Referrer') || '/').",
      ].map(message => `RISTRETTO_EXPRESS_4_FORM ${message}`),
    );
    assert.match(stderr, /Express 5 has no `?res\.sendfile`?: use/);
    assert.match(stderr, /Express 5 has no `?req\.param\(\)`?: read/);
    assert.match(stderr, /app\.del\(\) is of Express 4\. Write app\.delete\(\)\./);
  });

  test('handlers: warns about handlers that neither respond nor call next, do so twice, or can never run, as in 4.x', () => {
    const ours = warningsOf('ristretto5');
    assert.deepEqual(
      ours.map(line => line.split(':')[0]!),
      words(`
        RISTRETTO_ERROR_HANDLER RISTRETTO_NEXT_TWICE RISTRETTO_RETURNED_VALUE RISTRETTO_STUCK
        RISTRETTO_UNDEFINED_VALUE RISTRETTO_UNDEFINED_VALUE RISTRETTO_UNREACHABLE
      `),
    );
    assert.deepEqual(ours, warningsOf('ristretto'));
  });

  test('req.query: warns about a change that the next read loses, and not about kept ones', () => {
    const { warnings, seen } = runProgram(`
      const five = require('ristretto5');
      const ask = async (change, settings = () => {}) => {
        const app = five();
        settings(app);
        app.use((req, res, next) => { change(req); next(); });
        app.get('/', (req, res) => { seen.push(req.query.a); res.end(); });
        await app.inject('/?a=1');
      };
      const add = req => { req.query.a = 2; };
      const same = { a: 1 };
      (async () => {
        await ask(add, app => app.enable('query writable'));
        await ask(add, app => app.disable('development warnings'));
        await ask(add, app => app.set('query parser', () => same));
        await ask(req => req.query.a);
        await ask(req => { req.query.a = 2; req.url = '/?a=3'; });
        for (const i of [1, 2]) await ask(req => { req.query.a = 2; });
      })();`);
    assert.deepEqual(seen, [2, '1', 2, '1', '3', '1', '1']);
    assert.deepEqual(each(warnings, 'code'), ['RISTRETTO_LOST_QUERY']);
    assert.match(warnings[0]!.message, /enable the setting 'query writable'/);
    assert.match(warnings[0]!.detail!, /\[eval\]:18:/);
  });

  test('app.disable: disabling warnings suppresses them', () => {
    assert.deepEqual(warningsOf('ristretto5', "app.disable('development warnings');"), []);
  });

  test('routes: does not warn about a route after a parameter with callbacks, which may be reached', () => {
    const { warnings } = runProgram(`
      const app = require('ristretto5')();
      app.param('id', (req, res, next) => { next('route'); });
      app.get('/users{/:id}', (req, res) => res.send('1')).get('/users{/:id}', (req, res) => res.send('2'));
      app.get(/^\\/(?<id>x+)$/, (req, res) => res.send('1')).get(/^\\/(?<id>x+)$/, (req, res) => res.send('2'));`);
    assert.deepEqual(warnings, []);
  });
});

const PROGRAM = `
  const app = web();
  app.enable('strict routing');
  app.use('/m', function mount(req, res, next) { next(); });
  app.use((req, res, next) => next());
  app.param('id', (req, res, next) => next());
  const router = web.Router();
  router.get(['/x/:id', '/y'], (req, res) => res.end());
  router.route('/z').all((req, res) => res.end()).post((req, res) => res.end());
  app.use('/api', router);
  app.all('/{*rest}', (req, res) => res.end());
`;

/** `DEBUG=express:*,router*`: prints the same lines as Express 5. */
describe('DEBUG', () => {
  test('DEBUG: prints settings, registration and matching under the names of Express 5', async () => {
    const paths = ['/m/a', '/api/x/1?q', '/api/z', '/none'];
    for (const names of ['express:*,router*', 'router', 'router:layer', 'express:application', 'nothing']) {
      const [ours, theirs] = await Promise.all(
        ['ristretto5', 'express5'].map(framework => printed(framework, PROGRAM, paths, names)),
      );
      assert.deepEqual(ours, theirs, names);
      assert.equal(ours!.length > 1, names !== 'nothing');
    }
  });
});

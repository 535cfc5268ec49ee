// runs: slow
/** `DEBUG=express:*`: prints the same lines as Express 4. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printed } from '../support/program.js';
import { VIEWS } from '../support/views.js';

/** Asserts that both frameworks print the same, and resolves with it. */
async function alike(
  program: string,
  paths: string[] = [],
  DEBUG = 'express:*',
  before = '',
): Promise<string[]> {
  const [ours, theirs] = await Promise.all([
    printed('ristretto', program, paths, DEBUG, before),
    printed('express', program, paths, DEBUG, before),
  ]);
  assert.deepEqual(ours, theirs);
  return ours;
}

const pass = '(req, res, next) => next()';
const end = '(req, res) => res.end()';

describe('DEBUG', () => {
  test('settings: are logged when they are set', async () => {
    const lines = await alike(`
      const app = web();
      app.set('title', { a: [1] }).enable('strict routing').disable('etag').set('trust proxy', 1);
      app.set('undefined', undefined);
      app.get('title');`);
    assert.ok(lines.includes('express:application set "title" to { a: [ 1 ] }'));
    assert.ok(lines.includes('express:application booting in test mode'));
  });

  test('registration: logs routes, middleware, routers and applications', async () => {
    const lines = await alike(`
      const app = web();
      app.get('/', ${end});
      app.post('/p/:id', function named() {}, ${end});
      app.all('/all', ${end});
      app.route('/r').get(${end}).put(${end}).all(${end});
      app.get(['/x', /y/], ${end});
      app.get(/re/i, ${end});
      app.param('id', ${pass});
      app.use('/m', function named() {}, ${pass});
      const router = web.Router();
      router.all('/', ${end});
      app.use('/api/:v', router);
      app.use(['/a', '/b'], web().use(${pass}));`);
    assert.ok(lines.includes("express:router:route post '/p/:id'"));
    assert.ok(lines.includes("express:router use '/m' <anonymous>"));
  });

  test('requests: logs each router and what it calls', async () => {
    const program = `
      const app = web();
      const router = web.Router();
      router.use(function inner(req, res, next) { next(); });
      router.get('/:id', ${end});
      app.use('/api/:v', router);
      app.use(/^\\/d/, ${pass});
      app.use('/sub/', web().get('/s', ${end}), web());
      app.get('/e', (req, res, next) => next(new Error('failed')));
      app.get('/:d', (req, res, next) => next('route'));
      app.use(function handles(err, req, res, next) { res.end(); });`;
    const paths = ['/api/1/5', '/sub/s', '/sub/none?q', '/api', '/apix', '/d/e', '/e', '/%zz', '/none'];
    const lines = await alike(program, [...paths, 'http://host/api/1/5']);
    assert.ok(lines.includes('express:router trim prefix (/api/1) from url /api/1/5'));
    assert.ok(lines.includes('express:router handles  : /e'));
    await alike('const app = web();', ['/x']);
  });

  test('views: logs each file that is looked up', async () => {
    const program = `
      const app = web();
      app.engine('x', (file, options, callback) => callback(null, 'html'));
      app.engine('tmpl', (file, options, callback) => callback(null, 'html'));
      app.set('views', [views + '/none', views]).set('view engine', 'tmpl');
      app.get('/found', (req, res) => res.render('user'));
      app.get('/cached', (req, res) => res.render('user', { cache: true }));
      app.get('/folder', (req, res) => res.render('folder'));
      app.get('/whole', (req, res) => res.render(views + '/user.tmpl'));
      app.get('/missing', (req, res) => res.render('missing.x', () => res.end()));
      app.get('/loaded', (req, res) => res.render('list.ejs', () => res.end()));`;
    const paths = ['/found', '/cached', '/cached', '/folder', '/whole', '/missing', '/loaded'];
    const lines = await alike(program, paths);
    assert.ok(lines.includes('express:view require "ejs"'));
    assert.ok(lines.includes(`express:view stat "${VIEWS}/none/user.tmpl"`));
  });

  test('namespaces: can be enabled individually', async () => {
    const program = `const app = web(); app.get('/', ${end});`;
    for (const name of ['application', 'router', 'router:layer', 'router:route', 'view']) {
      const lines = await alike(program, ['/'], `express:${name}`);
      assert.ok(lines.every(line => line === '' || line.startsWith(`express:${name} `)));
    }
  });

  test("enable: require('debug').enable() before the framework is loaded logs the same, and later nothing", async () => {
    const app = `const app = web(); app.use(${pass});`;
    const enable = "require('debug').enable('express:router');";
    assert.deepEqual(await alike(`${enable} ${app}`, ['/'], ''), ['']);
    const lines = await alike(app, ['/'], '', enable);
    assert.ok(lines.includes('express:router dispatching GET /'));
  });

  test('unset: logs nothing and does not load the package', async () => {
    const lines = await printed(
      'ristretto',
      `const app = web().use(${end});
      console.error(Object.keys(require.cache).filter(file => /node_modules.debug/.test(file)).length);`,
      ['/'],
      '',
    );
    assert.deepEqual(lines, ['0', '']);
  });
});

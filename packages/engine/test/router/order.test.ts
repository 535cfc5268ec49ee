/** The order in which callbacks run, and which are never reached. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { sameEach } from '../support/compare.js';
import { same } from '../support/oracle.js';
import { answer, mark, tracing } from '../support/routing.js';
import { report } from '../support/static.js';
import { root } from '../support/tree.js';

const traceOf = (text: string): string[] =>
  (JSON.parse(text) as { trace: string[] }).trace.map(line => line.slice(0, line.search(/ [A-Z]+ /)));

describe('order of execution', () => {
  test('registration: determines the order, whatever is registered', async () => {
    const [first] = await sameEach(
      tracing((app, web) => {
        app.use(mark('1'));
        app.get('/x', mark('2'));
        app.use('/x', mark('3'), web.Router().all('/', mark('4')));
        app.all('/:any', mark('5'));
        app.use(mark('6'));
        app.get('/x', answer);
      }),
      ['/x'],
    );
    assert.deepEqual(traceOf(first!.text), ['1', '2', '3', '4', '5', '6']);
  });

  test('a response without next: nothing after it runs', async () => {
    let reached = 0;
    await same(web =>
      web()
        .use((_req, res) => void res.send('first'))
        .use((_req, _res, next) => {
          reached++;
          next();
        })
        .get('/', () => void reached++),
    );
    assert.equal(reached, 0);
  });

  test('param callbacks: run before any handler of the route, and once for several routes', async () => {
    const [first] = await sameEach(
      tracing(app => {
        app.get('/:id', mark('route 1'));
        app.get('/:id', mark('route 2'), answer);
        app.param('id', (req, res, next) => mark('param')(req, res, next));
      }),
      ['/7'],
    );
    assert.deepEqual(traceOf(first!.text), ['param', 'route 1', 'route 2']);
  });

  test('list of parameter names: next() goes to the callback of the next name, then to the handlers', async () => {
    const [first] = await sameEach(
      tracing(app => {
        app.param(['id', 'page'], (req, res, next, value, name) => {
          mark(`${name}=${String(value)}`)(req, res, next);
        });
        app.get('/user/:id/:page', mark('handler'), answer);
      }),
      ['/user/42/3'],
    );
    assert.deepEqual(traceOf(first!.text), ['id=42', 'page=3', 'handler']);
  });

  test('static file not found: runs the next middleware instead of sending a 404', async () => {
    const answers = await sameEach(
      web => web().use(web.static(root), (_req, res) => void res.send('next')),
      ['/nope.txt', '/todo.txt'],
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['next', '- groceries'],
    );
  });

  test('static file not found, fallthrough false: runs error handlers with status 404', async () => {
    const found = await same(
      web =>
        web()
          .use(web.static(root, { fallthrough: false }))
          .use((_req, res) => void res.send('never'))
          .use(report),
      '/nope.txt',
    );
    assert.equal(found.status, 404);
    assert.match(found.text, /ENOENT/);
  });

  test('nothing handles it: responds with 404', async () => {
    const found = await same(web => web().get('/x', answer), { method: 'POST', path: '/x' });
    assert.equal(found.status, 404);
    assert.match(found.text, /Cannot POST \/x/);
  });
});

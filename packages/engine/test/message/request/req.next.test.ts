/** `req.next`: the `next` function of the current router. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../support/http.js';
import { sameEach } from '../../support/compare.js';
import { frameworks, same } from '../../support/oracle.js';
import { mark, markError, tracing } from '../../support/routing.js';

describe('req.next', () => {
  test('middleware: is the same function as next', () =>
    same(web => web().use((req, res, next) => void res.json(req.next === next))));
  test('route: is the next function of the router, which skips the other handlers', () =>
    sameEach(
      tracing(app => {
        app.get('/x', (req, _res, _next) => req.next!(), mark('never'));
        app.use(mark('on'));
      }),
      ['/x'],
    ));
  test('error: reaches the error handlers', () =>
    sameEach(
      tracing(app => {
        app.use('/x', req => req.next!(new Error('passed')));
        app.use(markError('seen'));
      }),
      ['/x'],
    ));
  test('mounted router: has its own next, and the outer one is restored afterwards', async () => {
    for (const web of Object.values(frameworks)) {
      const seen: boolean[] = [];
      const app = web();
      const router = web.Router().use((req, _res, next) => {
        seen.push(req.next === next);
        next();
      });
      app.use(router, (req, res, next) => void res.json([...seen, req.next === next]));
      assert.equal((await ask(app)).text, '[true,true]');
    }
  });
  test('at the end: has its previous value again', async () => {
    const left = (web: (typeof frameworks)['express']): Promise<unknown> =>
      new Promise(resolve => {
        const req = { method: 'GET', url: '/', next: 'before' };
        (web.Router() as unknown as (req: unknown, res: unknown, out: () => void) => void)(req, {}, () =>
          resolve(req.next),
        );
      });
    assert.equal(await left(frameworks.ristretto), await left(frameworks.express));
  });
});

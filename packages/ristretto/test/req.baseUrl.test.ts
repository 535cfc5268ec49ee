/** `req.baseUrl`: the path on which the current router was mounted, as it was matched. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from './support/http.js';
import { sameEach } from './support/compare.js';
import { frameworks, same } from './support/oracle.js';
import { mark, tracing } from './support/routing.js';

const mounted = (mount: string | RegExp | (string | RegExp)[]) =>
  tracing((app, web) => {
    app.use(mount, web.Router().use(mark('in')).get('/jp', mark('route')));
  });

describe('req.baseUrl', () => {
  test('root: is the empty string', async () => {
    const answer = await same(web => web().get('/x', (req, res) => void res.json(req.baseUrl)), '/x');
    assert.equal(answer.text, '""');
  });
  test('mounted: what was matched, in its own case', () =>
    sameEach(mounted('/greet'), ['/greet', '/greet/jp', '/GREET/jp', '/greet/']));
  test('pattern: what was matched, not the pattern', () =>
    sameEach(mounted(['/gre+t', '/hel{2}o', '/:lang/x']), [
      '/greet/jp',
      '/greeet/jp',
      '/hello/jp',
      '/de/x/jp',
    ]));
  test('regular expression: what was matched', () =>
    sameEach(mounted([/^\/v\d+/, /^\/a\.b/]), ['/v12/jp', '/v1', '/a.b/jp', '/v1.2']));
  test('percent-encoding: as it was sent', () => sameEach(mounted('/:name'), ['/a%20b/jp', '/%e2%82%ac/jp']));
  test('slash at the end of the mount path: is left out', () =>
    sameEach(mounted(['/greet/', '/a/:b/']), ['/greet/jp', '/greet/', '/a/b/jp']));
  test('nested: joined; and back again on the way out', () =>
    sameEach(
      tracing((app, web) => {
        const inner = web.Router().use('/c', mark('c')).use(mark('inner'));
        const middle = web.Router().use('/b', inner, mark('after inner')).use(mark('middle'));
        app.use('/a', middle, mark('after middle'));
      }),
      ['/a/b/c', '/a/b', '/a', '/A/b/C/d'],
    ));
  test('sub-applications: as with routers', () =>
    sameEach(
      tracing((app, web) => {
        app.use('/a', web().use('/b', web().use(mark('in'))));
      }),
      ['/a/b/c', '/a/b', '/a'],
    ));
  test('errors: error handlers outside see their own', () =>
    sameEach(
      tracing((app, web) => {
        app.use('/a', web.Router().use('/b', mark('fails', new Error('no'))));
      }),
      ['/a/b/c'],
    ));
  test('later: it is still there when a handler goes on after a while', () =>
    sameEach(
      tracing((app, web) => {
        const router = web.Router();
        router.use((_req, _res, next) => void setImmediate(next));
        router.get('/x', mark('later'));
        app.use('/a', router);
      }),
      ['/a/x', '/a/y'],
    ));
  test('assigned: what a tool writes is where mounting begins', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().use('/a', (req, res) => void res.send(`${req.baseUrl} ${req.url}`));
      const outer = (req: object, res: object): void => {
        Object.assign(req, { baseUrl: '/outer' });
        (app as (req: object, res: object) => void)(req, res);
      };
      assert.equal((await ask(outer, '/a/b')).text, '/outer/a /b');
    }
  });
});

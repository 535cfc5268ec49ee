/** `req.baseUrl`: the path on which the current router was mounted, as it matched. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../support/http.js';
import { sameEach } from '../../support/compare.js';
import { frameworks, same } from '../../support/oracle.js';
import { mark, tracing } from '../../support/routing.js';

const mounted = (mount: string | RegExp | (string | RegExp)[]) =>
  tracing((app, web) => {
    app.use(mount, web.Router().use(mark('in')).get('/jp', mark('route')));
  });

describe('req.baseUrl', () => {
  test('root: is the empty string', async () => {
    const answer = await same(web => web().get('/x', (req, res) => void res.json(req.baseUrl)), '/x');
    assert.equal(answer.text, '""');
  });
  test('mounted: is the matched path, with its original case', () =>
    sameEach(mounted('/greet'), ['/greet', '/greet/jp', '/GREET/jp', '/greet/']));
  test('pattern: is the matched path, not the pattern', () =>
    sameEach(mounted(['/gre+t', '/hel{2}o', '/:lang/x']), [
      '/greet/jp',
      '/greeet/jp',
      '/hello/jp',
      '/de/x/jp',
    ]));
  test('regular expression: is the matched path', () =>
    sameEach(mounted([/^\/v\d+/, /^\/a\.b/]), ['/v12/jp', '/v1', '/a.b/jp', '/v1.2']));
  test('percent-encoding: is kept as sent', () =>
    sameEach(mounted('/:name'), ['/a%20b/jp', '/%e2%82%ac/jp']));
  test('slash at the end of the mount path: is omitted', () =>
    sameEach(mounted(['/greet/', '/a/:b/']), ['/greet/jp', '/greet/', '/a/b/jp']));
  test('nested: joins the paths, and restores them afterwards', () =>
    sameEach(
      tracing((app, web) => {
        const inner = web.Router().use('/c', mark('c')).use(mark('inner'));
        const middle = web.Router().use('/b', inner, mark('after inner')).use(mark('middle'));
        app.use('/a', middle, mark('after middle'));
      }),
      ['/a/b/c', '/a/b', '/a', '/A/b/C/d'],
    ));
  test('sub-applications: behave like routers', () =>
    sameEach(
      tracing((app, web) => {
        app.use('/a', web().use('/b', web().use(mark('in'))));
      }),
      ['/a/b/c', '/a/b', '/a'],
    ));
  test('errors: error handlers outside read their own value', () =>
    sameEach(
      tracing((app, web) => {
        app.use('/a', web.Router().use('/b', mark('fails', new Error('no'))));
      }),
      ['/a/b/c'],
    ));
  test('later: is unchanged when a handler continues asynchronously', () =>
    sameEach(
      tracing((app, web) => {
        const router = web.Router();
        router.use((_req, _res, next) => void setImmediate(next));
        router.get('/x', mark('later'));
        app.use('/a', router);
      }),
      ['/a/x', '/a/y'],
    ));
  test('assigned: a value set by a tool is the base for mounting', async () => {
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

/** `req.originalUrl`: the URL as it was sent, unaffected by changes of `req.url`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../support/http.js';
import { sameEach } from '../../support/compare.js';
import { frameworks } from '../../support/oracle.js';
import { mark, tracing } from '../../support/routing.js';

describe('req.originalUrl', () => {
  test('whole: is the full URL with its query string, in every router', () =>
    sameEach(
      tracing((app, web) => {
        app.use('/a', web.Router().use('/b', mark('in')), web().use(mark('sub-application')));
      }),
      ['/a/b?x=y', '/a/b/c?x=/a', '/a', 'http://example.com/a/b?c'],
    ));
  test('changed url: has no effect on it', () =>
    sameEach(
      tracing(app => {
        app.use((req, _res, next) => {
          req.url = '/other';
          next();
        });
        app.get('/other', mark('other'));
      }),
      ['/a?b=c'],
    ));
  test('equals: baseUrl followed by url', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().use(
        '/admin',
        (req, res) => void res.send(String(req.originalUrl === req.baseUrl + req.url)),
      );
      assert.equal((await ask(app, '/admin/new?sort=desc')).text, 'true');
    }
  });
  test('set before: keeps a value that was set before routing', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().use((req, res) => void res.send(req.originalUrl));
      const server = (req: object, res: object): void => {
        Object.assign(req, { originalUrl: '/kept' });
        (app as (req: object, res: object) => void)(req, res);
      };
      assert.equal((await ask(server, '/x')).text, '/kept');
    }
  });
});

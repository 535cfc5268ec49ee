/** `res.locals`: variables for the templates of one request, shared with sub-applications. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { answering, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';
import { tmpl, VIEWS } from '../../support/views.js';

describe('res.locals', () => {
  test('each request: has its own object without a prototype', async () => {
    await sameEach(
      answering((_req, res) => {
        const before = Object.keys(res.locals).length;
        res.locals.seen = true;
        res.json([before, Object.getPrototypeOf(res.locals) === null]);
      }),
      ['/', '/'],
    );
  });

  test('templates: see them together with the locals of the application', async () => {
    const answer = await same(web => {
      const app = web()
        .engine('tmpl', tmpl as never)
        .set('views', VIEWS);
      app.locals.title = 'application';
      return app.use((_req, res) => {
        res.locals.name = 'response';
        res.render('title.tmpl');
      });
    });
    assert.match(answer.text, /application.*response/s);
  });

  test('sub-app: sees the locals of its parent', async () => {
    await same(web => {
      const app = web();
      const sub = web();
      sub.get('/', (_req, res) => res.json(res.locals));
      app.use((_req, res, next) => {
        res.locals.from = 'parent';
        next();
      });
      return app.use('/sub', sub);
    }, '/sub');
  });
});

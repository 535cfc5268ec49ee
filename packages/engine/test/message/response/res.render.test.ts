/** `res.render`: renders a view and sends it as HTML, or passes it to a callback. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestHandler } from 'express';
import { answering, loose } from '../../support/compare.js';
import { same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { tmpl, VIEWS } from '../../support/views.js';

const viewing = (handler: RequestHandler) => (web: Web) => {
  const app = answering(
    (req, res, next) => {
      req.app.engine('tmpl', tmpl as never);
      handler(req, res, next);
    },
    { views: VIEWS },
  )(web);
  app.locals.title = 'app';
  return app;
};
const user = { user: { name: 'tobi' } };

describe('res.render', () => {
  test('view: is rendered and sent as HTML', async () => {
    const answer = await same(viewing((_req, res) => res.render('user.tmpl', user)));
    assert.equal(answer.text, '<p>tobi</p>');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    await same(viewing((_req, res) => res.render(`${VIEWS}/user.tmpl`, user)));
    await same(viewing((_req, res) => res.status(201).type('xml').render('user.tmpl', user)));
  });

  test('locals: merges those of the application, the response and the call, in this order', async () => {
    await same(viewing((_req, res) => res.render('title.tmpl')));
    await same(
      viewing((_req, res) => {
        Object.assign(res.locals, { title: 'response', name: 'r' });
        res.render('title.tmpl', { name: 'given' });
      }),
    );
    await same(viewing((_req, res) => loose(res).render!('title.tmpl', null)));
  });

  test('callback: gets the HTML, and nothing is sent', async () => {
    const answer = await same(
      viewing((_req, res) =>
        res.render('user.tmpl', user, (_err: unknown, html: string) => void res.send(`seen ${html}`)),
      ),
    );
    assert.equal(answer.text, 'seen <p>tobi</p>');
    await same(
      viewing((_req, res) =>
        res.render('title.tmpl', (_err: unknown, html: string) => void res.send(`seen ${html}`)),
      ),
    );
  });

  test('callback: gets the error', async () => {
    const answer = await same(
      viewing((_req, res) =>
        res.render('broken.tmpl', {}, (err: Error | null) => void res.send(err?.message)),
      ),
    );
    assert.equal(answer.text, 'view is broken');
  });

  test('error without a callback: goes to next', async () => {
    for (const view of ['broken.tmpl', 'none.tmpl']) {
      const answer = await same(viewing((_req, res) => res.render(view)));
      assert.match(answer.text, /^Error: (view is broken|Failed to lookup view "none.tmpl")/);
    }
    await same(viewing((_req, res) => res.render('user.tmpl', { fail: true })));
  });

  test('options._locals: are the locals of the response', async () => {
    await same(
      viewing((_req, res) => {
        const options: Record<string, unknown> = {};
        res.render('title.tmpl', options, () => res.json(options._locals === res.locals));
      }),
    );
  });

  test('app.render replaced: the replacement is called', async () => {
    await same(
      viewing((req, res) => {
        req.app.render = ((name: string, options: object, done: (e: null, html: string) => void) =>
          done(null, `own ${name} ${Object.keys(options).join()}`)) as never;
        res.render('user.tmpl', user);
      }),
    );
  });

  test('sub-app: renders with its own views', async () => {
    await same(web => {
      const sub = viewing((_req, res) => res.render('user.tmpl', user))(web);
      return web().use('/sub', sub);
    }, '/sub');
  });
});

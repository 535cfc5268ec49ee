/** Views with published template engines: ejs, pug, hbs and nunjucks. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../support/compare.js';
import { same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { VIEWS } from '../support/views.js';

const load = createRequire(__filename);
const names = ['tobi', '<loki>', 'jane & co'];
const LIST = '<ul><li>tobi</li><li>&lt;loki&gt;</li><li>jane &amp; co</li></ul>';

describe('View with engines of the registry', () => {
  for (const engine of ['ejs', 'pug', 'hbs']) {
    test(`${engine}: is loaded by its extension`, async () => {
      const build = answering((_req, res) => res.render(`list.${engine}`, { names, layout: false }), {
        views: VIEWS,
      });
      assert.equal((await same(build)).text, LIST);
      await sameEach(
        answering((_req, res) => res.render('list', { names, layout: false }), {
          views: VIEWS,
          'view engine': engine,
          'view cache': true,
        }),
        ['/', '/'],
      );
    });
  }

  test('ejs: errors in a view go to next', async () => {
    const answer = await same(answering((_req, res) => res.render('list.ejs'), { views: VIEWS }));
    assert.match(answer.text, /names is not defined/);
  });

  test('ejs: renderFile works under another extension, with view options', async () => {
    const { renderFile } = load('ejs') as { renderFile: never };
    await same((web: Web) => {
      const app = web()
        .engine('html', renderFile)
        .set('views', path.join(VIEWS, '..', 'views-html'));
      app.set('view engine', 'html').set('view options', { delimiter: '?' });
      return app.use((_req, res) => res.render('page', { title: 'T' }));
    });
  });

  test('hbs: renders with a layout, and with locals of the application and the response', async () => {
    const answer = await same((web: Web) => {
      const app = web();
      app.set('views', VIEWS).set('view engine', 'hbs');
      app.locals.names = ['application'];
      return app.use((_req, res) => res.render('list', { layout: 'layout' }));
    });
    assert.equal(answer.text, '<html><ul><li>application</li></ul></html>');
  });

  test('nunjucks: is configured with the application, and replaces view', async () => {
    const nunjucks = load('nunjucks') as { configure(views: string, options: object): unknown };
    const answer = await same((web: Web) => {
      const app = web();
      nunjucks.configure(VIEWS, { autoescape: true, express: app });
      app.set('view engine', 'njk');
      return app.use((_req, res) => res.render('list', { names }));
    });
    assert.equal(answer.text, LIST);
  });
});

/** Views with a published template engine: ejs. `proofs/compat` has the others. */
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
  test('ejs: is loaded by its extension', async () => {
    const build = answering((_req, res) => res.render('list.ejs', { names }), { views: VIEWS });
    assert.equal((await same(build)).text, LIST);
    await sameEach(
      answering((_req, res) => res.render('list', { names }), {
        views: VIEWS,
        'view engine': 'ejs',
        'view cache': true,
      }),
      ['/', '/'],
    );
  });

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
});

/** The setting `view engine`: the extension of views whose names have none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering } from '../support/compare.js';
import { same } from '../support/oracle.js';
import { tmpl, VIEWS } from '../support/views.js';

const rendering = (view: string, engine: unknown) =>
  answering(
    (req, res) => {
      req.app.engine('tmpl', tmpl as never);
      res.render(view, { user: { name: 'tobi' } });
    },
    { views: VIEWS, 'view engine': engine },
  );

describe('setting view engine', () => {
  test('default: is undefined, and names need an extension', async () => {
    const answer = await same(rendering('user', undefined));
    assert.match(answer.text, /^Error: No default engine was specified and no extension was provided\./);
    assert.equal((await same(rendering('user.tmpl', undefined))).status, 200);
  });

  test('value: is the extension of names that have none', async () => {
    for (const engine of ['tmpl', '.tmpl'])
      assert.equal((await same(rendering('user', engine))).text, '<p>tobi</p>');
  });

  test('value: names with an extension keep theirs', async () => {
    assert.equal((await same(rendering('user.tmpl', 'ejs'))).text, '<p>tobi</p>');
  });

  test('sub-app: inherits it', async () => {
    await same(web => {
      const sub = web();
      sub.set('views', VIEWS).engine('tmpl', tmpl as never);
      sub.get('/', (_req, res) => res.render('user', { user: { name: 'tobi' } }));
      return web().set('view engine', 'tmpl').use('/sub', sub);
    }, '/sub');
  });
});

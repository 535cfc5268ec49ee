/** The setting `views`: the directories that are searched for views. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { answering } from '../support/compare.js';
import { same } from '../support/oracle.js';
import { OTHER, tmpl, VIEWS } from '../support/views.js';

const rendering = (view: string, views: unknown) =>
  answering(
    (req, res) => {
      req.app.engine('tmpl', tmpl as never);
      res.render(view, { user: { name: 'tobi' } });
    },
    { views },
  );

describe('setting views', () => {
  test('default: is the directory views in the working directory', async () => {
    const answer = await same(answering((req, res) => res.send(req.app.get('views'))));
    assert.equal(answer.text, path.resolve('views'));
  });

  test('text: is the directory', async () => {
    assert.equal((await same(rendering('user.tmpl', VIEWS))).text, '<p>tobi</p>');
    await same(rendering('user.tmpl', path.relative(process.cwd(), VIEWS)));
  });

  test('array: is searched in order', async () => {
    assert.equal((await same(rendering('user.tmpl', [OTHER, VIEWS]))).text, '<p>other tobi</p>');
    assert.equal((await same(rendering('title.tmpl', [OTHER, VIEWS]))).status, 200);
    await same(rendering('none.tmpl', [OTHER, VIEWS]));
  });

  test('sub-app: does not inherit it', async () => {
    await same(web => {
      const sub = web();
      sub.get('/', (req, res) => res.send(req.app.get('views')));
      return web().set('views', VIEWS).use('/sub', sub);
    }, '/sub');
  });
});

/** The view constructor, which programs import from `lib/view` and modify. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import BaseView from 'ristretto/lib/view';
import web from 'ristretto3';
import ours from 'ristretto3/lib/view';
import './support/oracle.js';

type View = typeof ours;

const theirs = createRequire(__filename)('express3/lib/view') as View;
const root = path.join(__dirname, '../../engine/test/fixtures/views');
const engine = (file: string, _options: object, done: (err: unknown, html: string) => void): void =>
  done(null, path.basename(file));
const make = (View: View, name: string, defaultEngine?: string) =>
  new View(name, { root, engines: { '.tmpl': engine }, defaultEngine });

/** Asserts that both give the same result; returns ours. */
function same<T>(look: (View: View) => T): T {
  const mine = look(ours);
  assert.deepEqual(mine, look(theirs));
  return mine;
}

describe('view', () => {
  test('members: has name, root, defaultEngine, ext, engine and path, lookup and render', () => {
    const members = same(View => Object.assign({}, make(View, 'user', 'tmpl')));
    assert.equal(members.path, path.join(root, 'user.tmpl'));
    same(View => Object.assign({}, make(View, 'user.tmpl')));
    same(View => make(View, path.join(root, 'user.tmpl')).path);
    same(View => make(View, 'nope.tmpl').path);
    same(View => make(View, 'user.tmpl').lookup('user.tmpl'));
    assert.throws(() => make(ours, 'user'), /No default engine was specified/);
    let html: unknown;
    make(ours, 'user.tmpl').render({}, (_err, text) => (html = text));
    assert.equal(html, 'user.tmpl');
  });

  test('setting: is the constructor of applications, and only they use members replaced on it', () => {
    const app = web();
    assert.equal(app.get('view'), ours);
    const { lookup } = ours.prototype;
    const asked: string[] = [];
    ours.prototype.lookup = function (this: InstanceType<View>, name: string) {
      asked.push(name);
      return path.join(this.root as string, `other${this.ext}`);
    };
    try {
      let html: unknown;
      app.set('views', root).engine('tmpl', engine);
      app.render('user.tmpl', (_err: unknown, text: unknown) => (html = text));
      assert.equal(html, 'other.tmpl');
      assert.deepEqual(asked, ['user.tmpl']);
      assert.equal(make(BaseView as unknown as View, 'user.tmpl').path, path.join(root, 'user.tmpl'));
    } finally {
      ours.prototype.lookup = lookup;
    }
  });
});

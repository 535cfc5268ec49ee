/** The view constructor: its properties, lookup and rendering, and how it loads engine modules. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import util from 'node:util';
import { OTHER, tmpl, VIEWS } from '../support/views.js';

interface View {
  name: string;
  ext: string;
  root: string | string[];
  defaultEngine?: string;
  engine: unknown;
  path?: string;
  lookup(name: string): string | undefined;
  resolve(directory: string, file: string): string | undefined;
  render(options: object, callback: (err: unknown, html?: string) => void): void;
}
interface ViewConstructor {
  new (name: string, options?: object): View;
  call(self: object, name: string, options: object): void;
  prototype: View;
}

const load = createRequire(__filename);
const implementations = {
  ristretto: load('ristretto/lib/view') as ViewConstructor,
  express: load('express/lib/view') as ViewConstructor,
};
const engines = (): Record<string, unknown> => ({ '.tmpl': tmpl });
const options = (more: object = {}) => ({ engines: engines(), root: VIEWS, ...more });

for (const [framework, View] of Object.entries(implementations)) {
  describe('View', () => {
    test(`constructor: is a plain function that can be called on other objects (${framework})`, () => {
      const own = Object.create(View.prototype) as View;
      View.call(own, 'user.tmpl', options());
      assert.equal(own.path, `${VIEWS}/user.tmpl`);
      function Sub(this: object, name: string, given: object) {
        View.call(this, name, given);
      }
      util.inherits(Sub, View);
      const view = new (Sub as unknown as ViewConstructor)('user.tmpl', options());
      assert.ok(view instanceof (View as unknown as new () => View));
      assert.equal(view.resolve(VIEWS, 'user.tmpl'), `${VIEWS}/user.tmpl`);
    });

    test(`constructor: has the same name, length and prototype members (${framework})`, () => {
      const { name, length } = View as unknown as { name: string; length: number };
      assert.deepEqual([name, length], ['View', 2]);
      assert.deepEqual(Object.keys(View.prototype).sort(), ['lookup', 'render', 'resolve']);
      assert.deepEqual([View.prototype.lookup.name, View.prototype.lookup.length], ['lookup', 1]);
      assert.deepEqual([View.prototype.render.name, View.prototype.render.length], ['render', 2]);
      assert.deepEqual([View.prototype.resolve.name, View.prototype.resolve.length], ['resolve', 2]);
      assert.equal(View.prototype.constructor, View);
    });

    test(`properties: are name, ext, root, defaultEngine, engine and path (${framework})`, () => {
      const view = new View('user', options({ defaultEngine: 'tmpl' }));
      assert.deepEqual(
        { ...view },
        {
          defaultEngine: 'tmpl',
          ext: '.tmpl',
          name: 'user',
          root: VIEWS,
          engine: tmpl,
          path: `${VIEWS}/user.tmpl`,
        },
      );
      assert.deepEqual(Object.keys(view), ['defaultEngine', 'ext', 'name', 'root', 'engine', 'path']);
      assert.equal(new View('none.tmpl', options()).path, undefined);
    });

    test(`options missing: throws an Error (${framework})`, () => {
      const message = 'No default engine was specified and no extension was provided.';
      assert.throws(() => new View('user'), { name: 'Error', message });
      assert.throws(() => new View('user.tmpl', { root: VIEWS }), { name: 'TypeError' });
      assert.throws(() => new View(5 as never, options()), { name: 'TypeError' });
    });

    test(`lookup: returns the file in the first root that has it (${framework})`, () => {
      const view = new View('user.tmpl', options({ root: [OTHER, VIEWS] }));
      assert.equal(view.path, `${OTHER}/user.tmpl`);
      assert.equal(view.lookup('title.tmpl'), `${VIEWS}/title.tmpl`);
      assert.equal(view.lookup('none.tmpl'), undefined);
      assert.equal(view.lookup(`${VIEWS}/user.tmpl`), `${VIEWS}/user.tmpl`);
    });

    test(`resolve: returns the file, or index in a directory of its name (${framework})`, () => {
      const view = new View('user.tmpl', options());
      assert.equal(view.resolve(VIEWS, 'user.tmpl'), `${VIEWS}/user.tmpl`);
      assert.equal(view.resolve(`${VIEWS}/blog`, 'post.tmpl'), `${VIEWS}/blog/post/index.tmpl`);
      assert.equal(view.resolve(VIEWS, 'folder.tmpl'), undefined);
      assert.equal(view.resolve(`${VIEWS}/user.tmpl`, 'x.tmpl'), undefined);
      assert.equal(view.resolve(VIEWS, 'a\0.tmpl'), undefined);
    });

    test(`render: calls the engine with path, options and callback (${framework})`, () => {
      const view = new View('user.tmpl', options());
      let html: string | undefined;
      view.render({ user: { name: 'tobi' } }, (_err, text) => (html = text));
      assert.equal(html, '<p>tobi</p>');
    });
  });
}

describe('View engine modules', () => {
  const { ristretto: View } = implementations;
  const workingDirectory = process.cwd();
  let directory = '';

  before(() => {
    directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'views-')));
    addModule(
      'engine-web',
      `exports.__web = (p, o, done) => done(null, 'web'); exports.__express = () => {};`,
    );
    addModule('engine-express', `exports.__express = (p, o, done) => done(null, 'express');`);
    addModule('engine-none', `exports.renderFile = () => {};`);
    addModule('engine-broken', `require('a-module-that-is-not-there');`);
    process.chdir(directory);
  });
  after(() => {
    process.chdir(workingDirectory);
    fs.rmSync(directory, { recursive: true });
  });

  function addModule(name: string, source: string): void {
    const folder = path.join(directory, 'node_modules', name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'index.js'), source);
    fs.writeFileSync(path.join(directory, `view.${name}`), '');
  }
  const make = (name: string, known: Record<string, unknown> = {}) =>
    new View(`view.${name}`, { engines: known, root: directory });

  test('__web: takes precedence over __express', () => {
    let html: string | undefined;
    make('engine-web').render({}, (_err, text) => (html = text));
    assert.equal(html, 'web');
  });

  test('__express: is used if there is no __web', () => {
    let html: string | undefined;
    make('engine-express').render({}, (_err, text) => (html = text));
    assert.equal(html, 'express');
  });

  test('neither: throws an Error that names the module', () => {
    assert.throws(() => make('engine-none'), {
      name: 'Error',
      message: 'Module "engine-none" does not provide a view engine.',
    });
  });

  test('loaded once: the engine is kept under the extension', () => {
    const known: Record<string, unknown> = {};
    const view = make('engine-web', known);
    assert.equal(known['.engine-web'], view.engine);
    known['.engine-web'] = tmpl;
    assert.equal(make('engine-web', known).engine, tmpl);
  });

  test('module missing: throws MODULE_NOT_FOUND that names it', () => {
    assert.throws(() => make('engine-missing'), {
      code: 'MODULE_NOT_FOUND',
      message: /^Cannot find module 'engine-missing'/,
    });
  });

  test('module that fails to load: throws its own error', () => {
    assert.throws(() => make('engine-broken'), {
      message: /^Cannot find module 'a-module-that-is-not-there'/,
    });
  });
});

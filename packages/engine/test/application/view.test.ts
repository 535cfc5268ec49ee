/** How views are found and rendered, and the settings for it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import util from 'node:util';
import { answering, sameEach } from '../support/compare.js';
import { inEnvironment } from '../support/environment.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
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

/** The view constructor: its properties, lookup and rendering, and how it loads engine modules. */
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

const names = ['tobi', '<loki>', 'jane & co'];
const LIST = '<ul><li>tobi</li><li>&lt;loki&gt;</li><li>jane &amp; co</li></ul>';

/** Views with a published template engine: ejs. `proofs/compat` has the others. */
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

/**
 * Renders a view, changes the views directory and renders again: a cached view still renders from the first directory.
 */
function kept(web: Web, prepare: (app: ReturnType<Web>) => void, options = {}): boolean {
  const app = web();
  prepare(app);
  app.set('views', VIEWS).engine('tmpl', tmpl as never);
  const texts: unknown[] = [];
  const locals = { user: { name: 'tobi' }, ...options };
  app.render('user.tmpl', locals, (_err, html) => texts.push(html));
  app.set('views', OTHER);
  app.render('user.tmpl', locals, (_err, html) => texts.push(html));
  return texts[0] === texts[1];
}

/** The setting `view cache`: whether views are cached, and its default in production. */
for (const [framework, web] of Object.entries(frameworks)) {
  describe('setting view cache', () => {
    test(`default: is undefined outside of production (${framework})`, () => {
      assert.equal(web().get('view cache'), undefined);
      assert.equal(
        kept(web, () => {}),
        false,
      );
    });

    test(`default in production: is enabled (${framework})`, () => {
      assert.equal(
        inEnvironment({ NODE_ENV: 'production' }, () => web().get('view cache')),
        true,
      );
      assert.equal(
        inEnvironment({ NODE_ENV: 'production' }, () => kept(web, () => {})),
        true,
      );
    });

    test(`true: views are cached, unless the local cache is false (${framework})`, () => {
      assert.equal(
        kept(web, app => app.enable('view cache')),
        true,
      );
      assert.equal(
        kept(web, app => app.enable('view cache'), { cache: false }),
        false,
      );
    });

    test(`false: views are not cached, unless the local cache is true (${framework})`, () => {
      assert.equal(
        kept(web, app => app.disable('view cache')),
        false,
      );
      assert.equal(
        kept(web, app => app.disable('view cache'), { cache: true }),
        true,
      );
    });
  });
}

describe('setting view engine', () => {
  const rendering = (view: string, engine: unknown) =>
    answering(
      (req, res) => {
        req.app.engine('tmpl', tmpl as never);
        res.render(view, { user: { name: 'tobi' } });
      },
      { views: VIEWS, 'view engine': engine },
    );

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
});

describe('setting views', () => {
  const rendering = (view: string, views: unknown) =>
    answering(
      (req, res) => {
        req.app.engine('tmpl', tmpl as never);
        res.render(view, { user: { name: 'tobi' } });
      },
      { views },
    );

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
});

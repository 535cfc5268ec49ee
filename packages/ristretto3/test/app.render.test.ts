/** Rendering views, their variables, and the view constructor. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import BaseView from 'ristretto/lib/view';
import web from 'ristretto3';
import ourView from 'ristretto3/lib/view';
import { adding, found, frameworks, looking, onError, ours, same, serves } from './support/oracle.js';
import type { App } from './support/oracle.js';

const views = path.join(__dirname, '../../engine/test/fixtures/views');

/** An engine that renders the names and values of its locals. */
function notingEngine(file: string, options: object, callback: (err: unknown, html: string) => void): void {
  const locals = options as Record<string, unknown>;
  const shown = Object.keys(locals)
    .filter(name => !['settings', '_locals'].includes(name))
    .map(name => `${name}=${String(locals[name])}`);
  callback(null, `${path.basename(file)} ${shown.join()}`);
}

function addViews(app: App): App {
  app.set('views', views).engine('.tmpl', notingEngine).engine('html', notingEngine);
  return app;
}

const view = 'user.tmpl';

/** Registers a test of an application with views: both respond alike, and ours with this text or status. */
const shows = (title: string, add: (app: App) => unknown, expected: string | number, send = same) =>
  serves(title, app => add(addViews(app)), { '/': expected }, send);

describe('app.render', () => {
  shows(
    'callback: gets the text, rendered with the locals of the application and the given ones',
    app => {
      app.locals({ title: 'Blog', x: 'app' });
      app.get('/', (_req, res) =>
        app.render(view, { x: 'given' }, (_err: unknown, html?: string) => res.send(html)),
      );
    },
    'user.tmpl title=Blog,x=given,cache=false',
  );

  shows(
    'callback: gets an error if the view does not exist',
    app => app.get('/', (_req, res) => app.render('none.tmpl', (err: Error) => res.send(err.message))),
    `Failed to lookup view "none.tmpl" in views directory "${views}"`,
  );

  shows(
    'settings: view engine and views are used, and views may list several directories',
    app =>
      app
        .set('view engine', 'tmpl')
        .set('views', ['/nowhere', views])
        .get('/', (_req, res) => res.render('user')),
    'user.tmpl cache=false',
    ours as typeof same,
  );
});

describe('res.render', () => {
  test('locals: application, response and given locals are merged, each overriding the one before', async () => {
    const build = adding(app => {
      addViews(app).locals({ a: 'app', b: 'app', c: 'app' });
      app.get('/', (_req, res) => {
        res.locals({ b: 'res', c: 'res' });
        res.render(view, { c: 'given' });
      });
    });
    const { headers, text } = await same(build);
    assert.equal(text, 'user.tmpl a=app,b=res,c=given,cache=false');
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  });

  shows(
    'callback: gets the text, and nothing is sent',
    app =>
      app.get('/', (_req, res) =>
        res.render(view, (_err: unknown, html?: string) => res.send(201, `<${String(html)}>`)),
      ),
    '<user.tmpl cache=false>',
  );

  shows(
    'error: goes to the error handlers',
    app =>
      app
        .get('/', (_req, res) => res.render('none.tmpl'))
        .use(onError((err, _req, res, _next) => res.send(501, (err as Error).message))),
    501,
  );
});

const { ristretto3: legacy } = frameworks;

/** Variables for views, of the application and of a response. */
describe('app.locals', () => {
  test('function: assigns the given properties and returns the given object', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      const values = { title: 'Blog', email: 'a@b.c' };
      assert.equal(typeof app.locals, 'function');
      assert.equal(app.locals(values), values);
      app.locals.year = 2013;
      assert.deepEqual(Object.keys(app.locals), ['settings', 'title', 'email', 'year']);
      assert.equal(app.locals.title, 'Blog');
    }
  });

  test('settings: is the only local at first', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      assert.deepEqual(Object.keys(app.locals), ['settings']);
      assert.equal(app.locals.settings, app.settings);
    }
  });

  test('reserved: names of function properties are not assigned, and nothing breaks', () => {
    for (const framework of Object.values(frameworks)) {
      const { locals } = framework();
      locals({ name: 'x', length: 9, a: 1 });
      assert.deepEqual([locals.name, locals.a, typeof locals.call], ['locals', 1, 'function']);
    }
  });

  test('values: a value that is not an object is returned and ignored', () => {
    for (const value of [undefined, null, 5]) {
      const { locals } = legacy();
      assert.equal(locals(value), value);
      assert.deepEqual(Object.keys(locals), ['settings']);
    }
  });

  test('prototype: is not replaced by a property __proto__', () => {
    const { locals } = legacy();
    locals(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'));
    assert.equal(locals.polluted, undefined);
    assert.equal(Object.getPrototypeOf(locals), Function.prototype);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('sub-app: has its own locals', () => {
    const [app, child] = [legacy(), legacy()];
    app.locals({ a: 1 });
    app.use('/child', child);
    assert.equal(child.locals.a, undefined);
  });
});

describe('res.locals', () => {
  test('function: assigns properties; each response has its own locals', async () => {
    const look = looking((_req, res) => {
      const before = Object.keys(res.locals);
      const values = { a: 1 };
      const returned = res.locals(values) === values;
      res.locals.b = 2;
      return [typeof res.locals, before, returned, res.locals.a, res.locals.b];
    });
    assert.equal((await same(look)).text, "[ 'function', [], true, 1, 2 ]");
    assert.deepEqual(await found((_req, res) => Object.keys(res.locals)), []);
  });

  test('assignment: replaces the locals', async () => {
    assert.deepEqual(
      await found((_req, res) => {
        res.locals = { mine: 1 } as never;
        return res.locals;
      }),
      { mine: 1 },
    );
  });
});

type View = typeof ourView;
const theirs = createRequire(__filename)('express3/lib/view') as View;
const root = path.join(__dirname, '../../engine/test/fixtures/views');

const engine = (file: string, _options: object, done: (err: unknown, html: string) => void): void =>
  done(null, path.basename(file));

const make = (View: View, name: string, defaultEngine?: string) =>
  new View(name, { root, engines: { '.tmpl': engine }, defaultEngine });

/** The view constructor, which programs import from `lib/view` and modify. */
describe('view', () => {
  /** Asserts that both give the same result; returns ours. */
  function same<T>(look: (View: View) => T): T {
    const mine = look(ourView);
    assert.deepEqual(mine, look(theirs));
    return mine;
  }

  test('members: has name, root, defaultEngine, ext, engine and path, lookup and render', () => {
    const members = same(View => Object.assign({}, make(View, 'user', 'tmpl')));
    assert.equal(members.path, path.join(root, 'user.tmpl'));
    same(View => Object.assign({}, make(View, 'user.tmpl')));
    same(View => make(View, path.join(root, 'user.tmpl')).path);
    same(View => make(View, 'nope.tmpl').path);
    same(View => make(View, 'user.tmpl').lookup('user.tmpl'));
    assert.throws(() => make(ourView, 'user'), /No default engine was specified/);
    let html: unknown;
    make(ourView, 'user.tmpl').render({}, (_err, text) => (html = text));
    assert.equal(html, 'user.tmpl');
  });

  test('setting: is the constructor of applications, and only they use members replaced on it', () => {
    const app = web();
    assert.equal(app.get('view'), ourView);
    const { lookup } = ourView.prototype;
    const asked: string[] = [];
    ourView.prototype.lookup = function (this: InstanceType<View>, name: string) {
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
      ourView.prototype.lookup = lookup;
    }
  });
});

/** `app.render`, `app.engine`, `app.locals`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask, askPort, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { OTHER, tmpl, VIEWS } from '../support/views.js';

type App = ReturnType<Web>;

interface Outcome {
  html?: string | undefined;
  error?: string;
  view?: unknown;
  thrown?: string;
}

/** Returns the outcome of rendering: the text, the error passed to the callback, or the error thrown. */
function outcome(app: App, ...given: unknown[]): Outcome {
  let result: Outcome = {};
  const done = (err: (Error & { view?: { name: string } }) | null, html?: string) => {
    result = err ? { error: `${err.name}: ${err.message}`, view: err.view?.name } : { html };
  };
  try {
    (app.render as (...all: unknown[]) => void)(...given, done);
  } catch (err) {
    result = { thrown: firstLine(err) };
  }
  return result;
}

function firstLine(err: unknown): string {
  return `${(err as Error).name}: ${(err as Error).message.split('\n')[0] ?? ''}`;
}

/** Returns the outcome, after asserting that both frameworks have the same one. */
function both(act: (app: App) => unknown): unknown {
  const [ours, theirs] = Object.values(frameworks).map(web => {
    const app = web();
    app.set('views', VIEWS).engine('tmpl', tmpl as never);
    app.locals.title = 'app';
    return act(app);
  });
  assert.deepEqual(ours, theirs);
  return ours;
}

const user = { user: { name: 'tobi' } };

describe('app.render', () => {
  test('view: is resolved relative to views, or is absolute', () => {
    assert.deepEqual(
      both(app => outcome(app, 'user.tmpl', user)),
      { html: '<p>tobi</p>' },
    );
    both(app => outcome(app, `${OTHER}/user.tmpl`, user));
    both(app => outcome(app, '../views-other/only.tmpl', user));
  });

  test('view without extension: uses the extension from view engine', () => {
    both(app => outcome(app.set('view engine', 'tmpl'), 'user', user));
    both(app => outcome(app.set('view engine', '.tmpl'), 'user', user));
    assert.deepEqual(
      both(app => outcome(app, 'user', user)),
      { thrown: 'Error: No default engine was specified and no extension was provided.' },
    );
  });

  test('view that is a directory: renders its index', () => {
    both(app => outcome(app.set('view engine', 'tmpl'), 'blog/post'));
    both(app => outcome(app, 'blog/post.tmpl'));
    both(app => outcome(app, 'folder.tmpl'));
    both(app => outcome(app, ''));
  });

  test('view missing: reports an error with the view and the directories', () => {
    assert.deepEqual(
      both(app => outcome(app, 'none.tmpl')),
      { error: `Error: Failed to lookup view "none.tmpl" in views directory "${VIEWS}"`, view: 'none.tmpl' },
    );
    for (const views of [[], ['/a'], ['/a', '/b'], ['/a', '/b', '/c'], ['/a', '/b', '/c', '/d']]) {
      both(app => outcome(app.set('views', views), 'none.tmpl'));
    }
    both(app => outcome(app.set('views', undefined), 'user.tmpl'));
  });

  test('view that is not a string: throws a TypeError', () => {
    for (const view of [undefined, 5, null, {}]) both(app => outcome(app, view, {}));
  });

  test('engine module missing or without engine function: throws', () => {
    assert.deepEqual(
      both(app => outcome(app, 'user.nosuchengine')),
      { thrown: "Error: Cannot find module 'nosuchengine'" },
    );
    assert.deepEqual(
      both(app => outcome(app, 'user.fs')),
      { thrown: 'Error: Module "fs" does not provide a view engine.' },
    );
  });

  test('locals: merges those of the application, _locals and the arguments, in this order', () => {
    both(app => outcome(app, 'title.tmpl'));
    both(app => outcome(app, 'title.tmpl', { title: 'given', name: 'x' }));
    both(app => outcome(app, 'title.tmpl', { _locals: { title: 'response', name: 'r' } }));
    assert.deepEqual(
      both(app => outcome(app, 'title.tmpl', { _locals: { title: 'response', name: 'r' }, name: 'given' })),
      { html: '<p>response and given</p>' },
    );
    both(app => outcome(app, 'title.tmpl', Object.create({ name: 'inherited' })));
    both(app => outcome(app, 'title.tmpl', null));
  });

  test('locals with __proto__: do not change the prototype', () => {
    const locals = JSON.parse('{"__proto__": {"name": "polluted"}}') as object;
    const app = frameworks.ristretto();
    app.set('views', VIEWS).engine('tmpl', tmpl as never);
    assert.deepEqual(outcome(app, 'title.tmpl', locals), { html: '<p>undefined and undefined</p>' });
  });

  test('locals.settings: are the application’s settings', () => {
    both(app => {
      let settings: object = {};
      app.engine(
        'tmpl',
        ((_path: string, options: { settings: object }) => (settings = options.settings)) as never,
      );
      outcome(app, 'user.tmpl');
      return settings === app.locals.settings && Object.keys(settings).length > 5;
    });
  });

  test('callback: receives the error that the engine passes or throws', () => {
    assert.deepEqual(
      both(app => outcome(app, 'broken.tmpl')),
      { error: 'Error: view is broken', view: undefined },
    );
    assert.deepEqual(
      both(app => outcome(app, 'user.tmpl', { fail: true })),
      { error: 'Error: engine failed', view: undefined },
    );
  });

  test('callback missing: throws a TypeError', () => {
    both(app => {
      try {
        app.render('user.tmpl', user);
      } catch (err) {
        return (err as Error).name;
      }
      return 'nothing thrown';
    });
  });

  test('cache: keeps the view if true, and not if false or absent', () => {
    const lookups = (app: App, options: object) => {
      let count = 0;
      const Original = app.get('view') as new (name: string, given: object) => object;
      app.set('view', function (this: object, name: string, given: object) {
        count++;
        return new Original(name, given);
      });
      for (let n = 0; n < 3; n++) outcome(app, 'user.tmpl', { ...user, ...options });
      return count;
    };
    assert.equal(
      both(app => lookups(app, { cache: true })),
      1,
    );
    assert.equal(
      both(app => lookups(app, { cache: false })),
      3,
    );
    both(app => lookups(app, {}));
    both(app => lookups(app.enable('view cache'), {}));
    both(app => lookups(app.enable('view cache'), { cache: false }));
    both(app => lookups(app.enable('view cache'), { cache: null }));
  });

  test('cache: looks up a view again after it was not found', () => {
    both(app => {
      const first = outcome(app.set('views', OTHER), 'title.tmpl', { cache: true });
      return [first, outcome(app.set('views', VIEWS), 'title.tmpl', { cache: true })];
    });
  });

  test('cache: treats names that objects inherit like any other view', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const app = frameworks.ristretto();
      app
        .set('views', VIEWS)
        .set('view engine', 'tmpl')
        .enable('view cache')
        .engine('tmpl', tmpl as never);
      const { error } = outcome(app, name);
      assert.equal(error, `Error: Failed to lookup view "${name}" in views directory "${VIEWS}"`);
    }
  });

  test('locals as callback: the options may be omitted', () => {
    both(app => outcome(app, 'blog/post.tmpl'));
  });
});

/** `app.engine`: maps a file extension to a template engine, for sub-applications too. */
for (const [framework, web] of Object.entries(frameworks)) {
  describe('app.engine', () => {
    test(`ext: is accepted with or without the dot (${framework})`, async () => {
      for (const ext of ['.tmpl', 'tmpl']) {
        const app = web();
        app.set('views', VIEWS).engine(ext, tmpl as never);
        assert.equal(await rendered(app, 'user.tmpl'), '<p>tobi</p>');
      }
    });

    test(`ext: can map another extension to an engine (${framework})`, async () => {
      const app = web();
      let file = '';
      app.set('views', VIEWS).engine('ejs', ((
        path: string,
        _options: unknown,
        done: (e: null, t: string) => void,
      ) => {
        file = path;
        done(null, 'mine');
      }) as never);
      assert.equal(await rendered(app, 'list.ejs'), 'mine');
      assert.equal(file, `${VIEWS}/list.ejs`);
    });

    test(`callback: receives path, options and callback, with the view as this (${framework})`, async () => {
      const app = web();
      let seen: unknown[] = [];
      app.set('views', VIEWS).engine('tmpl', function (this: { name: string }, ...given: unknown[]) {
        seen = [this.name, given.length, given[0], Object.keys(given[1] as object)];
        (given[2] as (e: null, t: string) => void)(null, 'x');
      } as never);
      await rendered(app, 'user.tmpl');
      assert.deepEqual(seen, ['user.tmpl', 3, `${VIEWS}/user.tmpl`, ['settings', 'user', 'cache']]);
    });

    test(`callback missing: throws an Error (${framework})`, () => {
      for (const none of [undefined, null, 'ejs', {}]) {
        assert.throws(() => web().engine('x', none as never), {
          name: 'Error',
          message: 'callback function required',
        });
      }
    });

    test(`returned value: is the application (${framework})`, () => {
      const app = web();
      assert.equal(app.engine('x', tmpl as never), app);
    });

    test(`sub-app: inherits engines (${framework})`, async () => {
      const app = web();
      const sub = web();
      app.engine('tmpl', tmpl as never).use(sub);
      sub.set('views', VIEWS);
      assert.equal(await rendered(sub, 'user.tmpl'), '<p>tobi</p>');
    });
  });
}

function rendered(app: ReturnType<typeof frameworks.express>, view: string): Promise<string> {
  return new Promise((resolve, reject) => {
    app.render(view, { user: { name: 'tobi' } }, (err: Error | null, html) =>
      err ? reject(err) : resolve(html),
    );
  });
}

describe('app.locals', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`settings: is the only initial property (${framework})`, () => {
      const app = web();
      assert.deepEqual(Object.keys(app.locals), ['settings']);
      assert.equal(app.locals.settings, (app as unknown as { settings: unknown }).settings);
    });
    test(`prototype: is null, so that every name is free (${framework})`, () => {
      assert.equal(Object.getPrototypeOf(web().locals), null);
      assert.equal(web().locals.constructor, undefined);
    });
    test(`life: persists between requests (${framework})`, async () => {
      const app = web();
      app.locals.count = 0;
      app.get('/', (req, res) => void res.send(String(++req.app.locals.count)));
      await withServer(app, async port => {
        assert.equal((await askPort(port)).text, '1');
        assert.equal((await askPort(port)).text, '2');
      });
    });
    test(`sub-app: has its own locals (${framework})`, () => {
      const app = web();
      const sub = web();
      app.locals.title = 'outer';
      app.use(sub);
      assert.equal(sub.locals.title, undefined);
      assert.equal(sub.locals.settings, (sub as unknown as { settings: unknown }).settings);
    });
    test(`templates: can read app.locals; res.locals take precedence (${framework})`, async () => {
      const app = web().set('env', 'test');
      app.set('view', function view(this: Record<string, unknown>, name: string) {
        this.path = name;
        this.render = (options: Record<string, unknown>, done: (err: null, text: string) => void) => {
          done(null, `${String(options.a)} ${String(options.b)} ${String(options.c)}`);
        };
      });
      Object.assign(app.locals, { a: 'app', b: 'app', c: 'app' });
      app.get('/', (_req, res) => {
        Object.assign(res.locals, { b: 'res', c: 'res' });
        res.render('any', { c: 'own' });
      });
      assert.equal((await ask(app)).text, 'app res own');
    });
  }
});

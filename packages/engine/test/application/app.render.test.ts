/** `app.render`: finds a view, merges its locals and passes the result or the error to the callback. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

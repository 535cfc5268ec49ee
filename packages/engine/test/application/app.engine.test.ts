/** `app.engine`: maps a file extension to a template engine, for sub-applications too. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import { tmpl, VIEWS } from '../support/views.js';

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

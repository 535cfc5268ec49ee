/** The setting `view cache`: whether views are cached, and its default in production. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { OTHER, tmpl, VIEWS } from '../support/views.js';

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

function inProduction<T>(act: () => T): T {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return act();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

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
        inProduction(() => web().get('view cache')),
        true,
      );
      assert.equal(
        inProduction(() => kept(web, () => {})),
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

    test(`sub-app: inherits it, but not the default of production (${framework})`, () => {
      const inherited = (prepare: (parent: ReturnType<Web>) => void) => {
        const parent = web();
        const sub = web();
        prepare(parent);
        parent.use(sub);
        return sub.get('view cache') as unknown;
      };
      assert.equal(
        inherited(parent => parent.enable('view cache')),
        true,
      );
      assert.equal(
        inherited(parent => parent.disable('view cache')),
        false,
      );
    });
  });
}

/** Rendering views with `app.render` and `res.render`. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ours, same } from './support/oracle.js';
import type { App, Build, Web } from './support/oracle.js';

const views = path.join(__dirname, '../../engine/test/fixtures/views');

/** An engine that renders the names and values of its locals. */
function engine(file: string, options: object, callback: (err: unknown, html: string) => void): void {
  const locals = options as Record<string, unknown>;
  const shown = Object.keys(locals)
    .filter(name => !['settings', '_locals'].includes(name))
    .map(name => `${name}=${String(locals[name])}`);
  callback(null, `${path.basename(file)} ${shown.join()}`);
}

function appOf(web: Web): App {
  const app = web();
  app.set('views', views).engine('.tmpl', engine).engine('html', engine);
  return app;
}
const view = 'user.tmpl';

describe('app.render', () => {
  test('callback: gets the text, rendered with the locals of the application and the given ones', async () => {
    const build: Build = web => {
      const app = appOf(web);
      app.locals({ title: 'Blog', x: 'app' });
      return app.get('/', (_req, res) =>
        app.render(view, { x: 'given' }, (_err: unknown, html?: string) => res.send(html)),
      );
    };
    assert.equal((await same(build)).text, 'user.tmpl title=Blog,x=given,cache=false');
  });

  test('callback: gets an error if the view does not exist', async () => {
    const build: Build = web => {
      const app = appOf(web);
      return app.get('/', (_req, res) => app.render('none.tmpl', (err: Error) => res.send(err.message)));
    };
    assert.match((await same(build)).text, /^Failed to lookup view "none\.tmpl" in views directory/);
  });

  test('settings: view engine and views are used, and views may list several directories', async () => {
    const build: Build = web => {
      const app = appOf(web).set('view engine', 'tmpl').set('views', ['/nowhere', views]);
      return app.get('/', (_req, res) => res.render('user'));
    };
    assert.equal((await ours(build)).text, 'user.tmpl cache=false');
  });
});

describe('res.render', () => {
  test('locals: application, response and given locals are merged, each overriding the one before', async () => {
    const build: Build = web => {
      const app = appOf(web);
      app.locals({ a: 'app', b: 'app', c: 'app' });
      return app.get('/', (_req, res) => {
        res.locals({ b: 'res', c: 'res' });
        res.render(view, { c: 'given' });
      });
    };
    const answer = await same(build);
    assert.equal(answer.text, 'user.tmpl a=app,b=res,c=given,cache=false');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('callback: gets the text, and nothing is sent', async () => {
    const build: Build = web =>
      appOf(web).get('/', (_req, res) =>
        res.render(view, (_err: unknown, html?: string) => res.send(201, `<${String(html)}>`)),
      );
    assert.equal((await same(build)).text, '<user.tmpl cache=false>');
  });

  test('error: goes to the error handlers', async () => {
    const build: Build = web =>
      appOf(web)
        .get('/', (_req, res) => res.render('none.tmpl'))
        .use((err, _req, res, _next) => res.send(501, (err as Error).message));
    assert.equal((await same(build)).status, 501);
  });
});

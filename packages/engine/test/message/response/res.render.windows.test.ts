// runs: alone, built
/** `res.render` on Windows: views and their paths. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler } from 'express';
import { ask } from '../../support/http.js';
import type { Web } from '../../support/oracle.js';
import { frameworks, WORKING_DIRECTORY } from '../../support/windows.js';

/** Returns the path that the engine receives for a view, or the message of the error. */
async function render(web: Web, view: string, views?: string | string[]): Promise<string> {
  const app = web();
  app.engine('tmpl', (file: string, _options: object, done: (error: unknown, html: string) => void) =>
    done(null, file),
  );
  app.set('view engine', 'tmpl');
  if (views !== undefined) app.set('views', views);
  app.get('/', (_req, res) => res.render(view));
  app.use(((error, _req, res, _next) => void res.end(error.message)) as ErrorRequestHandler);
  return (await ask(app)).text;
}

describe('res.render on Windows', () => {
  test('finds views below the working directory by names with both separators, as Express does', async () => {
    const expected = {
      page: 'page.tmpl',
      'page.tmpl': 'page.tmpl',
      blog: 'blog\\index.tmpl',
      'blog/index': 'blog\\index.tmpl',
      'blog\\index': 'blog\\index.tmpl',
      [`${WORKING_DIRECTORY}\\views\\page`]: 'page.tmpl',
    };
    for (const web of Object.values(frameworks)) {
      for (const [name, file] of Object.entries(expected)) {
        assert.equal(await render(web, name), `C:\\app\\views\\${file}`);
      }
    }
  });

  test('searches every folder of the list, on other drives too, and names them in the error', async () => {
    for (const web of Object.values(frameworks)) {
      const views = ['D:\\views', '..\\app/views'];
      assert.equal(await render(web, 'page', views), 'C:\\app\\views\\page.tmpl');
      assert.match(await render(web, 'none', views), /in views directories "D:\\views" or "..\\app\/views"/);
    }
  });
});

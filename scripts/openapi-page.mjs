/**
 * Tests the page of `web.openApiPage` in a browser: it loads under its policy, lists the operations, and sends a request.
 *
 *     npm run openapi-page
 *
 * Requires built packages. Without Chromium, it prints a notice and exits with 0.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inBrowser, openPage } from './browser.mjs';
import { readOptions } from './options.cjs';
import { root } from './test-files.mjs';

/** Creates an application that serves the page at various paths. */
function makeApplication() {
  const web = createRequire(path.join(root, 'packages/ristretto/index.js'))('./index.js');
  const { z } = createRequire(import.meta.url)('zod');
  const app = web().use(web.json());
  const User = z.object({ email: z.email(), age: z.number().optional() }).meta({ id: 'User' });
  const body = { examples: { ada: { value: { email: 'ada@example.com' } } } };
  app.get(
    '/users/:id',
    web.validate({ params: z.object({ id: z.coerce.number() }), response: { 200: User } }),
    (/** @type {any} */ _req, /** @type {any} */ res) => res.json({ email: 'ada@example.com' }),
  );
  app.post(
    '/users',
    web.describe({ body }),
    web.validate({ body: User, response: { 201: User } }),
    (/** @type {any} */ req, /** @type {any} */ res) => res.status(201).json({ ...req.body, age: 36 }),
  );
  app.get(
    '/openapi.json',
    web.openApi(app, { info: { title: 'Users', version: '1.0.0' }, servers: [{ url: '.' }] }),
  );
  app.use('/docs', web.openApiPage('/openapi.json'));
  app.use('/deep/docs', web.openApiPage('../../openapi.json', { ui: { docExpansion: 'full' } }));
  // Acts like a proxy that removes a path prefix.
  return http.createServer((req, res) => {
    req.url = req.url?.replace(/^\/prefix/, '');
    app(req, res);
  });
}

/** The paths at which the page is opened. */
const PAGES = ['/docs', '/docs/', '/deep/docs', '/prefix/docs', '/prefix/deep/docs/'];

/** @param {import('./browser.mjs').Browser} browser */
async function check(browser, /** @type {string} */ origin) {
  for (const place of PAGES) {
    const { page, complaints } = await openPage(browser);
    await page.goto(origin + place);
    await page.locator('.opblock').nth(1).waitFor();
    assert.equal(await page.locator('.opblock').count(), 2);
    assert.deepEqual(complaints, [], place);
    /** @type {string[]} */
    const urls = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
    assert.ok(urls.some(url => url.endsWith('/openapi.json')));
    assert.deepEqual(
      urls.filter(url => !url.startsWith('data:') && !url.startsWith(origin)),
      [],
    );
    console.log(
      `✔ ${place} lists the operations, ${urls.length} requests, none to other hosts, no violations`,
    );
  }
  for (const place of ['/docs', '/prefix/docs']) {
    const { page, complaints } = await openPage(browser);
    await page.goto(origin + place);
    for (const selector of ['.opblock-summary-control', '.try-out__btn', '.execute'])
      await page.locator(`.opblock-post ${selector}`).click();
    const shown = await page.locator('.live-responses-table').first().innerText();
    assert.match(shown, /201[^]*"age": 36/);
    assert.deepEqual(complaints, [], place);
    console.log(`✔ ${place} sends a request and shows the response`);
  }
}

readOptions({});
await inBrowser('the page of web.openApiPage', makeApplication, check);

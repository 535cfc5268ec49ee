/**
 * Builds the documentation site, after the reference.
 *
 *     node scripts/docs.mjs [--check] [--screenshots=folder]
 *
 * VitePress is installed into docs/.vitepress on first use, and the site is written to docs/.vitepress/dist. A link to a
 * missing page fails the build. With `--check` each page is opened in a headless Chromium, at the width of a phone and of a
 * desktop, light and dark, to check that its anchors exist, nothing is wider than the window, and axe finds nothing. Without a
 * browser, it prints a notice; `CHROMIUM` sets its path.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inBrowser, openPage, violations, visit } from './browser.mjs';
import { installExact } from './npm.mjs';
import { readOptions } from './options.cjs';
import { root } from './test-files.mjs';

const require = createRequire(import.meta.url);
const SITE = path.join(root, 'docs/.vitepress');
const DIST = path.join(SITE, 'dist');
const VIEWS = [
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
];
/** Pages that together contain all kinds of content, for checks of what all pages share. */
const THOROUGH = ['index', 'guide/index', 'guide/validation', 'recipes/websockets', 'reference/response'];

/** Returns the paths of all pages, without their extension. */
const pages = () =>
  fs
    .readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.html') && file !== '404.html')
    .map(file => file.slice(0, -'.html'.length).replaceAll(path.sep, '/'));

/** Returns the URL path of a page on the site. */
const addressOf = (/** @type {string} */ page) => `/${page.replace(/(^|\/)index$/, '$1')}`;

/** Returns what is wrong with an open page; runs in the page. */
function faultsOfPage(/** @type {string[]} */ known) {
  const faults = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`is ${scrollWidth} pixels wide in a window of ${clientWidth}`);
  for (const link of document.querySelectorAll('a[href]')) {
    const { origin, pathname, hash } = new URL(/** @type {HTMLAnchorElement} */ (link).href);
    if (origin !== location.origin) continue;
    if (!known.includes(pathname)) faults.push(`links to ${pathname}`);
    else if (
      pathname === location.pathname &&
      hash &&
      !document.getElementById(decodeURIComponent(hash.slice(1)))
    )
      faults.push(`has no ${hash}`);
  }
  return faults;
}

function site() {
  const web = require('../packages/ristretto');
  return web()
    .set('env', 'test')
    .use(web.static(DIST, { extensions: ['html'] }));
}

/** @param {import('./browser.mjs').Browser} browser */
async function check(browser, /** @type {string} */ origin) {
  const known = pages().map(addressOf);
  const faults = [];
  const { page } = await openPage(browser);
  for (const name of pages()) {
    const isThorough = THOROUGH.includes(name);
    for (const view of isThorough ? VIEWS : VIEWS.slice(0, 1)) {
      await visit(page, origin + addressOf(name), view);
      const found = await page.evaluate(faultsOfPage, known);
      if (isThorough) found.push(...(await violations(page)));
      faults.push(...found.map(fault => `${name} (${view.width}, ${view.scheme}): ${fault}`));
      if (isThorough && values.screenshots) {
        const file = `${name.replaceAll('/', '-')}-${view.width}-${view.scheme}.png`;
        await page.screenshot({ fullPage: true, path: path.join(values.screenshots, file) });
      }
    }
  }
  for (const fault of faults) console.error(fault);
  console.log(`${pages().length} pages, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}

const { values } = readOptions({ check: { type: 'boolean' }, screenshots: { type: 'string' } });
execFileSync(process.execPath, [path.join(root, 'scripts/reference.mjs')], { stdio: 'inherit' });
installExact(SITE);
const vitepress = path.join(SITE, 'node_modules/vitepress/bin/vitepress.js');
execFileSync(process.execPath, [vitepress, 'build', path.join(root, 'docs')], { stdio: 'inherit' });
if (values.check) await inBrowser('the site', site, check);

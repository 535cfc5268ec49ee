/**
 * Checks the error page in a headless Chromium, light and dark, on a phone and on a desktop: axe finds nothing, nothing
 * is wider than the window, the page's own policy blocks nothing in it, and the keyboard opens folded parts
 * and selects the report.
 *
 *     node scripts/error-page.mjs [--screenshots=folder]
 *
 * Without a browser, it prints a notice; `CHROMIUM` sets its path.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inBrowser, openPage, violations, visit } from './browser.mjs';
import { readOptions } from './options.cjs';

const { values } = readOptions({ screenshots: { type: 'string' } });
const require = createRequire(import.meta.url);
const { viewerToken } = require('../packages/engine/lib/dev/error-page/viewer');
const WIDTHS = [375, 1280];
const SCHEMES = ['light', 'dark'];

/** Creates an application with all kinds of errors that the page displays differently. */
function makeApplication() {
  // The page exists only in development, regardless of the environment of the tests.
  process.env.NODE_ENV = 'development';
  delete process.env.RISTRETTO_ERROR_PAGE;
  const web = require('../packages/ristretto');
  const app = web().set('error logger', () => undefined);
  app.use(function requestLogger(req, res, next) {
    next();
  });
  app.get('/cause/:id', function showUser(req) {
    const cause = Object.assign(new TypeError('The connection was closed'), {
      code: 'ECONNRESET',
      password: 'x',
    });
    throw new Error(`Could not load user ${req.params.id}`, { cause });
  });
  app.post('/body', (req, res) => {
    const { name } = req.body;
    res.json(name);
  });
  app.get('/body', (req, res) => {
    const { name } = req.body;
    res.json(name);
  });
  app.get('/linked', (req, res, next) => {
    app.set('error page', 'vscode://file/{file}:{line}:{column}');
    next(new AggregateError([new Error('first'), new RangeError('second')], 'Several have failed'));
  });
  app.get('/wide', (req, res, next) => {
    next(
      Object.assign(new Error(`no-space-in-it-${'x'.repeat(3000)}`), { ['k'.repeat(300)]: 'v'.repeat(3000) }),
    );
  });
  app.get('/text', (req, res, next) => next('<b>only text</b>'));
  return app;
}

const PATHS = ['/cause/7?token=secret&page=2', '/body', '/linked', '/wide', '/text'];

/** Returns what is wrong with the open page. */
async function problemsOf({ page, complaints }) {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  const found = await violations(page);
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return [
    ...found,
    ...(excess > 0 ? [`is ${excess} px wider than the window`] : []),
    // Elements that axe itself adds are not part of the page
    ...complaints.splice(0).filter(text => /Content Security Policy/i.test(text)),
  ];
}

/** Whether Tab reaches a folded part, and Enter opens it. */
async function opensByKeyboard(page) {
  const focused =
    'document.activeElement.tagName === "SUMMARY" && !document.activeElement.parentElement.open';
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    if (!(await page.evaluate(focused))) continue;
    await page.keyboard.press('Enter');
    return page.evaluate('document.activeElement.parentElement.open');
  }
  return false;
}

/** Whether the link at the top opens and focuses the report, and Ctrl+A selects all of it, and nothing else. */
async function copiesByKeyboard(page) {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    if (!(await page.evaluate('document.activeElement.hash === "#report"'))) continue;
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+A');
    const selected =
      '(({ id, value, selectionStart, selectionEnd }) => [id, selectionStart, selectionEnd === value?.length])(document.activeElement).join()';
    return (await page.evaluate(selected)) === 'report,0,true';
  }
  return false;
}

async function check(browser, origin, folder) {
  const { page, complaints } = await openPage(browser);
  const problems = [];
  await page.goto(`${origin}/.well-known/ristretto-error-page/${viewerToken()}`);
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      for (const target of PATHS) {
        await visit(page, `${origin}${target}`, { width, scheme });
        const name = `${target.split('/')[1]}-${width}-${scheme}`;
        if (folder) await page.screenshot({ fullPage: true, path: path.join(folder, `${name}.png`) });
        problems.push(...(await problemsOf({ page, complaints })).map(problem => `${name}: ${problem}`));
      }
    }
  }
  await page.goto(`${origin}${PATHS[0]}`);
  if (!(await opensByKeyboard(page))) problems.push('the keyboard does not open the folded sections');
  await page.goto(`${origin}${PATHS[0]}`);
  if (!(await copiesByKeyboard(page))) problems.push('the keyboard does not reach and select the report');
  return problems;
}

const folder = values.screenshots;
if (folder) fs.mkdirSync(folder, { recursive: true });
await inBrowser('the error page', makeApplication, async (browser, origin) => {
  assert.deepEqual(await check(browser, origin, folder), []);
  console.log(
    `The error page: ${WIDTHS.length * SCHEMES.length * PATHS.length} views, no problem found by axe.`,
  );
});

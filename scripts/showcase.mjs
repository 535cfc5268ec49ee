/**
 * Tests the showcase in a headless Chromium: each page is accessible (axe), no wider than a phone, light and dark, and
 * complies with its own policy; it works without JavaScript, and updates live. Without a browser, it prints a notice;
 * `CHROMIUM` sets its path.
 *
 *     node scripts/showcase.mjs [--screenshots=folder]
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { openPage, startBrowser, violations, visit } from './browser.mjs';
import { readOptions } from './options.cjs';
import { root } from './test-files.mjs';

const { values } = readOptions({ screenshots: { type: 'string' } });
const browser = await startBrowser();
if (!browser) {
  console.log('No browser was found, so the showcase is not checked in one. Set CHROMIUM to its path.');
  process.exit();
}
const shots = values.screenshots;
if (shots) fs.mkdirSync(shots, { recursive: true });
const require = createRequire(path.join(root, 'examples/showcase/package.json'));

const data = fs.mkdtempSync(path.join(os.tmpdir(), 'showcase-'));
// As `npm start` runs it.
const program = spawn(process.execPath, [path.join(root, 'examples/showcase/dist/fleet/primary.js')], {
  env: {
    ...process.env,
    PORT: '0',
    WORKERS: '2',
    DATA_DIR: data,
    ADMIN_PASSWORD: 'open sesame',
    DATABASE_URL: '',
    REDIS_URL: '',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const origin = await new Promise((resolve, reject) => {
  let text = '';
  program.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk;
    const address = /http:\/\/localhost:\d+/.exec(text)?.[0];
    if (address) resolve(address);
  });
  program.once('exit', () => reject(new Error('The board did not start.')));
});

try {
  const plain = await openPage(browser, { baseURL: origin, javaScriptEnabled: false });
  const addresses = await useWithoutScripts(plain.page);
  await look(await openPage(browser), ['/', '/login'], 'visitor');
  const admin = await openPage(browser, { baseURL: origin });
  await admin.page.goto('/login');
  await submit(admin.page, 'main form', { name: 'admin', password: 'open sesame' });
  await submit(admin.page, '.compose', { text: 'Welcome, and be kind.' });
  await look(admin, addresses, 'admin');
  await watchLive(await browser.newPage({ baseURL: origin }));
  console.log('The showcase works in a browser.');
} finally {
  await browser.close();
  program.kill();
  await new Promise(resolve => program.once('exit', resolve));
  fs.rmSync(data, { recursive: true, force: true });
}

/** Fills in a form and submits it with its first button. */
async function submit(page, selector, fields) {
  const form = page.locator(selector);
  for (const [name, value] of Object.entries(fields)) await form.locator(`[name=${name}]`).fill(value);
  await Promise.all([page.waitForEvent('load'), form.locator('button').first().click()]);
}

/** Registers, posts with a picture, and searches, using only forms; returns all addresses to check. */
async function useWithoutScripts(page) {
  await page.goto('/register');
  await submit(page, 'main form', { name: 'Noah', password: 'no script at all' });
  await page.goto('/password');
  await submit(page, 'main form', { old: 'no script at all', password: 'still no script' });
  await submit(page, '.compose', { text: 'A plain post.\nOn two lines, from a browser without JavaScript.' });

  const count = selector => page.locator(selector).count();
  const [posts, pictures] = [await count('article'), await count('article img')];
  const picture = path.join(data, 'picture.png');
  const hasPicture = await makePicture(picture);
  if (hasPicture) {
    await page.locator('.compose summary').click();
    await page.locator('#picture').setInputFiles(picture);
  }
  await submit(page, '.compose', {
    text: 'Fresh from the machine, and_a_word_that_is_much_too_long_for_a_phone_'.padEnd(160, 'o'),
    ...(hasPicture && { alt: 'A gradient in the colors of coffee' }),
  });
  assert.equal(await count('article'), posts + 1);
  assert.equal(await count('article img'), pictures + (hasPicture ? 1 : 0));
  await submit(page, '[role=search]', { q: 'plain' });
  assert.equal(await count('article'), 1);
  const post = await page.evaluate("document.querySelector('.when').pathname");
  return [
    '/',
    '/register',
    '/source',
    '/source/feed.ts',
    post,
    '/nothing',
    '/?q=nothing',
    '/admin',
    '/admin/operations',
    '/live',
    '/password',
  ];
}

/** Checks pages on a phone and a desktop, light and dark. */
async function look({ page, complaints }, addresses, who) {
  for (const address of addresses) {
    for (const width of [375, 1280]) {
      for (const scheme of ['light', 'dark']) {
        const where = `${address} for the ${who} (${width} px, ${scheme})`;
        complaints.length = 0;
        await visit(page, origin + address, { width, scheme });
        const widest = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(widest <= width, `${where} is ${widest} px wide`);
        assert.deepEqual(await violations(page), [], where);
        // The browser also logs that a page is missing.
        assert.deepEqual(address === '/nothing' ? [] : complaints, [], where);
        const name = `${who}${address.replaceAll(/\W/g, '-')}-${width}-${scheme}.png`;
        if (shots) await page.screenshot({ fullPage: true, path: path.join(shots, name) });
      }
    }
  }
}

/** Checks that another user's post appears, and disappears, on a page that stays open. */
async function watchLive(page) {
  // A browser gives up an event stream after an error response; the page does not.
  let refused = 0;
  await page.route(/\/events/, route =>
    refused++ === 0 ? route.fulfill({ status: 502 }) : route.continue(),
  );
  await page.goto('/');
  await page.locator('.live').waitFor();
  assert.equal(refused, 2);
  await page.unrouteAll();
  const send = (method, address, cookie, body) =>
    fetch(origin + address, {
      method,
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: body && JSON.stringify(body),
    });
  const session = await send('POST', '/api/session', '', { name: 'Noah', password: 'still no script' });
  const cookie = session.headers.get('set-cookie').split(';', 1)[0];
  const { id } = await (await send('POST', '/api/posts', cookie, { text: '<b>live</b>' })).json();
  await page.locator(`#post-${id} .text`, { hasText: '<b>live</b>' }).waitFor();
  assert.equal(await page.locator('article').first().getAttribute('id'), `post-${id}`);
  await send('DELETE', `/api/posts/${id}`, cookie);
  await page.locator(`#post-${id}`).waitFor({ state: 'detached' });
}

/** Creates a picture to upload; returns false if sharp is not installed. */
async function makePicture(to) {
  let sharp;
  try {
    sharp = require('sharp');
  } catch {
    return false;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#3b2416"/>
    <stop offset=".6" stop-color="#c07a3e"/><stop offset="1" stop-color="#f6e3c8"/></linearGradient></defs>
    <rect width="900" height="500" fill="url(#g)"/>
    <circle cx="450" cy="250" r="150" fill="#fff6ea"/><circle cx="450" cy="250" r="125" fill="#7b3f1d"/></svg>`;
  await sharp(Buffer.from(svg)).png().toFile(to);
  return true;
}

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
import { findBrowser, startBrowser } from './browser.mjs';
import { readOptions } from './options.cjs';
import { root } from './test-files.mjs';

const { values } = readOptions({ screenshots: { type: 'string' } });
const executable = findBrowser();
if (executable === undefined) {
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

const browser = await startBrowser(executable);
try {
  const addresses = await useWithoutScripts(await browser.open());
  await look(await browser.open(), ['/', '/login'], 'visitor');
  const admin = await browser.open();
  await visit(admin, '/login');
  await submit(admin, 'main form', { name: 'admin', password: 'open sesame' });
  await submit(admin, '.compose', { text: 'Welcome, and be kind.' });
  await look(admin, addresses, 'admin');
  await watchLive(await browser.open());
  console.log('The showcase works in a browser.');
} finally {
  await browser.close();
  program.kill();
  await new Promise(resolve => program.once('exit', resolve));
  fs.rmSync(data, { recursive: true, force: true });
}

function visit(page, address, view = { width: 1280 }) {
  return page.visit(origin + address, view);
}

/** Fills in a form and submits it with its first button. */
function submit(page, selector, fields) {
  return page.follow(() =>
    page.evaluate(`{
      const form = document.querySelector(${JSON.stringify(selector)});
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
      form.querySelector('button').click();
    }`),
  );
}

/** Registers, posts with a picture, and searches, using only forms; returns all addresses to check. */
async function useWithoutScripts(page) {
  await page.send('Emulation.setScriptExecutionDisabled', { value: true });
  await visit(page, '/register');
  await submit(page, 'main form', { name: 'Noah', password: 'no script at all' });
  await visit(page, '/password');
  await submit(page, 'main form', { old: 'no script at all', password: 'still no script' });
  await submit(page, '.compose', { text: 'A plain post.\nOn two lines, from a browser without JavaScript.' });

  const count = selector => page.evaluate(`document.querySelectorAll('${selector}').length`);
  const [posts, pictures] = [await count('article'), await count('article img')];
  const picture = path.join(data, 'picture.png');
  const hasPicture = await makePicture(picture);
  if (hasPicture) {
    await page.evaluate("document.querySelector('.compose details').open = true");
    const { root: document } = await page.send('DOM.getDocument');
    const input = await page.send('DOM.querySelector', { nodeId: document.nodeId, selector: '#picture' });
    await page.send('DOM.setFileInputFiles', { nodeId: input.nodeId, files: [picture] });
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
async function look(page, addresses, who) {
  for (const address of addresses) {
    for (const width of [375, 1280]) {
      for (const scheme of ['light', 'dark']) {
        const where = `${address} for the ${who} (${width} px, ${scheme})`;
        page.complaints.length = 0;
        await visit(page, address, { width, scheme });
        const widest = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(widest <= width, `${where} is ${widest} px wide`);
        assert.deepEqual(await page.violations(), [], where);
        // The browser also logs that a page is missing.
        const complaints = page.complaints.map(({ text }) => text);
        assert.deepEqual(address === '/nothing' ? [] : complaints, [], where);
        const name = `${who}${address.replaceAll(/\W/g, '-')}-${width}-${scheme}.png`;
        if (shots) fs.writeFileSync(path.join(shots, name), await page.screenshot());
      }
    }
  }
}

/** Checks that another user's post appears, and disappears, on a page that stays open. */
async function watchLive(page) {
  // A browser gives up an event stream after an error response; the page does not.
  await page.send('Fetch.enable', { patterns: [{ urlPattern: '*/events*' }] });
  let refused = 0;
  page.on('Fetch.requestPaused', ({ requestId }) =>
    refused++ === 0
      ? page.send('Fetch.fulfillRequest', { requestId, responseCode: 502 })
      : page.send('Fetch.continueRequest', { requestId }),
  );
  await visit(page, '/');
  await page.until("!document.querySelector('.live').hidden");
  assert.equal(refused, 2);
  await page.send('Fetch.disable');
  const send = (method, address, cookie, body) =>
    fetch(origin + address, {
      method,
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: body && JSON.stringify(body),
    });
  const session = await send('POST', '/api/session', '', { name: 'Noah', password: 'still no script' });
  const cookie = session.headers.get('set-cookie').split(';', 1)[0];
  const { id } = await (await send('POST', '/api/posts', cookie, { text: '<b>live</b>' })).json();
  await page.until(`document.querySelector('#post-${id} .text')?.textContent === '<b>live</b>'`);
  assert.equal(await page.evaluate("document.querySelector('article').id"), `post-${id}`);
  await send('DELETE', `/api/posts/${id}`, cookie);
  await page.until(`!document.querySelector('#post-${id}')`);
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

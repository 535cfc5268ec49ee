/**
 * Looks at every page in a headless Chromium: accessible (axe), no wider than a telephone, nothing that the policy
 * forbids, light and dark, usable without JavaScript, and live. Skipped where there is no Chromium.
 *
 *     node check/browser.mjs [folder for screenshots]
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, openChromium } from './chromium.mjs';

const file = findChromium();
if (!file) {
  console.log('skipped: there is no Chromium. CHROMIUM names one that is not in the PATH.');
  process.exit();
}
const shots = process.argv[2];
if (shots) fs.mkdirSync(shots, { recursive: true });

const data = fs.mkdtempSync(path.join(os.tmpdir(), 'showcase-'));
const program = spawn(process.execPath, [fileURLToPath(new URL('..', import.meta.url))], {
  env: {
    ...process.env,
    PORT: '0',
    DATA_DIR: data,
    ADMIN_PASSWORD: 'open sesame',
    DATABASE_URL: '',
    REDIS_URL: '',
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

let isAdmin = false;
const browser = await openChromium(file);
try {
  const paths = await useWithoutScripts(await browser.newPage());
  await lookAtPages(await browser.newPage(), paths);
  await watchLive(await browser.newPage());
  console.log('1 passed, 0 failed');
} finally {
  await browser.close();
  program.kill();
  await new Promise(resolve => program.once('exit', resolve));
  fs.rmSync(data, { recursive: true, force: true });
}

/** Registers, posts with a picture, searches and deletes with forms alone. */
async function useWithoutScripts({ call, open, evaluate, leave }) {
  await call('Emulation.setScriptExecutionDisabled', { value: true });
  const submit = (selector, fields = {}) =>
    leave(() =>
      evaluate(`{
        const form = document.querySelector(${JSON.stringify(selector)});
        for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
        form.querySelector('button').click();
      }`),
    );
  await open(`${origin}/register`);
  await submit('main form', { name: 'Noah', password: 'no script at all' });
  await submit('.compose', { text: 'A plain post.\nOn two lines, from a browser without JavaScript.' });

  const picture = path.join(data, 'picture.png');
  await makePicture(picture);
  await evaluate("document.querySelector('details')?.setAttribute('open', '')");
  const { root } = await call('DOM.getDocument');
  const { nodeId } = await call('DOM.querySelector', { nodeId: root.nodeId, selector: '#picture' });
  if (nodeId) await call('DOM.setFileInputFiles', { nodeId, files: [picture] });
  await submit('.compose', {
    text: 'Fresh from the machine, and_a_word_that_is_much_too_long_for_a_telephone_'.padEnd(160, 'o'),
    ...(nodeId && { alt: 'A gradient in the colors of coffee' }),
  });
  assert.equal(await evaluate("document.querySelectorAll('article').length"), 2);
  if (nodeId) {
    assert.ok(await evaluate("fetch(document.querySelector('article img').src).then(res => res.ok)"));
  }
  await submit('[role=search]', { q: 'plain' });
  assert.equal(await evaluate("document.querySelectorAll('article').length"), 1);
  const address = await evaluate("document.querySelector('.when').pathname");
  return [
    '/',
    '/login',
    '/register',
    '/source',
    '/source/feed.ts',
    address,
    '/nothing',
    '/?q=nothing',
    '/admin',
  ];
}

/** Every page, the first one as a visitor too, the others as the administrator, who sees all of them. */
async function lookAtPages({ call, open, evaluate, leave, screenshot, problems }, paths) {
  const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const address of ['/', ...paths]) {
    for (const width of [375, 1280]) {
      for (const theme of ['light', 'dark']) {
        await call('Emulation.setDeviceMetricsOverride', {
          width,
          height: 900,
          deviceScaleFactor: 1,
          mobile: width < 600,
        });
        const features = [
          { name: 'prefers-color-scheme', value: theme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ];
        await call('Emulation.setEmulatedMedia', { features });
        await open(origin + address);
        const where = `${address} (${width} px, ${theme})`;
        const widest = await evaluate('document.documentElement.scrollWidth');
        assert.ok(widest <= width, `${where} is ${widest} px wide`);
        await evaluate(axe);
        const { violations } = await evaluate('axe.run()');
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n    ')}`,
        );
        assert.deepEqual(found, [], where);
        // A missing page is the one error that the browser may note.
        const unexpected = problems.splice(0).filter(text => address !== '/nothing' || !text.includes('404'));
        assert.deepEqual(unexpected, [], where);
        const name = `${isAdmin ? 'admin' : 'visitor'}${address.replaceAll(/\W/g, '-')}-${width}-${theme}.png`;
        if (shots) await screenshot(path.join(shots, name));
      }
    }
    if (!isAdmin) {
      await open(`${origin}/login`);
      await leave(() =>
        evaluate(`{
          const { elements } = document.querySelector('main form');
          elements.name.value = 'admin';
          elements.password.value = 'open sesame';
          document.querySelector('main form button').click();
        }`),
      );
      isAdmin = true;
    }
  }
}

/** A post of somebody else appears, and disappears, on a page that stays open. */
async function watchLive({ open, until, evaluate }) {
  await open(origin);
  await until("!document.querySelector('.live').hidden");
  const send = (method, address, cookie, body) =>
    fetch(origin + address, {
      method,
      headers: { 'Content-Type': 'application/json', ...(cookie && { Cookie: cookie }) },
      body: body && JSON.stringify(body),
    });
  const session = await send('POST', '/api/session', '', { name: 'Noah', password: 'no script at all' });
  const cookie = session.headers.get('set-cookie').split(';', 1)[0];
  const { id } = await (await send('POST', '/api/posts', cookie, { text: '<b>live</b>' })).json();
  await until(`document.querySelector('#post-${id} .text')?.textContent === '<b>live</b>'`);
  assert.equal(await evaluate(`document.querySelector('article').id`), `post-${id}`);
  await send('DELETE', `/api/posts/${id}`, cookie);
  await until(`!document.querySelector('#post-${id}')`);
}

/** A picture to upload, where sharp can make one. */
async function makePicture(to) {
  const sharp = await import('sharp').then(
    module => module.default,
    () => undefined,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#3b2416"/><stop offset=".6" stop-color="#c07a3e"/><stop offset="1" stop-color="#f6e3c8"/></linearGradient></defs><rect width="900" height="500" fill="url(#g)"/><circle cx="450" cy="250" r="150" fill="#fff6ea"/><circle cx="450" cy="250" r="125" fill="#7b3f1d"/></svg>`;
  await sharp?.(Buffer.from(svg)).png().toFile(to);
}

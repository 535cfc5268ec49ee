/** Opens pages in a headless Chromium with playwright-core, which installs no browser of its own. */
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

/** The source of axe, once it is needed. @type {string | undefined} */
let axe;

/** Starts the browser: `CHROMIUM`, or the one at the usual path on Linux and macOS; `undefined` if there is none. */
export async function startBrowser() {
  const executablePath = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find(file => file && fs.existsSync(file));
  return executablePath && chromium.launch({ executablePath });
}

/**
 * Runs a check with the browser and the origin of a server that is started for it; without a browser, prints a notice.
 *
 * @param {string} what the pages, for the notice
 * @param {() => { listen(port: number, host: string): import('node:http').Server }} makeServer returns a server or an application
 * @param {(browser: Browser, origin: string) => Promise<unknown>} check
 */
export async function inBrowser(what, makeServer, check) {
  const browser = await startBrowser();
  if (!browser) {
    console.log(`No Chromium was found (CHROMIUM sets its path): ${what} was not opened.`);
    return;
  }
  const server = makeServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    await check(browser, `http://127.0.0.1:${port}`);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

/**
 * Opens a page with its own cookies. `complaints` are the browser's messages about it, such as violations of its policy.
 * @param {Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openPage(browser, options) {
  const page = await browser.newPage(options);
  /** @type {string[]} */
  const complaints = [];
  page.on('console', message => complaints.push(message.text()));
  return { page, complaints };
}

/**
 * Loads a URL in a window, light or dark. A narrow one is a phone, on which a page without a viewport element is wide.
 * @param {Page} page
 * @param {string} url
 * @param {{ width: number, scheme?: 'light' | 'dark' }} view
 */
export async function visit(page, url, { width, scheme = 'light' }) {
  await page.emulateMedia({ colorScheme: scheme });
  const size = { width, height: 900 };
  await page.setViewportSize(size);
  const session = await page.context().newCDPSession(page);
  const metrics = { ...size, deviceScaleFactor: 1, mobile: width < 600 };
  await session.send('Emulation.setDeviceMetricsOverride', metrics);
  await page.goto(url);
}

/** Returns what axe finds, a line for each rule. @param {Page} page @returns {Promise<string[]>} */
export async function violations(page) {
  axe ??= fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html }) => html.slice(0, 300)).join(' | ')))`,
  );
}

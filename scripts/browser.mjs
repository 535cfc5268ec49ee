/** Controls a headless Chromium over pipes with the DevTools protocol: nothing but the browser has to be installed. */
import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout of a command in milliseconds. */
const PATIENCE = 30_000;
/** The source of axe, once it is needed. @type {string | undefined} */
let axe;

/** Returns the browser's path: `CHROMIUM`, or the usual path on Linux and macOS; `undefined` if there is no browser. */
export function findBrowser() {
  return [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find(file => file && fs.existsSync(file));
}

/**
 * Runs a check with the browser and the origin of a server that is started for it; without a browser, prints a notice.
 *
 * @param {string} what the pages, for the notice
 * @param {() => { listen(port: number, host: string): import('node:http').Server }} makeServer returns a server or an application
 * @param {(browser: Browser, origin: string) => Promise<unknown>} check
 */
export async function inBrowser(what, makeServer, check) {
  const executable = findBrowser();
  if (executable === undefined) {
    console.log(`No Chromium was found (CHROMIUM sets its path): ${what} was not opened.`);
    return;
  }
  const server = makeServer().listen(0, '127.0.0.1');
  await event(server, 'listening');
  const browser = await startBrowser(executable);
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    await check(browser, `http://127.0.0.1:${port}`);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

/** @typedef {Awaited<ReturnType<typeof startBrowser>>} Browser */

/**
 * Starts the browser. `open()` resolves with a page that has its own cookies, `close()` ends the browser.
 * @param {string} executable
 * @param {string[]} [flags] more flags of the command line
 */
export async function startBrowser(executable, flags = []) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-browser-'));
  const args = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-pipe',
    '--no-first-run',
    ...flags,
  ];
  const child = spawn(executable, [...args, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise(resolve => child.once('exit', resolve));
  const connection = connect(child.stdio[3], child.stdio[4]);
  void exited.then(() => connection.end(new Error('The browser has ended')));
  return {
    open: () => openPage(connection),
    async close() {
      child.kill();
      await exited;
      await remove(profile);
    },
  };
}

/**
 * Removes the profile, with retries: the browser's helper processes outlive it briefly, and still write files. If that
 * fails, the rest stays in the temporary directory.
 */
async function remove(profile) {
  for (let tries = 0; tries < 25; tries++) {
    try {
      fs.rmSync(profile, { recursive: true, force: true });
      return;
    } catch {
      await sleep(200);
    }
  }
}

/** Sends commands and receives results and events, by session. */
function connect(input, output) {
  const pending = new Map();
  const listeners = new Set();
  let last = 0;
  let text = '';
  const receive = message => {
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const { resolve, reject } = pending.get(message.id);
    pending.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  };
  output.setEncoding('utf8');
  output.on('data', piece => {
    const messages = (text + piece).split('\0');
    text = messages.pop();
    for (const message of messages) receive(JSON.parse(message));
  });
  return {
    listeners,
    send(method, params = {}, sessionId = undefined) {
      const id = ++last;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${method} took too long`)), PATIENCE);
        const settle = act => value => {
          clearTimeout(timer);
          act(value);
        };
        pending.set(id, { resolve: settle(resolve), reject: settle(reject) });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      });
    },
    end(error) {
      for (const { reject } of pending.values()) reject(error);
    },
  };
}

async function openPage(connection) {
  const { browserContextId } = await connection.send('Target.createBrowserContext');
  const target = { url: 'about:blank', browserContextId };
  const { targetId } = await connection.send('Target.createTarget', target);
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method, params) => connection.send(method, params, sessionId);
  /** Messages about the page, such as policy violations and errors. */
  const complaints = [];
  connection.listeners.add(({ sessionId: from, method, params }) => {
    if (from === sessionId && method === 'Log.entryAdded') complaints.push(params.entry);
  });
  await send('Page.enable');
  await send('Log.enable');
  const once = name =>
    new Promise((resolve, reject) => {
      const listener = ({ sessionId: from, method }) => {
        if (from === sessionId && method === name) end(resolve);
      };
      const end = settle => {
        clearTimeout(timer);
        connection.listeners.delete(listener);
        settle();
      };
      const timer = setTimeout(() => end(() => reject(new Error(`${name} took too long`))), PATIENCE);
      connection.listeners.add(listener);
    });
  return {
    complaints,
    /** Sends any command of the protocol. */
    send,
    /** Calls a function with the parameters of each event of this name. */
    on(name, act) {
      connection.listeners.add(({ sessionId: from, method, params }) => {
        if (from === sessionId && method === name) act(params);
      });
    },
    /** Performs an action that leads to another page, and waits until that is loaded. */
    async follow(act) {
      await Promise.all([once('Page.loadEventFired'), act()]);
    },
    async visit(url, { width, height = 900, scheme = 'light' }) {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      await send('Emulation.setEmulatedMedia', { features });
      const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
      await send('Emulation.setDeviceMetricsOverride', metrics);
      const navigate = async () => {
        const loaded = once('Page.loadEventFired');
        await Promise.all([send('Page.navigate', { url }), loaded]);
      };
      // The load event can get lost, so try once more
      await navigate().catch(navigate);
    },
    /** Returns the value of an expression, or of its promise. The page's policy does not apply to it. */
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    /** Waits until an expression is true. */
    async until(expression) {
      for (let tries = 0; !(await this.evaluate(expression)); tries++) {
        if (tries === 200) throw new Error(`never true: ${expression}\n${JSON.stringify(complaints)}`);
        await sleep(50);
      }
    },
    /** Returns what axe finds, a line for each rule. */
    async violations() {
      axe ??= fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      await this.evaluate(axe);
      const { violations } = await this.evaluate('axe.run()');
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' | ')}`,
      );
    },
    async press(key, code) {
      for (const type of ['keyDown', 'keyUp']) {
        await send('Input.dispatchKeyEvent', {
          type,
          key,
          windowsVirtualKeyCode: code,
          text: key === 'Enter' ? '\r' : undefined,
        });
      }
    },
    /** Returns the whole page as a PNG. */
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true });
      return Buffer.from(data, 'base64');
    },
  };
}

/** A headless Chromium, driven over a pipe by the DevTools protocol: no package and no port is needed. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Where the browser is; undefined if there is none. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const files = NAMES.flatMap(name => folders.map(folder => path.join(folder, name)));
  return process.env.CHROMIUM || files.find(file => fs.existsSync(file));
}

export async function openChromium(file) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
  const flags = ['--headless=new', '--remote-debugging-pipe', '--no-first-run', `--user-data-dir=${profile}`];
  // The sandbox refuses root. Only our own pages are opened.
  if (process.getuid?.() === 0) flags.push('--no-sandbox');
  const child = spawn(file, [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = child.stdio;

  const waiting = new Map();
  const listeners = new Set();
  let rest = '';
  output.setEncoding('utf8').on('data', chunk => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop();
    for (const text of messages) {
      const message = JSON.parse(text);
      const waits = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) waits?.reject(new Error(message.error.message));
      else if (waits) waits.resolve(message.result);
      else for (const listener of listeners) listener(message);
    }
  });
  let id = 0;
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      waiting.set(++id, { resolve, reject });
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });

  return {
    /** Opens a page with cookies of its own. */
    async newPage() {
      const { browserContextId } = await send('Target.createBrowserContext');
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const call = (method, params) => send(method, params, sessionId);
      const problems = [];
      listeners.add(({ method, params, sessionId: of }) => {
        if (of !== sessionId) return;
        if (method === 'Log.entryAdded' && params.entry.level === 'error') problems.push(params.entry.text);
        if (method === 'Runtime.exceptionThrown') problems.push(params.exceptionDetails.text);
      });
      for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`);

      /** Runs an expression in the page and returns its value. */
      async function evaluate(expression) {
        const options = { expression: String(expression), awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await call('Runtime.evaluate', options);
        if (exceptionDetails)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      }
      /** Waits until an expression is true. */
      async function until(expression) {
        for (let tries = 0; tries < 200; tries++) {
          if (await evaluate(expression).catch(() => false)) return;
          await new Promise(resolve => setTimeout(resolve, 50));
        }
        throw new Error(`${expression} did not become true at ${await evaluate('location.href')}`);
      }
      /** Does something that leads to another page, and waits for that. */
      async function leave(action) {
        await evaluate('window.isOld = true');
        await action();
        await until("!window.isOld && document.readyState === 'complete'");
      }
      return {
        call,
        evaluate,
        until,
        leave,
        problems,
        open: url => leave(() => call('Page.navigate', { url })),
        async screenshot(to) {
          const { contentSize } = await call('Page.getLayoutMetrics').then(metrics => ({
            contentSize: metrics.cssContentSize,
          }));
          const clip = {
            x: 0,
            y: 0,
            width: contentSize.width,
            height: Math.min(contentSize.height, 3000),
            scale: 1,
          };
          const { data } = await call('Page.captureScreenshot', { clip, captureBeyondViewport: true });
          fs.writeFileSync(to, Buffer.from(data, 'base64'));
        },
      };
    },
    async close() {
      const ended = new Promise(resolve => child.once('exit', resolve));
      await send('Browser.close').catch(() => undefined);
      await ended;
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

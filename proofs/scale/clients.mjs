/**
 * Clients of the board: requests over HTTPS, and pages with an event stream over HTTP/2 that reconnect as browsers and
 * the script of the page do. (The proof in proofs/browser.mjs uses a real one.)
 */
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/test-files.mjs';

const ca = fs.readFileSync(path.join(root, 'examples/https/localhost-cert.pem'));
export const tls = { host: '127.0.0.1', servername: 'localhost', ca };
const PATIENCE = 60_000;
/** Milliseconds; browsers wait longer after a stream that broke off, and the script after an error response. */
const RECONNECT_AFTER = 200;
const RETRY_AFTER = 1000;

/** @typedef {{ status: number, headers: http.IncomingHttpHeaders, text: string, error?: Error }} Reply */

/**
 * Sends a request; the status is 0 if there was no response, or an incomplete one.
 * @param {{ port: number, plain?: boolean, path: string, method?: string, agent?: http.Agent, cookie?: string,
 *   json?: object, form?: string, body?: Buffer, headers?: object }} options `plain` bypasses nginx to reach a process directly
 * @returns {Promise<Reply>}
 */
export function request({
  port,
  plain,
  path: at,
  method,
  agent,
  cookie,
  json,
  form,
  body: raw,
  headers: others,
}) {
  const body = json ? JSON.stringify(json) : (form ?? raw);
  const headers = {
    ...others,
    ...(cookie && { Cookie: cookie }),
    ...(json && { 'Content-Type': 'application/json' }),
    ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ...(body && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const options = { port, path: at, method: method ?? (body ? 'POST' : 'GET'), headers, agent };
  return new Promise(resolve => {
    const sent = plain
      ? http.request({ ...options, host: '127.0.0.1' })
      : https.request({ ...options, ...(agent ? {} : tls) });
    const fail = (/** @type {Error} */ error) => resolve({ status: 0, headers: {}, text: '', error });
    sent.on('error', fail);
    sent.setTimeout(PATIENCE, () => sent.destroy(new Error('no response')));
    sent.on('response', res => {
      let text = '';
      res.setEncoding('utf8').on('data', chunk => (text += chunk));
      res.on('error', fail);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
    });
    sent.end(body);
  });
}

/** Creates an agent for keep-alive connections to nginx. */
export const keepAlive = () => new https.Agent({ ...tls, keepAlive: true });

/** Logs in; returns the session cookie. */
export async function logIn(/** @type {Parameters<typeof request>[0]} */ to) {
  const { status, headers, text, error } = await request({ ...to, path: '/api/session' });
  if (status !== 201) throw new Error(`could not log in: ${status} ${text || error?.message}`);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

/** Open pages: each has an event stream, all over one HTTP/2 connection, as in a browser. */
export class Pages {
  /** @type {http2.ClientHttp2Session | undefined} */
  #session;
  #isOpen = true;
  /** @type {Page[]} */
  pages = [];
  /** How many streams had to be reopened. */
  reconnects = 0;
  /** How many of these after an error response. */
  refusals = 0;

  /**
   * @param {number} port
   * @param {{ count: number, after: number, forgets?: boolean }} options `forgets`: sends no Last-Event-ID
   */
  constructor(port, { count, after, forgets = false }) {
    this.port = port;
    this.forgets = forgets;
    for (let n = 0; n < count; n++) {
      const page = {
        last: after,
        ids: /** @type {number[]} */ ([]),
        times: new Map(),
        isReloaded: false,
        opened: 0,
      };
      this.pages.push(page);
      void this.#keepOpen(page);
    }
  }

  /** @returns {http2.ClientHttp2Session} */
  get #connection() {
    if (!this.#session || this.#session.closed || this.#session.destroyed) {
      this.#session = http2.connect(`https://localhost:${this.port}`, tls);
      this.#session.on('error', () => undefined); // Its streams end, and are reopened
    }
    return this.#session;
  }

  async #keepOpen(/** @type {Page} */ page) {
    for (;;) {
      const status = await this.#read(page).catch(() => undefined);
      if (!this.#isOpen) return;
      this.reconnects++;
      // For an `EventSource` this is the end; the script creates another one.
      const isRefused = status !== undefined && status !== 200;
      if (isRefused) this.refusals++;
      await sleep(isRefused ? RETRY_AFTER : RECONNECT_AFTER);
    }
  }

  /** Reads one stream to its end; resolves with the status of the response. */
  async #read(/** @type {Page} */ page) {
    const isFirst = page.opened === 0;
    const stream = this.#connection.request({
      ':path': isFirst || !this.forgets ? `/events?after=${page.last}` : '/events',
      ...(!isFirst && !this.forgets && { 'last-event-id': String(page.last) }),
    });
    /** @type {number | undefined} */
    let status;
    stream.on('response', headers => {
      status = headers[':status'];
      if (status === 200) page.opened++;
    });
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) this.#note(page, event);
    }
    return status;
  }

  #note(/** @type {Page} */ page, /** @type {string} */ event) {
    const id = /^id: (\d+)$/m.exec(event)?.[1];
    if (id === undefined) return;
    // "Reload the page": the missed events are not sent.
    if (/^event: reload$/m.test(event)) page.isReloaded = true;
    page.last = Number(id);
    page.ids.push(page.last);
    page.times.set(page.last, performance.now());
  }

  /** Resolves when each page has a stream. */
  async opened() {
    for (
      const end = performance.now() + PATIENCE;
      this.pages.some(page => page.opened === 0);
      await sleep(20)
    ) {
      if (performance.now() > end) throw new Error('The event streams were not opened.');
    }
  }

  /** Resolves when each page has received this event, or after `patience` milliseconds. */
  async reached(/** @type {number} */ id, patience = 15_000) {
    for (const end = performance.now() + patience; performance.now() < end; await sleep(20)) {
      if (this.pages.every(page => page.last >= id)) return;
    }
  }

  close() {
    this.#isOpen = false;
    this.#session?.destroy();
  }
}

/**
 * @typedef {{ last: number, ids: number[], times: Map<number, number>, isReloaded: boolean, opened: number }} Page
 */

/** Sends requests over `node:http`, and bytes over a plain socket. */
import http from 'node:http';
import net from 'node:net';

const TIMEOUT = 10_000;

/** @typedef {{ method?: string, path: string, headers?: http.OutgoingHttpHeaders, body?: string | Buffer }} Question */

/** Sends one request on its own connection; resolves with the whole response. */
export function ask(
  /** @type {number} */ port,
  /** @type {Question} */ { method = 'GET', path, headers, body },
) {
  return new Promise((resolve, reject) => {
    const req = http.request({ port, host: '127.0.0.1', method, path, headers, agent: false });
    /** @type {number[]} */
    const informational = [];
    req.on('information', ({ statusCode }) => informational.push(statusCode));
    req.on('response', res => {
      /** @type {Buffer[]} */
      const chunks = [];
      res.on('data', chunk => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const { statusCode: status, statusMessage: reason, headers, rawHeaders, trailers } = res;
        const bytes = Buffer.concat(chunks);
        resolve({
          status,
          reason,
          headers,
          rawHeaders,
          trailers,
          informational,
          bytes,
          body: bytes.toString(),
        });
      });
    });
    req.on('error', reject);
    req.setTimeout(TIMEOUT, () => req.destroy(new Error(`no response to ${method} ${path}`)));
    req.end(body);
  });
}

/** A plain socket with the data received so far, and promises of what follows. */
export class Raw {
  received = '';
  isClosed = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  constructor(/** @type {number} */ port) {
    this.socket = net.connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', text => {
      this.received += text;
      this.#wake();
    });
    this.socket.on('error', err => (this.error = err));
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  #wake() {
    for (const check of this.#waiting) check();
  }

  send(/** @type {string} */ text) {
    this.socket.write(text);
    return this;
  }

  /**
   * Resolves with the received data as soon as it matches; rejects if the connection ends or ten seconds pass first.
   */
  until(/** @type {RegExp} */ pattern) {
    return this.#wait(() => pattern.test(this.received), `${pattern}`);
  }

  /** Resolves with all received data when the connection has ended. */
  end() {
    return this.#wait(() => this.isClosed, 'the end');
  }

  /** Disconnects immediately. */
  abort() {
    this.socket.destroy();
  }

  #wait(/** @type {() => boolean} */ isThere, /** @type {string} */ what) {
    return new Promise((resolve, reject) => {
      const settle = (/** @type {() => void} */ settled) => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        settled();
      };
      const got = () => `waited for ${what}, got ${JSON.stringify(this.received.slice(-300))}`;
      const check = () => {
        if (isThere()) settle(() => resolve(this.received));
        else if (this.isClosed) settle(() => reject(new Error(`${got()} and the end`)));
      };
      const timer = setTimeout(() => settle(() => reject(new Error(got()))), TIMEOUT);
      this.#waiting.add(check);
      check();
    });
  }
}

/** Returns the tools of a check, for an application that listens on the port. */
export function client(/** @type {number} */ port) {
  return {
    port,
    get: (/** @type {string} */ path, headers = {}) => ask(port, { path, headers }),
    post: (/** @type {string} */ path, /** @type {string | Buffer} */ body, headers = {}) =>
      ask(port, {
        method: 'POST',
        path,
        headers: { 'Content-Length': Buffer.byteLength(body), ...headers },
        body,
      }),
    send: (/** @type {Question} */ question) => ask(port, question),
    raw: () => new Raw(port),
    /** Repeats a request until the response's body has the wanted number of entries, or 1.5 seconds have passed. */
    async notes(/** @type {string} */ path, /** @type {number} */ count) {
      for (let tries = 0; ; tries++) {
        const found = JSON.parse((await ask(port, { path })).body);
        if (found.length >= count || tries === 60) return found;
        await new Promise(resolve => setTimeout(resolve, 25));
      }
    },
  };
}

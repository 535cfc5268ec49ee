/**
 * The HTTP client of the scenarios, for HTTP/1.1 and HTTP/2. It runs in the harness, outside the process whose modules
 * are patched, and replaces the parts of responses that always differ between the two sides with placeholders.
 */
import http from 'node:http';
import http2 from 'node:http2';

/** Matches the stack of an error, in plain text and in the page of the default error handler. */
const STACK = /(?:<br>(?: |&nbsp;)*|\n\s+)at [^]*?(?=<\/pre>|$)/;

/** Headers about an HTTP/1.1 connection, which HTTP/2 does not have (RFC 9113, section 8.2.2). */
const OF_CONNECTION = /^(?:connection|host|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/i;

/**
 * @typedef {{ port: number, method?: string, path?: string, headers?: Record<string, string | string[]>,
 *   body?: string, encoding?: BufferEncoding, timeout?: number, isHttp2?: boolean }} Wanted
 * @typedef {{ status: number, reason: string, headers: Record<string, string | string[]>, rawHeaders: string[],
 *   trailers: Record<string, string | string[] | undefined>, body: string }} Answer
 * @typedef {{ status: number, reason: string, headers: Record<string, string | string[] | undefined>,
 *   rawHeaders: string[], trailers: Answer['trailers'], bytes: Buffer }} Received
 */

/** Returns the value of a header without the parts that are specific to a side. */
function neutral(/** @type {string} */ name, /** @type {string} */ value, /** @type {boolean} */ hasStack) {
  const field = name.toLowerCase();
  if (field === 'x-powered-by' && /^(?:Express|Ristretto)$/.test(value)) return '<framework>';
  if (field === 'date' && !Number.isNaN(Date.parse(value))) return '<date>';
  if (hasStack && (field === 'content-length' || field === 'etag')) return '<of a stack>';
  return value;
}

/** Returns the comparable form of what was received. @returns {Answer} */
function answerOf(/** @type {Received} */ received, /** @type {BufferEncoding} */ encoding) {
  const { bytes, headers, ...others } = received;
  const text = bytes.toString(encoding);
  const hasStack = encoding === 'utf8' && STACK.test(text);
  const rawHeaders = received.rawHeaders.map((value, index, all) =>
    index % 2 === 0 ? value : neutral(all[index - 1] ?? '', value, hasStack),
  );
  const fields = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? neutral(name, value, hasStack) : value,
  ]);
  return {
    ...others,
    headers: Object.fromEntries(fields),
    rawHeaders,
    body: hasStack ? text.replace(STACK, ' <stack>') : text,
  };
}

/** Sends a request over HTTP/1.1. @returns {Promise<Received>} */
function sendHttp1(/** @type {Wanted} */ { port, method, path, headers, body, timeout = 20 }) {
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      host: '127.0.0.1',
      port,
      method,
      path,
      // Leaves out the port, which differs between the sides.
      headers: { Host: 'localhost', ...headers },
      agent: false,
      timeout: timeout * 1000,
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`no answer to ${method} ${path} in ${timeout} s`)),
    );
    outgoing.on('error', reject);
    outgoing.on('response', incoming => {
      /** @type {Buffer[]} */
      const chunks = [];
      incoming.on('data', chunk => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          reason: incoming.statusMessage ?? '',
          headers: incoming.headers,
          rawHeaders: incoming.rawHeaders,
          trailers: incoming.trailers,
          bytes: Buffer.concat(chunks),
        });
      });
    });
    outgoing.end(body === undefined ? undefined : Buffer.from(body, 'base64'));
  });
}

/** Returns the header block of a request. */
function requestFields(/** @type {Wanted} */ { method, path, headers = {}, body }) {
  const fields = Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name));
  const host = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'localhost';
  const length = body === undefined ? {} : { 'content-length': Buffer.from(body, 'base64').length };
  const isCounted = fields.some(([name]) => name.toLowerCase() === 'content-length');
  return {
    ...{ ':method': method, ':path': path, ':authority': String(host) },
    ...Object.fromEntries(fields),
    ...(isCounted ? {} : length),
  };
}

/** Sends a request over HTTP/2. @returns {Promise<Received>} */
function sendHttp2(/** @type {Wanted} */ wanted) {
  const { port, method, path, body, timeout = 20 } = wanted;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  /** @type {Promise<Received>} */
  const received = new Promise((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request(requestFields(wanted), { endStream: body === undefined });
    /** @type {Received} */
    const answer = {
      status: 0,
      reason: '',
      headers: {},
      rawHeaders: [],
      trailers: {},
      bytes: Buffer.alloc(0),
    };
    /** @type {Buffer[]} */
    const chunks = [];
    stream.setTimeout(timeout * 1000, () =>
      stream.destroy(new Error(`no answer to ${method} ${path} in ${timeout} s`)),
    );
    // The types lack the list of raw headers.
    stream.on('response', (.../** @type {any[]} */ [{ ':status': status, ...headers }, , raw]) => {
      Object.assign(answer, { status, headers: { ...headers }, rawHeaders: raw.slice(2) });
    });
    stream.on('trailers', trailers => (answer.trailers = { ...trailers }));
    stream.on('data', chunk => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => resolve({ ...answer, bytes: Buffer.concat(chunks) }));
    if (body !== undefined) stream.end(Buffer.from(body, 'base64'));
  });
  return received.finally(() => session.destroy());
}

/**
 * Returns a response without what HTTP/2 cannot express: the reason phrase, the case of names, the headers about the
 * connection, and the length of a 204, which clients remove. Headers are sorted by name, because Node adds some at
 * other positions.
 *
 * @returns {Received}
 */
function withoutFraming(/** @type {Received} */ received) {
  const isLeftOut = (/** @type {string} */ name) =>
    OF_CONNECTION.test(name) || (received.status === 204 && /^content-length$/i.test(name));
  const pairs = received.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && !isLeftOut(name) ? [[name.toLowerCase(), all[index + 1] ?? '']] : [],
  );
  const byName = (/** @type {any[]} */ [a], /** @type {any[]} */ [b]) => (a < b ? -1 : Number(a > b));
  const fields = Object.entries(received.headers).filter(([name]) => !isLeftOut(name));
  return {
    ...received,
    reason: '',
    headers: Object.fromEntries(fields.sort(byName)),
    rawHeaders: pairs.sort(byName).flat(),
  };
}

/**
 * Sends a request; the body is text, or base64 if `encoding` says so.
 *
 * @param {Wanted} wanted
 * @param {boolean} isForHttp2 whether the response is compared with one received over HTTP/2
 */
export async function request(wanted, isForHttp2) {
  const { method = 'GET', path = '/', headers = {}, encoding = 'utf8' } = wanted;
  const send = wanted.isHttp2 ? sendHttp2 : sendHttp1;
  const received = await send({ ...wanted, method, path, headers });
  return answerOf(isForHttp2 ? withoutFraming(received) : received, encoding);
}

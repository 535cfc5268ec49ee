/** Replays recorded requests, compares the responses of two runs, and measures what the requests cost. */
import http from 'node:http';
import https from 'node:https';
import { performance } from 'node:perf_hooks';
import zlib from 'node:zlib';
import type { Recorded } from './recording';
import type { Served } from './served';

/** What is compared: the status, the body, and each header by its name. */
type Parts = Record<string, string>;

export interface Measured {
  /** Microseconds of processor time. */
  perRequest: number;
  /** Milliseconds below which 99 % of the responses were complete. */
  p99: number;
}

export interface Played {
  /** The responses, in the order of the requests. */
  responses: Parts[];
  /** Parts that differ from one replay to the next, by request. */
  unstable: Set<string>[];
  measured: Measured | undefined;
}

export interface Compared {
  requests: number;
  /** How many responses differ. */
  different: number;
  /** How many have parts that also differ from one replay to the next, and are not compared. */
  unstable: number;
  /** Each difference with the requests that show it. */
  changes: { text: string; requests: string[] }[];
  before: Measured | undefined;
  after: Measured | undefined;
}

/** Headers that depend on the time and the connection. */
const IGNORED = /^(?:connection|content-length|date|keep-alive|transfer-encoding)$/;

/** Concurrent requests while it is measured. */
const CLIENTS = 8;

/** Milliseconds after which a response counts as none: one may be an event stream, which never ends. */
const LONGEST = 10_000;

/** The status of a request without a response; the reason follows. */
const NONE = 'none';

/** How much of a value is shown. */
const SHOWN = 60;

/**
 * Replays requests twice, to see what changes by itself, and then again and again to measure them.
 * @param seconds how long to measure, after a third of that to warm up; 0 measures nothing
 */
export async function play(served: Served, requests: readonly Recorded[], seconds: number): Promise<Played> {
  const responses = await playOnce(served, requests);
  const again = await playOnce(served, requests);
  const unstable = responses.map((parts, i) => new Set(changedParts(parts, again[i]!)));
  const answered = requests.filter((_, i) => !again[i]!.status!.startsWith(NONE));
  const measured = seconds > 0 && answered.length > 0 ? await measure(served, answered, seconds) : undefined;
  return { responses, unstable, measured };
}

/** Compares two runs of the same requests. */
export function comparePlayed(requests: readonly Recorded[], before: Played, after: Played): Compared {
  const changes = new Map<string, string[]>();
  let different = 0;
  let unstable = 0;
  requests.forEach(({ method, target }, i) => {
    const [was, is] = [before.responses[i]!, after.responses[i]!];
    const byThemselves = before.unstable[i]!;
    const changed = changedParts(was, is).filter(part => !byThemselves.has(part));
    if (changed.length > 0) different++;
    if (byThemselves.size > 0) unstable++;
    for (const part of changed) {
      const text = `${part}: ${shorten(was[part])} -> ${shorten(is[part])}`;
      changes.set(text, [...(changes.get(text) ?? []), `${method} ${target}`]);
    }
  });
  return {
    requests: requests.length,
    different,
    unstable,
    changes: [...changes].map(([text, list]) => ({ text, requests: list })),
    before: before.measured,
    after: after.measured,
  };
}

function changedParts(a: Parts, b: Parts): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(part => a[part] !== b[part]);
}

function shorten(value: string | undefined): string {
  if (value === undefined) return 'none';
  return value.length > SHOWN ? `${value.slice(0, SHOWN)}… (${String(value.length)} characters)` : value;
}

/** Sends each request once, in order, with the cookies that the responses before have set. */
async function playOnce(served: Served, requests: readonly Recorded[]): Promise<Parts[]> {
  const cookies = new Map<string, string>();
  const send = clientOf(served);
  const played: Parts[] = [];
  for (const request of requests) {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ');
    const { status, headers, body } = await send(request, cookie);
    for (const line of headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined) cookies.set(name, value!);
    }
    const fields = Object.entries(headers).filter(([name]) => !IGNORED.test(name));
    played.push({
      status,
      ...Object.fromEntries(fields.map(([name, value]) => [`header ${name}`, comparable(name, value!)])),
      body: decode(body, headers['content-encoding']),
    });
  }
  return played;
}

/** Returns the comparable part of a header: session values are random, and each framework sends its own name. */
function comparable(name: string, value: string | string[]): string {
  if (name === 'set-cookie') return namesOf(value as string[]);
  return name === 'x-powered-by' && value === 'Ristretto' ? 'Express' : String(value);
}

function namesOf(cookies: readonly string[]): string {
  return cookies.map(line => line.replace(/=.*/s, '')).join(', ');
}

/** Decompresses a body: compressed bytes may differ where the content does not. */
function decode(body: Buffer, encoding: string | undefined): string {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: zlib.gunzipSync,
    deflate: zlib.inflateSync,
    br: zlib.brotliDecompressSync,
  };
  const decoder = decoders[encoding ?? ''];
  return (decoder !== undefined && body.length > 0 ? decoder(body) : body).toString('latin1');
}

/** Returns nothing if the application ends meanwhile. */
async function measure(
  served: Served,
  requests: readonly Recorded[],
  seconds: number,
): Promise<Measured | undefined> {
  await loadFor(served, requests, seconds / 3);
  const before = await served.usage();
  const times = await loadFor(served, requests, seconds);
  const used = (await served.usage()) - before;
  if (used <= 0) return undefined;
  times.sort((a, b) => a - b);
  return { perRequest: used / times.length, p99: times[Math.floor((times.length - 1) * 0.99)]! };
}

/** Sends the requests in turn for some seconds; returns the milliseconds that each took. */
async function loadFor(served: Served, requests: readonly Recorded[], seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1000;
  const send = clientOf(served);
  const times: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      do {
        const started = performance.now();
        await send(requests[next++ % requests.length]!, '');
        times.push(performance.now() - started);
      } while (performance.now() < end);
    }),
  );
  return times;
}

interface Response {
  status: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Returns a function that sends requests over connections of its own. */
function clientOf({ port, isSecure }: Served): (request: Recorded, cookie: string) => Promise<Response> {
  const { request: open, Agent } = isSecure ? https : http;
  const agent = new Agent({ keepAlive: true });
  return ({ method, target, headers }, cookie) =>
    new Promise(resolve => {
      const fail = (reason: string) => {
        resolve({ status: `${NONE} (${reason})`, headers: {}, body: Buffer.alloc(0) });
      };
      const sent = open(
        {
          agent,
          signal: AbortSignal.timeout(LONGEST),
          port,
          host: '127.0.0.1',
          method,
          path: target,
          headers: cookie === '' ? headers : { ...headers, cookie },
          // Certificates of a development server are its own.
          ...(isSecure && { rejectUnauthorized: false }),
        },
        response => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', error => fail(error.message));
          response.on('end', () => {
            resolve({
              status: String(response.statusCode),
              headers: response.headers,
              body: Buffer.concat(chunks),
            });
          });
        },
      );
      sent.on('error', error => fail(error.message));
      sent.end();
    });
}

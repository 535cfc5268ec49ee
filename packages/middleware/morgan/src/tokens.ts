/** The tokens of formats: the values in a log line about a request and its response. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The members that morgan stores on messages, under names that applications' tokens read too. */
export interface Timed {
  _startAt?: [number, number] | undefined;
  _startTime?: Date | undefined;
  _remoteAddress?: string | undefined;
}

export type Request = IncomingMessage & Timed & { ip?: string; originalUrl?: string };
export type Response = ServerResponse & Timed;
export type Token = (req: Request, res: Response, arg?: string) => unknown;

/** Characters that end or fake a line, or that terminals interpret. */
const UNSAFE = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const EACH_UNSAFE = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x7f ? JSON.stringify(character).slice(1, -1) : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Escapes text from clients so that it stays within its place in the line. Other values are returned unchanged. */
export function safe(value: unknown): unknown {
  return typeof value === 'string' && UNSAFE.test(value) ? value.replace(EACH_UNSAFE, escaped) : value;
}

const safeList = (value: unknown): unknown => safe(Array.isArray(value) ? value.join(', ') : value);

function areHeadersSent(res: Response & { _header?: unknown }): boolean {
  // Responses of tests and of other servers may have only one of these.
  return typeof res.headersSent === 'boolean' ? res.headersSent : Boolean(res._header);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const twoDigits = (value: number) => String(value).padStart(2, '0');

function clfDate(date: Date): string {
  const day = `${twoDigits(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]!}/${date.getUTCFullYear()}`;
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(twoDigits).join(':');
  return `${day}:${time} +0000`;
}

/** Returns a function whose result is cached for one second. */
function oncePerSecond(make: (date: Date) => string): () => string {
  let second = NaN;
  let text = '';
  return () => {
    const now = Date.now();
    const current = Math.floor(now / 1000);
    if (current !== second) {
      second = current;
      text = make(new Date(now));
    }
    return text;
  };
}

const clfNow = oncePerSecond(clfDate);
const webNow = oncePerSecond(date => date.toUTCString());

/** Returns the address of the client, which may be gone once the connection is closed. */
export function addressOf(req: Request): string | undefined {
  // Requests of tests often have only `connection`.
  const socket =
    (req.socket as Request['socket'] | undefined) ?? (req as { connection?: Request['socket'] }).connection;
  return req.ip || req._remoteAddress || socket?.remoteAddress || undefined;
}

const CREDENTIALS = /^ *basic +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Returns the user of Basic authentication: https://www.rfc-editor.org/rfc/rfc7617 */
function userOf(req: Request): string | undefined {
  const [, encoded] = CREDENTIALS.exec(req.headers.authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return /^([^:]*):.*$/.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}

const milliseconds = ([seconds, nanoseconds]: [number, number]) => seconds * 1e3 + nanoseconds * 1e-6;

function inDigits(value: number, digits: string | undefined): string {
  return value.toFixed(digits === undefined ? 3 : Number(digits));
}

export const tokens: Record<string, Token> = {
  url: req => safe(req.originalUrl || req.url),
  method: req => safe(req.method),
  'response-time': (req, res, digits) => {
    const { _startAt: start } = req;
    const { _startAt: end } = res;
    if (!start || !end) return undefined;
    return inDigits(milliseconds([end[0] - start[0], end[1] - start[1]]), digits);
  },
  'total-time': (req, res, digits) => {
    if (!req._startAt || !res._startAt) return undefined;
    return inDigits(milliseconds(process.hrtime(req._startAt)), digits);
  },
  date: (_req, _res, format = 'web') => {
    if (format === 'clf') return clfNow();
    if (format === 'iso') return new Date().toISOString();
    return format === 'web' ? webNow() : undefined;
  },
  status: (_req, res) => (areHeadersSent(res) ? String(res.statusCode) : undefined),
  referrer: req => safe(req.headers.referer || req.headers.referrer),
  'remote-addr': req => safe(addressOf(req)),
  'remote-user': req => safe(userOf(req)),
  pid: () => String(process.pid),
  'http-version': req => `${req.httpVersionMajor}.${req.httpVersionMinor}`,
  'user-agent': req => safe(req.headers['user-agent']),
  req: (req, _res, name) => safeList(req.headers[name!.toLowerCase()]),
  res: (_req, res, name) => (areHeadersSent(res) ? safeList(res.getHeader(name!)) : undefined),
};

/**
 * Tokens that need a hook before the header block is created: for its time, or because Node does not store headers that are
 * passed to `writeHead` when none were set.
 */
export const HOOKED = new Set(['response-time', 'total-time', 'res']);

// runs: slow, once
/** The same for the additional input of `ristretto3`: its headers, and multipart bodies. */
import assert from 'node:assert/strict';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import web from 'ristretto3';
import basicAuth from 'ristretto3/lib/middleware/basicAuth';
import cookieParser from 'ristretto3/lib/middleware/cookieParser';
import cookieSession from 'ristretto3/lib/middleware/cookieSession';
import csrf from 'ristretto3/lib/middleware/csrf';
import methodOverride from 'ristretto3/lib/middleware/methodOverride';
import { FormParser } from 'ristretto3/lib/middleware/multipart/parser';
import vhost from 'ristretto3/lib/middleware/vhost';
import { fieldsReadIn } from '../support/fields-read.js';
import { assertFast, assertLinear, repeated } from '../support/worst-case.js';

type Read = (field: string) => unknown;
type Middleware = (req: never, res: never, next: (error?: unknown) => void) => void;

process.noDeprecation = true;
const app = web();

/** Creates a request with one header, and its response. */
function having(name: string, use: (req: Request, res: Response) => unknown, method = 'GET'): Read {
  return field => {
    const message = new http.IncomingMessage(undefined as never);
    const req = Object.setPrototypeOf(message, app.request as object) as Request;
    Object.assign(req, { method, url: '/', headers: { [name]: field, 'content-length': '0' } });
    Object.defineProperty(req, 'socket', { value: { remoteAddress: '127.0.0.1' } });
    const res = Object.setPrototypeOf(new http.ServerResponse(req), app.response as object) as Response;
    return use(Object.assign(req, { res }), res);
  };
}

function running(name: string, middleware: unknown, method?: string, members: object = {}): Read {
  const use = (req: Request, res: Response): void => {
    (middleware as Middleware)(Object.assign(req, members) as never, res as never, () => undefined);
  };
  return having(name, use, method);
}

type Old = Request &
  Record<'accepted' | 'acceptedCharsets' | 'acceptedEncodings' | 'acceptedLanguages' | 'auth', unknown>;
const member = (name: string, key: keyof Old): Read => having(name, req => (req as Old)[key]);

const basic = basicAuth('tobi', 'ferret');
const tokens = csrf();
const SECRET = 'secret';
const rows: [name: string, prefixes: string[], reads: Read[]][] = [
  [
    'authorization',
    ['', 'Basic ', 'Basic dG9'],
    [member('authorization', 'auth'), running('authorization', basic)],
  ],
  [
    'cookie',
    ['', 'a=s:', 'a=j:[', 'a="', 'connect.sess=s:j:'],
    [running('cookie', cookieParser(SECRET)), running('cookie', cookieSession({ secret: SECRET }))],
  ],
  [
    'x-forwarded-proto',
    ['', 'https,'],
    [running('x-forwarded-proto', cookieSession({ secret: SECRET, proxy: true }))],
  ],
  ['x-http-method-override', ['', 'DELETE,'], [running('x-http-method-override', methodOverride(), 'POST')]],
  [
    'x-csrf-token',
    ['', 'abcdefgh-'],
    [running('x-csrf-token', tokens, 'POST', { session: { csrfSecret: SECRET } })],
  ],
  ['host', [''], [running('host', vhost('*.example.com', basic))]],
  ['accept', ['', 'text/html;'], [member('accept', 'accepted')]],
  ['accept-charset', ['', 'a;'], [member('accept-charset', 'acceptedCharsets')]],
  ['accept-encoding', ['', 'a;'], [member('accept-encoding', 'acceptedEncodings')]],
  ['accept-language', ['', 'a-'], [member('accept-language', 'acceptedLanguages')]],
  [
    'content-type',
    ['', 'multipart/form-data;', 'multipart/form-data; boundary='],
    [having('content-type', req => req.is('json'))],
  ],
  ['content-length', [''], [having('content-length', req => Number(req.headers['content-length']))]],
];
/** Headers that the underlying package reads and tests; and a setting, which is read with the same syntax. */
const ELSEWHERE = ['range', 'referrer', 'env'];

const HEAD = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
const PREFIXES = { preamble: '', header: '--b\r\n', content: HEAD, name: HEAD.slice(0, -6) };
const PIECES = ['\r', '\r\n', '\r\n-', '\r\n--', '--b', 'a', '\r\n--b\r\n\r\n', '\r\n--b\r\nX: y'];

/** Parses a body that arrives in chunks of this size. */
function parse(body: Buffer, size: number): void {
  const parser = new FormParser('b');
  for (let at = 0; at < body.length; at += size) {
    for (const event of parser.push(body.subarray(at, at + size))) assert.ok(event);
  }
}

describe('linear time: ristretto3', () => {
  for (const [name, prefixes, reads] of rows) {
    test(`${name}: processes 16 KiB of anything in less than 5 ms`, () => {
      for (const read of reads) for (const prefix of prefixes) assertFast(read, prefix);
    });
  }

  test('all headers that the sources read: have a row here', () => {
    const known = new Set([...rows.map(([name]) => name), ...ELSEWHERE]);
    const read = fieldsReadIn(path.join(__dirname, '../../../ristretto3/src'));
    assert.deepEqual(
      [...read].filter(name => !known.has(name)),
      [],
    );
  });

  for (const [what, prefix] of Object.entries(PREFIXES)) {
    test(`multipart bodies, ${what}: parse 64 KiB of anything in linear time`, () => {
      for (const piece of PIECES) {
        for (const size of what === 'content' ? [64 * 1024, 1000] : [64 * 1024]) {
          assertLinear(
            length => {
              const body = Buffer.from(repeated(prefix, piece, length));
              return () => parse(body, size);
            },
            JSON.stringify([piece, size]),
            64 * 1024,
          );
        }
      }
    });
  }
});

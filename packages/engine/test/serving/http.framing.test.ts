// runs: http1, each
/** Responses with unusual framing: the same bytes as from Express. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import type { RequestHandler } from 'express';
import { exchangeRaw, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n';
const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Returns the bytes sent, without the date and the framework's name. */
async function bytes(
  web: Web,
  handler: RequestHandler,
  text: string,
  serve = http.createServer,
): Promise<string> {
  const raw = await withServer(serve(web().use(handler)), port => exchangeRaw(port, text));
  return raw.toString('latin1').replace(/^(Date|X-Powered-By): .*/gm, '$1');
}

async function sameBytes(
  handler: RequestHandler,
  text = `${request}\r\n${last}`,
  serve = http.createServer,
): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [frameworks.ristretto, frameworks.express].map(web => bytes(web, handler, text, serve)),
  );
  assert.equal(ours, theirs);
}

describe('http framing', () => {
  for (const status of [102, 150, 199, 204, 205, 304, 599, 999]) {
    test(`status ${status}: is framed as in Express when it has a body`, () =>
      sameBytes((_req, res) => void res.status(status).send('body')));
  }
  test('Expect: 100-continue may be handled by the application', () =>
    sameBytes(
      (_req, res) => void res.send('not yet'),
      `POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n${last}`,
      handler => http.createServer(handler as never).on('checkContinue', handler as never),
    ));
  test('Expect: 100-continue may be handled by Node', () =>
    sameBytes(
      (_req, res) => void res.send('x'),
      `POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n${last}`,
    ));
  test('no keep-alive headers: are sent if switched off on the response', () =>
    sameBytes((_req, res) => {
      (res as unknown as { _defaultKeepAlive: boolean })._defaultKeepAlive = false;
      res.send('x');
    }));
  test('Transfer-Encoding: may be set by a handler', () =>
    sameBytes((_req, res) => void res.set('Transfer-Encoding', 'chunked').send('chunked')));
  test('Content-Length: may be removed after it was set', () =>
    sameBytes((_req, res) => {
      res.set('Content-Length', '1');
      res.removeHeader('Content-Length');
      res.send('x');
    }));
  test('shouldKeepAlive: may be switched off', () =>
    sameBytes((_req, res) => {
      res.shouldKeepAlive = false;
      res.send('x');
    }));
  test('trailers: follow a chunked body', () =>
    sameBytes((_req, res) => {
      res.set('Trailer', 'X-Sum');
      res.write('x');
      res.addTrailers({ 'X-Sum': '1' });
      res.end();
    }));
  test('corked: is sent when the handler uncorks it', () =>
    sameBytes((_req, res) => {
      res.cork();
      res.send('x');
      process.nextTick(() => res.uncork());
    }));
  test('written before: the rest follows', () =>
    sameBytes((_req, res) => {
      res.write('first ');
      res.end('second');
    }));
});

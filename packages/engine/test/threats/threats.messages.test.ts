/** Attacks on responses on keep-alive connections, where complete responses are written in a different way. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { describe, test } from 'node:test';
import type { Response } from 'express';
import web from 'ristretto';
import { exchangeRaw, withServer } from '../support/http.js';

/** Returns everything received for two requests on one connection, which the second one closes. */
async function kept(app: unknown): Promise<string> {
  const requests =
    'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  return (await withServer(app as http.Server, port => exchangeRaw(port, requests))).toString('latin1');
}

const breaking = ['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\rb', 'a\0b', 'a\u0100\r\nX-Evil: 1'];

/** Asserts that every use of such a value throws and that nothing of it is sent. */
async function assertThrows(use: (res: Response, value: string) => void): Promise<void> {
  for (const value of breaking) {
    let thrown: unknown;
    const app = web().use((req, res) => {
      if (req.url === '/last') {
        res.send('last');
        return;
      }
      try {
        use(res as never, value);
      } catch (error) {
        thrown = error;
        res.statusMessage = 'OK';
        res.removeHeader('Content-Length');
        res.end();
      }
    });
    const answers = await kept(app);
    assert.ok(thrown instanceof Error, JSON.stringify(value));
    assert.doesNotMatch(answers, /x-evil/i);
    assert.match(answers, /last$/);
  }
}

describe('threats: keep-alive connections', () => {
  test('CR LF: reason phrases throw', () =>
    assertThrows((res, value) => {
      res.statusMessage = value;
      res.send('x');
    }));

  test('CR LF: header values throw', async () => {
    await assertThrows((res, value) => void res.set('X-A', value).send('x'));
    await assertThrows((res, value) => void res.set({ 'X-A': ['b', value] }).send('x'));
    await assertThrows((res, value) => void res.append('X-A', value).send('x'));
    await assertThrows((res, value) => void res.links({ next: value }).send('x'));
    await assertThrows((res, value) => void res.vary(value).send('x'));
    await assertThrows((res, value) => void res.type(`text/${value}`).send('x'));
    await assertThrows((res, value) => void res.set('ETag', value).json('x'));
  });

  test('CR LF: cookies throw', async () => {
    await assertThrows((res, value) => void res.cookie(value, 'x').send('x'));
    await assertThrows((res, value) => void res.cookie('a', 'x', { path: value }).json('x'));
    await assertThrows((res, value) => void res.cookie('a', 'x', { domain: value }).json('x'));
    await assertThrows((res, value) => void res.cookie('a', value, { encode: text => text }).send('x'));
  });

  test('CR LF: header names throw', async () => {
    await assertThrows((res, value) => void res.set(`X-${value}`, 'x').send('x'));
  });
});

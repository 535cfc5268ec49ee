/** Attacks on responses on keep-alive connections, where complete responses are written in a different way. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import web from 'ristretto';
import { exchangeRaw, withServer } from '../support/http.js';

/** Returns everything received for these requests on one connection, which the last request closes. */
async function kept(app: unknown, ...targets: string[]): Promise<string> {
  const requests = [...targets, 'GET /last'].map((target, at) => {
    const close = at === targets.length ? 'Connection: close\r\n' : '';
    // A 304 needs a conditional request
    const condition = target.endsWith('/304') ? 'If-None-Match: "x"\r\n' : '';
    return `${target} HTTP/1.1\r\nHost: x\r\n${condition}${close}\r\n`;
  });
  const bytes = await withServer(app as http.Server, port => exchangeRaw(port, requests.join('')));
  return bytes.toString('latin1');
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
    const answers = await kept(app, 'GET /');
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

  test('bodiless responses: HEAD, 204, 205 and 304 send no body', async () => {
    const app = web().use((req: Request, res: Response) => {
      const status = Number(req.path.slice(1));
      if (status) res.status(status);
      res.send('body of it');
    });
    const targets = ['HEAD /200', 'GET /204', 'GET /205', 'GET /304', 'HEAD /404'];
    for (const target of targets) {
      const answers = await kept(app, target);
      const [head = '', next = '', body] = answers.split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 \d{3} /, target);
      assert.match(next, /^HTTP\/1\.1 200 OK\r\n/, target);
      assert.equal(body, 'body of it', target);
    }
  });

  test('one response per request: a second one is not sent, and throws', async () => {
    const seconds: ((res: Response) => unknown)[] = [
      res => res.send('second'),
      res => res.json('second'),
      res => res.sendStatus(500),
      res => void res.redirect('/second'),
      res => res.set('X-Second', '1').end(),
    ];
    for (const second of seconds) {
      let thrown: unknown;
      const app = web().use((_req: Request, res: Response) => {
        res.send('first');
        try {
          second(res);
        } catch (error) {
          thrown = error;
        }
      });
      const answers = await kept(app, 'GET /');
      assert.equal((thrown as NodeJS.ErrnoException).code, 'ERR_HTTP_HEADERS_SENT', second.toString());
      assert.equal(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
      assert.doesNotMatch(answers, /second/i);
    }
  });
});

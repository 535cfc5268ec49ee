/** `req.method`: the property of Node's request. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import web from 'ristretto';
import web5 from 'ristretto5';
import { answering, sameEach } from '../../support/compare.js';
import { exchangeRaw, withServer } from '../../support/http.js';
import { askHttp2, askSession, withSession } from '../../support/http2.js';
import { same } from '../../support/oracle.js';

describe('req.method', () => {
  test('value: is the method in the request line', async () => {
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'M-SEARCH', 'PROPFIND'];
    const answers = await sameEach(
      answering((req, res) => void res.send(req.method)),
      methods.map(method => ({ method })),
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      methods,
    );
  });

  test('native: is an own property that middleware may change', async () => {
    const answer = await same(
      web =>
        web()
          .use((req, _res, next) => {
            assert.ok(Object.hasOwn(req, 'method'));
            req.method = 'DELETE';
            next();
          })
          .post('/', (_req, res) => void res.send('posted'))
          .delete('/', (_req, res) => void res.send('deleted')),
      { method: 'POST' },
    );
    assert.equal(answer.text, 'deleted');
  });

  test('case: a method that the HTTP/1.1 parser rejects gets 400 over every protocol and runs no handler', async () => {
    for (const make of [web, web5 as unknown as typeof web]) {
      for (const method of ['delete', 'Delete', 'patch', 'FOO']) {
        const ran: string[] = [];
        const app = make()
          .set('env', 'test')
          .use((req, res) => void res.send(String(ran.push(req.method))));
        const statuses: Record<string, unknown> = {};
        const text = `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
        const raw = String(await withServer(app, port => exchangeRaw(port, text)));
        statuses['HTTP/1.1'] = Number(/^HTTP\/1\.1 (\d+)/.exec(raw)![1]);
        statuses['HTTP/2'] = await withSession(http2.createServer(app as never), async session => {
          const first = await askSession(session, { method });
          const second = await askSession(session, { method, body: 'x' });
          return [first.status, second.status];
        });
        const shared = http2.createServer((req, res) => {
          app(req as never, res as never);
        });
        statuses['shared HTTP/2'] = (
          await withSession(shared, session => askSession(session, { method }))
        ).status;
        const request = { method, url: 'http://a.example/', headers: new Headers(), body: null };
        statuses['app.fetch'] = (await app.fetch(request as unknown as Request)).status;
        assert.deepEqual(statuses, {
          'HTTP/1.1': 400,
          'HTTP/2': [400, 400],
          'shared HTTP/2': 400,
          'app.fetch': 400,
        });
        assert.deepEqual(ran, []);
      }
    }
  });

  test('case: a route for DELETE does not run for delete, so a guard that compares the method cannot be passed', async () => {
    const app = web()
      .use((req, res, next) => {
        if (req.method === 'DELETE') res.status(403).send('guarded');
        else next();
      })
      .delete('/', (_req, res) => void res.send('deleted'));
    assert.equal((await askHttp2(app, { method: 'DELETE' })).status, 403);
    const small = await askHttp2(app, { method: 'delete' });
    assert.deepEqual([small.status, small.text], [400, 'Unknown method: methods are case-sensitive']);
    const patch = web().patch('/', (_req, res) => void res.send('patched'));
    const request = new Request('http://a.example/', { method: 'patch' });
    assert.equal((await patch.fetch(request)).status, 400);
  });

  test('case: a method that middleware sets in lower case finds its route, as in Express', async () => {
    const answer = await same(
      web =>
        web()
          .use((req, _res, next) => {
            req.method = 'delete';
            next();
          })
          .delete('/', (_req, res) => void res.send('deleted')),
      { method: 'POST' },
    );
    assert.equal(answer.text, 'deleted');
  });
});

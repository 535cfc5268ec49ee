// runs: each
/** An application of 3.x over HTTP/2, through `app.fetch` and `app.inject`. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto3';

const make = (): ReturnType<typeof web> => {
  const app = web();
  app.use(web.json());
  app.post('/:id', (req, res) => {
    res.json({ id: req.params.id, body: req.body as unknown, version: req.httpVersion });
  });
  return app;
};

describe('app.fetch', () => {
  test('a Request: resolves with a Response', async () => {
    const { fetch } = make();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(
      new Request('http://a.example/5', { method: 'POST', headers, body: '{"a":1}' }),
    );
    assert.deepEqual(await response.json(), { id: '5', body: { a: 1 }, version: '1.1' });
  });
});

describe('app.inject', () => {
  test('options: resolves with the whole response', async () => {
    const response = await make().inject({ url: '/6', body: { a: 1 } });
    assert.deepEqual(response.json(), { id: '6', body: { a: 1 }, version: '1.1' });
  });
});

describe('app.handle', () => {
  test('HTTP/2: each request gets the request and response of the application', async () => {
    const server = http2.createServer(make() as never);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const session = http2.connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    for (let i = 0; i < 2; i++) {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/7',
        'content-type': 'application/json',
      });
      stream.end('{"a":1}').setEncoding('utf8');
      let text = '';
      for await (const chunk of stream) text += chunk as string;
      assert.deepEqual(JSON.parse(text), { id: '7', body: { a: 1 }, version: '2.0' });
    }
    session.destroy();
    await new Promise(resolve => server.close(resolve));
  });
});

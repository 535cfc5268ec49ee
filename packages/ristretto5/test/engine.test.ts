/** Additions of the ristretto engine also work in the Express 5 interface. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';

function application(): web.Application {
  const app = web();
  app.use(web.json());
  app.post('/things/:id', (req, res) => {
    res.status(201).json({ id: req.params.id, body: req.body as unknown, query: req.query });
  });
  return app;
}

describe('engine', () => {
  test('app.inject: sends a request without a socket', async () => {
    const { status, json } = await application().inject({
      method: 'POST',
      url: '/things/7?a=1',
      body: { b: 2 },
    });
    assert.deepEqual([status, json()], [201, { id: '7', body: { b: 2 }, query: { a: '1' } }]);
  });

  test('app.fetch: handles a Request', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '[1]' };
    const response = await application().fetch(new Request('http://x/things/8', init));
    assert.deepEqual([response.status, await response.json()], [201, { id: '8', body: [1], query: {} }]);
  });

  test('HTTP/2: app.listen serves it and calls the callback', async () => {
    const app = application();
    const server = await new Promise<ReturnType<typeof app.listen>>(resolve => {
      const server = app.listen({ http2: true, port: 0 }, () => {
        resolve(server);
      });
    });
    const session = http2.connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/things/9',
      'content-type': 'application/json',
    });
    stream.end('{"c":3}');
    let text = '';
    stream.setEncoding('utf8').on('data', chunk => (text += String(chunk)));
    await new Promise(resolve => stream.on('end', resolve));
    session.close();
    server.close();
    assert.deepEqual(JSON.parse(text), { id: '9', body: { c: 3 }, query: {} });
  });

  test('web.stop: stops a server', async () => {
    const server = application().listen(0);
    await new Promise(resolve => server.once('listening', resolve));
    const { forced } = await web.stop(server, { timeout: 500 });
    assert.equal(forced, 0);
  });

  test('index: the last of many routes is found, also if the stack is read and changed', async () => {
    const app = web();
    for (let i = 0; i < 200; i++)
      app.get(`/r${String(i)}/:id`, (req, res) => void res.send(String(i) + req.params.id));
    assert.equal((await ask(app, '/r199/x')).text, '199x');
    const { stack } = app.router;
    stack.unshift(stack.pop()!);
    assert.equal((await ask(app, '/r199/y')).text, '199y');
    stack.length = 1;
    assert.equal((await ask(app, '/r5/y')).status, 404);
  });
});

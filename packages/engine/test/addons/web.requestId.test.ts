/** `web.requestId`: where the id of a request comes from, and where it is visible. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request } from 'ristretto';
import { ask } from '../support/http.js';
import { askSession, withSession } from '../support/http2.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const idOf = (req: Request): unknown => (req as { id?: unknown }).id;

/** Returns an application that sends the id of each request. */
const appOf = (
  options?: web.RequestIdOptions,
  trust: boolean | string = 'loopback',
): ReturnType<typeof web> => {
  const app = web().set('env', 'test').set('trust proxy', trust);
  app.use(web.requestId(options));
  app.use((req, res) => void res.send(String(idOf(req))));
  return app;
};

const traceparent = `00-${TRACE}-${PARENT}-01`;

describe('web.requestId', () => {
  test('new id: is a different UUID for each request, in req.id and X-Request-Id', async () => {
    const app = appOf();
    const [first, second] = [await ask(app), await ask(app)];
    assert.match(first.text, UUID);
    assert.equal(first.headers['x-request-id'], first.text);
    assert.ok(first.rawHeaders.some(([name]) => name.toLowerCase() === 'x-request-id'));
    assert.notEqual(first.text, second.text);
  });

  test('unused: requests have no id', async () => {
    const app = web().get('/', (req, res) => void res.json('id' in req));
    assert.equal((await ask(app)).text, 'false');
  });

  test('X-Request-Id: is accepted only from a trusted proxy', async () => {
    const headers = { 'X-Request-Id': 'edge-42' };
    assert.equal((await ask(appOf(), { headers })).text, 'edge-42');
    assert.equal((await ask(appOf(), { headers })).headers['x-request-id'], 'edge-42');
    assert.match((await ask(appOf({}, false), { headers })).text, UUID);
    assert.match((await ask(appOf({}, '10.0.0.0/8'), { headers })).text, UUID);
  });

  test('X-Request-Id: is accepted only if it is safe to log', async () => {
    const app = appOf();
    const safe = [
      'a',
      'Root=1-67891233-abc;Self=1',
      'b64+/==',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'x'.repeat(128),
    ];
    for (const id of safe) assert.equal((await ask(app, { headers: { 'X-Request-Id': id } })).text, id);
    const unsafe = [
      '',
      'a b',
      'a\tb',
      'a"b',
      "a'b",
      '<b>',
      '{}',
      '${jndi:x}',
      '%s',
      'a\\n',
      'é',
      'x'.repeat(129),
    ];
    for (const id of unsafe) {
      assert.match((await ask(app, { headers: { 'X-Request-Id': id } })).text, UUID, id);
    }
    assert.match((await ask(app, { headers: { 'X-Request-Id': ['a', 'b'] } })).text, UUID);
  });

  test('traceparent: provides its trace id if there is no X-Request-Id', async () => {
    const app = appOf();
    assert.equal((await ask(app, { headers: { traceparent } })).text, TRACE);
    assert.equal((await ask(app, { headers: { traceparent } })).headers['x-request-id'], TRACE);
    assert.equal((await ask(app, { headers: { traceparent, 'X-Request-Id': 'a' } })).text, 'a');
    assert.equal((await ask(app, { headers: { traceparent, 'X-Request-Id': '%' } })).text, TRACE);
    assert.match((await ask(appOf({}, false), { headers: { traceparent } })).text, UUID);
  });

  test('traceparent: is ignored if it is malformed, and read if its version is newer', async () => {
    const app = appOf();
    const zeros = '0'.repeat(32);
    const malformed = [
      '',
      TRACE,
      `00-${TRACE}-${PARENT}`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `00-${zeros}-${PARENT}-01`,
      `00-${TRACE}-${zeros.slice(16)}-01`,
      `ff-${TRACE}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-01-more`,
      `01-${TRACE}-${PARENT}-01more`,
    ];
    for (const header of malformed) {
      assert.match((await ask(app, { headers: { traceparent: header } })).text, UUID, header);
    }
    for (const header of [`cc-${TRACE}-${PARENT}-00-what-comes`, `01-${TRACE}-${PARENT}-01`]) {
      assert.equal((await ask(app, { headers: { traceparent: header } })).text, TRACE, header);
    }
  });

  test('header: sets another name for both directions', async () => {
    const app = appOf({ header: 'X-Correlation-ID' });
    const headers = { 'x-correlation-id': 'abc', 'x-request-id': 'no' };
    const response = await ask(app, { headers });
    assert.equal(response.text, 'abc');
    assert.equal(response.headers['x-correlation-id'], 'abc');
    assert.equal(response.headers['x-request-id'], undefined);
  });

  test('trust: takes the values of the trust proxy setting, which it overrides', async () => {
    const headers = { 'X-Request-Id': 'abc' };
    assert.match((await ask(appOf({ trust: false }), { headers })).text, UUID);
    assert.match((await ask(appOf({ trust: '10.0.0.1' }), { headers })).text, UUID);
    for (const trust of [
      true,
      1,
      'loopback',
      ['127.0.0.0/8'],
      (address?: string) => address === '127.0.0.1',
    ]) {
      assert.equal((await ask(appOf({ trust }, false), { headers })).text, 'abc');
    }
  });

  test('generate: creates the id from the request', async () => {
    const app = appOf({ generate: req => `id of ${req.url!}` });
    assert.equal((await ask(app, '/here')).text, 'id of /here');
  });

  test('generate: an invalid id is an error that goes to the error handlers', async () => {
    for (const [id, text] of [
      ['', "''"],
      [7, '7'],
      [undefined, 'undefined'],
    ]) {
      const { status, text: page } = await ask(appOf({ generate: () => id as string }));
      assert.equal(status, 500);
      assert.ok(
        page.replaceAll('&#39;', "'").includes(`Expected generate to return a string, got ${String(text)}`),
      );
    }
  });

  test('respond: false omits the response header', async () => {
    const { text, headers } = await ask(appOf({ respond: false }));
    assert.match(text, UUID);
    assert.equal(headers['x-request-id'], undefined);
  });

  test('an existing id: is kept and sent back, regardless of what set it', async () => {
    const app = web();
    app.use((req, _res, next) => {
      (req as { id?: unknown }).id = 7;
      next();
    });
    app.use(web.requestId(), web.requestId(), (req, res) => res.json(idOf(req)));
    const { text, headers } = await ask(app);
    assert.deepEqual([text, headers['x-request-id']], ['7', '7']);
  });

  test('options: invalid values throw at registration and are in the message', () => {
    const requestId = web.requestId as (options: unknown) => unknown;
    assert.throws(
      () => requestId({ header: 'X Request' }),
      /^TypeError: web\.requestId\(\): header must be .*, got 'X Request'$/,
    );
    assert.throws(() => requestId({ header: null }), TypeError);
    for (const trust of ['nobody', ['10.0.0.0/40'], [5]]) {
      const message = /^web\.requestId\(\): trust must be a value of the setting trust proxy, got /;
      assert.throws(() => requestId({ trust }), { name: 'TypeError', message });
    }
  });

  test('HTTP/2: ids work the same', async () => {
    await withSession(http2.createServer(appOf() as never), async session => {
      for (let i = 0; i < 2; i++) {
        const answer = await askSession(session, { headers: { 'x-request-id': 'abc' } });
        assert.deepEqual([answer.text, answer.headers['x-request-id']], ['abc', 'abc']);
      }
    });
  });

  test('app.fetch: ids work the same, with the address that the host passes', async () => {
    const { fetch } = appOf();
    const request = (): globalThis.Request =>
      new globalThis.Request('http://x/', { headers: { 'X-Request-Id': 'abc' } });
    assert.equal(await (await fetch(request(), { remoteAddress: '127.0.0.1' })).text(), 'abc');
    assert.match(await (await fetch(request())).text(), UUID);
  });
});

// runs: each
/** `app.inject`: sends requests to an application without a socket, for tests. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { InjectOptions } from '@ristretto/private-engine/lib/types/fetch';
import { until } from '../support/until.js';
import { outputOf } from '../support/program.js';

/** Creates an application that responds with the request it received. */
const mirror = (): ReturnType<typeof web> => {
  const app = web()
    .set('env', 'test')
    .use(web.json(), web.text(), web.urlencoded({ extended: true }), web.raw());
  return app.use((req, res) => {
    const { method, originalUrl, headers, ip } = req;
    res.json({ method, url: originalUrl, headers, ip, body: req.body as unknown });
  });
};

const see = async (options: InjectOptions | string): Promise<Record<string, unknown>> => {
  const response = await mirror().inject(options);
  return response.json() as Record<string, unknown>;
};

describe('app.inject', () => {
  test('a path: sends a GET request', async () => {
    const { method, url, headers, ip } = await see('/a?b=c');
    assert.deepEqual([method, url, headers, ip], ['GET', '/a?b=c', { host: 'localhost' }, '127.0.0.1']);
  });

  test('a path and options: sends both', async () => {
    const response = await mirror().inject('/a?b=c', { body: { d: 1 }, query: { e: 2 } });
    const { method, url, body } = response.json<Record<string, unknown>>();
    assert.deepEqual([method, url, body], ['POST', '/a?b=c&e=2', { d: 1 }]);
  });

  test('a path and options: are rejected with a second URL, and in another order', async () => {
    await assert.rejects(mirror().inject('/a', { url: '/b' } as object), {
      name: 'TypeError',
      message:
        "app.inject(): unknown option 'url'; the options are method, query, headers, cookies, body, remoteAddress, signal",
    });
    await assert.rejects(mirror().inject({ method: 'PUT' }, { body: 'b' }), {
      name: 'TypeError',
      message: "app.inject(): the first of two arguments must be a URL, got { method: 'PUT' }",
    });
  });

  test('nothing: sends a GET request for the root', async () => {
    assert.equal((await mirror().inject()).status, 200);
  });

  test('a whole URL: sets the Host header', async () => {
    const { headers, url } = await see('https://example.com/x');
    assert.deepEqual([headers, url], [{ host: 'example.com' }, '/x']);
  });

  test('the path: is not normalised', async () => {
    assert.equal((await see('//a/../b/%2e')).url, '//a/../b/%2e');
  });

  test('query: is appended to the query string', async () => {
    const { url } = await see({ url: '/a?b=c', query: { d: 1, e: ['f', 'g h'] } });
    assert.equal(url, '/a?b=c&d=1&e=f&e=g+h');
  });

  test('method: accepts any token and rejects everything else', async () => {
    assert.equal((await see({ method: 'trace' })).method, 'TRACE');
    await assert.rejects(mirror().inject({ method: 'GET /' }), {
      name: 'TypeError',
      message: "app.inject(): method must be a token such as GET, got 'GET /'",
    });
  });

  test('url: must be a string', async () => {
    await assert.rejects(mirror().inject({ url: 5 as never }), /url must be a string, got 5/);
  });

  test('Host: overrides the host of the URL, even with an invalid value', async () => {
    const hosts = ['tenant.example:8080', 'a@b/c', ''];
    for (const host of hosts) {
      const { headers, url } = await see({ url: '/x', headers: { Host: host } });
      assert.deepEqual([headers, url], [{ host }, '/x']);
    }
    const whole = await see({ url: 'https://example.com/x', headers: { host: 'other.example' } });
    assert.deepEqual([whole.headers, whole.url], [{ host: 'other.example' }, '/x']);
  });

  test('options: rejects unknown ones by name, and values that are neither a URL nor an object', async () => {
    const known = 'method, url, query, headers, cookies, body, remoteAddress, signal';
    for (const [options, message] of [
      [{ path: '/' }, `app.inject(): unknown option 'path'; the options are ${known}`],
      [{ header: {}, payload: 1 }, `app.inject(): unknown option 'header'; the options are ${known}`],
      [5, 'app.inject(): expected an object with options, got 5'],
      [null, 'app.inject(): expected an object with options, got null'],
    ] as const) {
      await assert.rejects(mirror().inject(options as never), { name: 'TypeError', message });
    }
  });

  test('body: streams a Readable and other async iterables', async () => {
    async function* pieces(): AsyncGenerator<string | Uint8Array> {
      yield 'pie';
      await Promise.resolve();
      yield Buffer.from('ces');
    }
    const headers = { 'content-type': 'text/plain' };
    for (const body of [Readable.from(['pie', 'ces']), Readable.from([Buffer.from('pieces')]), pieces()]) {
      const { method, headers: sent, body: received } = await see({ body, headers });
      assert.deepEqual([method, received], ['POST', 'pieces']);
      assert.deepEqual(sent, { host: 'localhost', ...headers, 'transfer-encoding': 'chunked' });
    }
  });

  test('body: a Readable is read only as far as the application reads, and destroyed with the request', async () => {
    let count = 0;
    const body = new Readable({
      read() {
        count++;
        this.push(Buffer.alloc(65_536));
      },
    });
    const app = web()
      .set('env', 'test')
      .use(req => {
        req.once('data', () => req.pause().destroy());
      });
    assert.equal((await app.inject({ url: '/', body })).status, 500);
    await until(() => body.destroyed);
    assert.ok(count < 20, String(count));
  });

  test('headers: may be numbers, strings and arrays', async () => {
    const { headers } = await see({ headers: { 'X-A': 1, accept: ['text/html', 'text/plain'] } });
    assert.deepEqual(headers, { host: 'localhost', 'x-a': '1', accept: 'text/html, text/plain' });
  });

  test('cookies: are sent as one header', async () => {
    const { headers } = await see({ cookies: { a: '1', b: 'c d' } });
    assert.equal((headers as { cookie: string }).cookie, 'a=1; b=c%20d');
  });

  test('body: sends an object as JSON, with POST as the default method', async () => {
    const { method, headers, body } = await see({ body: { a: [1] } });
    assert.equal(method, 'POST');
    assert.equal((headers as Record<string, string>)['content-type'], 'application/json');
    assert.deepEqual(body, { a: [1] });
  });

  test('body: sends text, bytes and forms', async () => {
    const text = await see({ body: 'text' });
    assert.deepEqual([text.body, (text.headers as Record<string, string>)['content-length']], ['text', '4']);
    const headers = { 'Content-Type': 'application/octet-stream' };
    assert.deepEqual((await see({ body: Buffer.from([1]), headers })).body, { type: 'Buffer', data: [1] });
    assert.deepEqual((await see({ body: new URLSearchParams({ a: 'b' }) })).body, { a: 'b' });
    assert.deepEqual((await see({ body: [1, 2] })).body, [1, 2]);
  });

  test('remoteAddress: sets the client address', async () => {
    assert.equal((await see({ remoteAddress: '192.0.2.1' })).ip, '192.0.2.1');
  });

  test('the response: has status, headers, text, bytes and json', async () => {
    const app = web().get('/', (_req, res) => void res.status(201).set('X-A', 'a').json({ ä: 1 }));
    const { status, statusText, headers, text, bytes, json } = await app.inject('/');
    assert.deepEqual(
      [status, statusText, headers['x-a'], text(), bytes().length],
      [201, 'Created', 'a', '{"ä":1}', 8],
    );
    assert.deepEqual(json(), { ä: 1 });
    const { json: none } = await web().set('env', 'test').inject('/none');
    assert.throws(none, SyntaxError);
  });

  test('cookies of the response: are parsed', async () => {
    const app = web().get('/', (_req, res) => {
      const expires = new Date(0);
      res.cookie('a', 'b c', {
        domain: 'a.example',
        expires,
        maxAge: 5000,
        httpOnly: true,
        secure: true,
        sameSite: 'lax',
      });
      res.append('Set-Cookie', 'raw=%zz');
      res.end();
    });
    const { cookies, headers } = await app.inject('/');
    const [first, second] = cookies;
    assert.ok(first!.expires instanceof Date);
    assert.deepEqual(
      { ...first, expires: undefined },
      {
        name: 'a',
        value: 'b c',
        domain: 'a.example',
        path: '/',
        maxAge: 5,
        expires: undefined,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      },
    );
    assert.deepEqual(second, { name: 'raw', value: '%zz' });
    assert.equal(headers['set-cookie']?.length, 2);
  });

  test('signal: aborts the request', async () => {
    const app = web().get('/', () => undefined);
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 20);
    assert.equal((await app.inject({ url: '/', signal: controller.signal })).status, 499);
  });

  test('functions of Node that a tool patched before the framework was loaded: are called', () => {
    const program = `
      const { prototype } = require('node:http').ServerResponse;
      const called = [];
      for (const name of ['writeHead', 'setHeader', 'end']) {
        const kept = prototype[name];
        prototype[name] = function (...args) { called.push(name); return kept.apply(this, args); };
      }
      const app = require('ristretto')().disable('etag').use((req, res) => res.json({}));
      app.inject('/').then(({ text }) => console.log(text(), [...new Set(called)].sort().join()));
    `;
    const output = outputOf(program);
    assert.equal(output, '{} end,setHeader,writeHead\n');
  });

  test('no globals of Node, as in the environment jsdom of Jest: says what to do', async () => {
    const app = mirror();
    const request = new Request('http://localhost/');
    const calls: [caller: string, call: () => Promise<unknown>][] = [
      ['app.inject()', () => app.inject('/')],
      ['app.inject.ws()', () => app.inject.ws('/')],
      ['app.fetch', async () => app.fetch(request)],
    ];
    for (const name of ['Request', 'Response', 'ReadableStream']) {
      const kept = Object.getOwnPropertyDescriptor(globalThis, name)!;
      Reflect.deleteProperty(globalThis, name);
      try {
        for (const [caller, call] of calls)
          await assert.rejects(call, {
            message: `${caller}: the globals Request, Response and ReadableStream of Node are missing, as in Jest's environment jsdom. Begin the file of the test with /** @jest-environment node */`,
          });
      } finally {
        Object.defineProperty(globalThis, name, kept);
      }
    }
  });

  test('no handles stay open: the process exits on its own', () => {
    const program = `
      const app = require('ristretto')().use((req, res) => {
        res.setTimeout(60_000);
        res.send('x');
      });
      app.inject('/').then(({ text }) => console.log(text(), process.getActiveResourcesInfo().join()));
    `;
    const output = outputOf(program);
    assert.match(output, /^x (?:Pipe|TTY|PipeWrap|TTYWrap)?\S*\n$/);
  });
});

/**
 * Routing: what routes and routers see, what the framework reports about a request, and how a response looks on the
 * wire.
 */
import { gets } from './check.mjs';

export default [
  gets('sends text with type, entity tag and length', '/routing/hello', {
    status: 200,
    body: 'hello',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': '5',
      etag: 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"',
      'x-powered-by': 'Ristretto',
    },
  }),
  gets('sends the reason phrase of the status', '/routing/hello', { reason: 'OK' }),
  {
    name: 'sends a date',
    ask: async ({ get }) => !Number.isNaN(Date.parse((await get('/routing/hello')).headers.date)),
    expected: true,
  },
  {
    name: 'keeps the case of header names',
    ask: async ({ get }) => (await get('/routing/header-case')).rawHeaders.includes('X-CamelCase'),
    expected: true,
  },
  gets('decodes path parameters', '/routing/users/J%C3%BCrg', { status: 200, body: '{"name":"Jürg"}' }),
  gets('answers 400 to a parameter that can not be decoded', '/routing/users/%zz', { status: 400 }),
  gets('matches regular expressions', '/routing/expression/42', { body: '{"0":"42"}' }),
  gets('parses nested query strings', '/routing/query?a[b]=1&c=2&c=3&d=%20', {
    body: '{"a":{"b":"1"},"c":["2","3"],"d":" "}',
  }),
  gets('takes the mount path off the URL in a mounted router', '/routing/mounted/leaf/7?x=1', {
    body: '{"url":"/leaf/7?x=1","baseUrl":"/routing/mounted","originalUrl":"/routing/mounted/leaf/7?x=1","path":"/leaf/7"}',
  }),
  ...['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'M-SEARCH'].map(method => ({
    name: `routes ${method}`,
    ask: ({ send }) => send({ method, path: '/routing/method' }),
    expected: { status: 200, body: method },
  })),
  {
    name: 'responds to HEAD without a body, with the length of GET',
    ask: ({ send }) => send({ method: 'HEAD', path: '/routing/hello' }),
    expected: { status: 200, body: '', headers: { 'content-length': '5' } },
  },
  {
    name: 'responds to OPTIONS with the methods of the path',
    ask: ({ send }) => send({ method: 'OPTIONS', path: '/routing/hello' }),
    expected: { status: 200, body: 'GET,HEAD', headers: { allow: 'GET,HEAD' } },
  },
  gets('responds 404 with a page where no route matches', '/nowhere', {
    status: 404,
    reason: 'Not Found',
    headers: { 'content-security-policy': "default-src 'none'" },
  }),
  {
    name: 'responds 304 when the entity tag matches',
    ask: ({ get }) => get('/routing/hello', { 'If-None-Match': 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"' }),
    expected: { status: 304, body: '', headers: { 'content-type': undefined } },
  },
  gets('redirects', '/routing/redirect', {
    status: 302,
    headers: { location: '/routing/hello?from=%C3%A9' },
  }),
  gets('responds 204 without body, type and length', '/routing/empty', {
    status: 204,
    body: '',
    headers: { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined },
  }),
  gets('sends a status that has no name', '/routing/status', { status: 299, body: 'of its own' }),
  {
    name: 'knows the address of the client',
    ask: async ({ get }) => JSON.parse((await get('/routing/network', { Host: 'example.com:80' })).body),
    expected: {
      ip: '127.0.0.1',
      protocol: 'http',
      secure: false,
      hostname: 'example.com',
      httpVersion: '1.1',
    },
  },
  {
    name: 'believes the headers of a trusted proxy',
    ask: async ({ get }) => {
      const headers = {
        'X-Forwarded-For': '203.0.113.7',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'a.example',
      };
      return JSON.parse((await get('/routing/proxied', headers)).body);
    },
    expected: { ip: '203.0.113.7', protocol: 'https', hostname: 'a.example' },
  },
  {
    name: 'keeps repeated headers apart in rawHeaders',
    ask: ({ get }) => get('/routing/repeated', { 'X-Two': ['a', 'b'] }),
    expected: { body: '{"raw":["X-Two","X-Two"]}' },
  },
  {
    name: 'negotiates the type of the response',
    ask: ({ get }) => get('/routing/negotiated', { Accept: 'application/json, text/*;q=0.5' }),
    expected: { body: '"json"', headers: { vary: 'Accept' } },
  },
  {
    name: 'is logged by morgan behind the response',
    ask: async ({ get, notes }) => {
      await get('/routing/logged/x');
      return notes('/routing/lines', 1);
    },
    expected: ['GET /routing/logged/x 200 text/plain; charset=utf-8\n'],
  },
  gets('sends early hints', '/routing/hints', { informational: [103], status: 200, body: 'hinted' }),
  {
    name: 'serves several requests on one connection, in the order in which they came',
    ask: async ({ raw }) => {
      const request = name => `GET /routing/users/${name} HTTP/1.1\r\nHost: a\r\n\r\n`;
      const slow = 'GET /streams/slow?ms=100 HTTP/1.1\r\nHost: a\r\n\r\n';
      const last = 'GET /routing/users/c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const text = await raw()
        .send(request('a') + slow + request('b') + last)
        .end();
      return text.match(/"name":"."|slow/g);
    },
    expected: ['"name":"a"', 'slow', '"name":"b"', '"name":"c"'],
  },
];

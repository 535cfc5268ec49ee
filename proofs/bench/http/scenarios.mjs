/** The scenarios: the requests, and the expected responses. */
import { gunzipSync } from 'node:zlib';
import * as payload from './payloads.mjs';

const json = JSON.stringify(payload.hello);
const post = (path, type, body) => ({ method: 'POST', path, headers: { 'Content-Type': type }, body });
/** An upload whose bytes the handler counts. */
const countedUpload = {
  request: post('/upload', 'application/octet-stream', payload.raw),
  check: ({ body }) => body === String(payload.raw.length),
};

/** Those with Express's API, which run the entry itself, and bare `node:http`. */
const EXPRESS_LIKE = ['bare', 'again', 'ristretto', 'ristretto5', 'express4', 'express5'];

/** The mixture of the profile API: two small lists, a sum, and bodies with parameters in the path or the query. */
const apiSteps = [
  { path: '/json/5?m=2' },
  post('/json/5', 'application/json', '{"m":2}'),
  { path: '/baseline11?a=13&b=42' },
  post('/baseline11?a=13&b=42', 'text/plain', '20'),
];
const isApi = ({ body }) => {
  const [list, again, ...sums] = body.split('\n').map(line => line.slice('200 '.length));
  return JSON.parse(list).items[4].total === 140 && again === list && sums.join() === '55,75';
};
const product = name => JSON.stringify({ name, category: 'garden', price: 30, quantity: 4 });

/**
 * name → request to send and a check of the response; `goal` is the target ratio to bare `node:http`. Scenarios with
 * `http2` are loaded over cleartext HTTP/2; bare is then `node:http2` with its compatibility API. In scenarios with
 * `middleware`, `ristretto+` and `ristretto5+` use the packages of this repository, and `ristretto` the originals. A session in
 * Redis is read; `renewed` also restarts the time until it expires, which Fastify can only do by storing it.
 */
export const scenarios = {
  'json hello': { goal: 1.2, request: { path: '/json' }, check: ({ body }) => body === json },
  'json hello, createServer': { goal: 1.2, request: { path: '/json' }, check: ({ body }) => body === json },
  'json hello, lean': { goal: 1.3, request: { path: '/json' }, check: ({ body }) => body === json },
  // After a turn of the event loop, as with a database.
  'json hello, awaited': { request: { path: '/json' }, check: ({ body }) => body === json },
  text: { goal: 1.2, request: { path: '/text' }, check: ({ body }) => body === payload.text },
  'last of 1,000 routes': {
    goal: 1.2,
    request: { path: '/r999/42' },
    check: ({ body }) => body === '{"id":"42"}',
  },
  'last of 10 routes': { request: { path: '/r9/42' }, check: ({ body }) => body === '{"id":"42"}' },
  'last of 10,000 routes': { request: { path: '/r9999/42' }, check: ({ body }) => body === '{"id":"42"}' },
  '5 nested routers': { goal: 1.1, request: { path: '/a/b/c/d/e/json' }, check: ({ body }) => body === json },
  '20 middlewares': { goal: 1.1, request: { path: '/json' }, check: ({ body }) => body === json },
  'nested query': {
    goal: 1.1,
    request: { path: '/query?' + payload.query },
    check: ({ body }) => body === '{"name":"ada"}',
  },
  'POST 1 KiB JSON': {
    goal: 1.2,
    request: post('/body', 'application/json', payload.smallJson),
    check: ({ body }) => body === '{"users":12}',
  },
  'POST 1 KiB JSON, zod': {
    request: post('/body', 'application/json', payload.smallJson),
    check: ({ body }) => body === '{"users":12}',
  },
  'JSON 1 KiB, response schema': {
    request: { path: '/users' },
    check: ({ body }) => body === payload.smallJson,
  },
  // The compiled serializer of Fastify does not validate; here it does, as all others do.
  'JSON 1 KiB, response schema, zod': {
    request: { path: '/users' },
    check: ({ body }) => body === payload.smallJson,
  },
  'POST 1 MiB JSON': {
    goal: 1.0,
    request: post('/body', 'application/json', payload.largeJson),
    check: ({ body }) => body === JSON.stringify({ users: JSON.parse(payload.largeJson).length }),
  },
  'POST 100 KiB urlencoded': {
    goal: 1.0,
    request: post('/form', 'application/x-www-form-urlencoded', payload.form),
    check: ({ body }) => body === '{"fields":900}',
  },
  'POST 10 MiB raw': {
    goal: 1.0,
    request: post('/raw', 'application/octet-stream', payload.raw),
    check: ({ body }) => body === `{"bytes":${payload.raw.length}}`,
  },
  'file 10 KiB': {
    goal: 1.3,
    request: { path: '/small.html' },
    check: ({ body }) => body.length === 10 * 1024,
  },
  'file 304': {
    goal: 1.3,
    request: { path: '/small.html', conditional: true },
    check: ({ status }) => status === 304,
  },
  'range of 100 MiB': {
    goal: 1.3,
    request: { path: '/large.bin', headers: { Range: 'bytes=50000000-50065535' } },
    check: ({ status, body }) => status === 206 && body.length === 65536,
  },
  // Each framework sends the file with its own method; Fastify and the bare server use a stream.
  'HTTP/2 json hello': {
    goal: 1.2,
    http2: true,
    request: { path: '/json' },
    check: ({ body }) => body === json,
  },
  'HTTP/2 file 10 KiB': {
    goal: 1.2,
    http2: true,
    request: { path: '/small.html' },
    check: ({ body }) => body.length === 10 * 1024,
  },
  'usual middleware': {
    goal: 0.75,
    middleware: true,
    request: { path: '/json' },
    check: ({ body }) => body === json,
  },
  'JSON 10 KiB, compressed': {
    goal: 0.9,
    middleware: true,
    request: { path: '/page', headers: { 'Accept-Encoding': 'gzip' } },
    check: ({ bytes }) => gunzipSync(bytes).equals(Buffer.from(JSON.stringify(payload.page))),
  },
  'session, memory': {
    middleware: true,
    request: { path: '/user', login: '/login' },
    check: ({ body }) => body === '{"user":"ada"}',
  },
  'session, Redis': {
    middleware: true,
    service: 'redis',
    request: { path: '/user', login: '/login' },
    check: ({ body }) => body === '{"user":"ada"}',
  },
  'session, Redis, renewed': {
    middleware: true,
    service: 'redis',
    request: { path: '/user', login: '/login' },
    check: ({ body }) => body === '{"user":"ada"}',
  },
  'rate limit': { middleware: true, request: { path: '/json' }, check: ({ body }) => body === json },
  'access log': { middleware: true, request: { path: '/json' }, check: ({ body }) => body === json },
  'form with 1 MiB file': {
    middleware: true,
    request: post('/upload', `multipart/form-data; boundary=${payload.boundary}`, payload.upload),
    check: ({ body }) => body === '{"bytes":1048576}',
  },
  'ejs view': { request: { path: '/view' }, check: ({ body }) => body.includes('<li>five</li>') },

  // Real applications, beside the same on Express; the two on Express 5 run on ristretto5.
  'application: Nest 11': {
    request: { path: '/cats?limit=20' },
    check: ({ body }) => JSON.parse(body).length === 20,
  },
  'application: json-server 0.17': {
    request: { path: '/posts?_page=2&_limit=10' },
    check: ({ body }) => JSON.parse(body)[0].id === 10,
  },
  'application: Apollo Server 5': {
    request: post('/graphql', 'application/json', '{"query":"{ books { id title author { name } } }"}'),
    check: ({ body }) => JSON.parse(body).data.books.length === 10,
  },
  'application: API over SQLite': {
    request: { path: '/api/orders/42' },
    check: ({ body }) => JSON.parse(body).items.length === 5,
  },
  'application: articles': {
    request: { path: '/first-article', headers: { 'Accept-Encoding': 'gzip' } },
    check: ({ bytes }) => gunzipSync(bytes).toString().includes('<h1>first-article</h1>'),
  },
  // The profiles of the public arenas: proofs/bench/arena/README.md.
  'arena baseline': { request: { path: '/baseline11?a=13&b=42' }, check: ({ body }) => body === '55' },
  'arena baseline, POST': {
    request: post('/baseline11?a=13&b=42', 'text/plain', '20'),
    check: ({ body }) => body === '75',
  },
  'arena short connections': {
    request: { path: '/baseline11?a=13&b=42', requestsPerConnection: 10 },
    check: ({ body }) => body === '55',
  },
  'arena pipelined': {
    request: { path: '/pipeline', pipelined: 16 },
    check: ({ body }) => body === 'ok',
  },
  'arena JSON': { request: { path: '/json/50?m=2' }, check: ({ body }) => isPriced(body) },
  'arena JSON, compressed': {
    request: { path: '/json/50?m=2', headers: { 'Accept-Encoding': 'gzip' } },
    check: ({ bytes }) => isPriced(gunzipSync(bytes).toString()),
  },
  'arena JSON, TLS': {
    request: { path: '/json/50?m=2', tls: true, connections: 4 },
    check: ({ body }) => isPriced(body),
  },
  'arena upload': countedUpload,
  'arena upload, larger heap': countedUpload,
  'arena API, 4 connections': { request: { steps: apiSteps, connections: 4 }, check: isApi },
  'arena API, 16 connections': { request: { steps: apiSteps, connections: 16 }, check: isApi },
  'arena async database': {
    frameworks: EXPRESS_LIKE,
    service: 'postgres',
    request: { path: '/async-db?min=10&max=50&limit=20' },
    check: ({ body }) => {
      const { items, count, total, newest } = JSON.parse(body);
      return items.length === 20 && count === 20 && total === 820 && newest.id >= 10_000;
    },
  },
  'arena CRUD': {
    frameworks: EXPRESS_LIKE,
    service: 'postgres',
    request: {
      steps: [
        post('/crud/items', 'application/json', product('one')),
        { path: '/crud/items/:id' },
        { path: '/crud/items?category=books&page=2&limit=10' },
        { ...post('/crud/items/:id', 'application/json', product('two')), method: 'PUT' },
        { method: 'DELETE', path: '/crud/items/:id' },
      ],
    },
    check: ({ body }) =>
      /^201 .*"one".*\n200 .*"one".*\n200 \{"items".*"page":2,"limit":10\}\n200 .*"two".*\n204 $/.test(body),
  },
  'arena WebSocket echo': {
    frameworks: ['bare', 'again', 'ristretto', 'ristretto5'],
    request: { path: '/ws', socket: true, connections: 50 },
    check: ({ body }) => body === 'echo',
  },
  'arena static': {
    request: { path: '/static/app.js' },
    check: ({ body, headers }) => body.length === 30 * 1024 && /javascript/.test(headers['content-type']),
  },
};

/** Whether a response has the products with their totals. */
function isPriced(body) {
  const { items, count } = JSON.parse(body);
  const [last] = payload.items.slice(-1);
  return count === 50 && items.at(-1).total === last.price * last.quantity * 2;
}

/** The scenarios: the requests, and the expected responses. */
import { gunzipSync } from 'node:zlib';
import * as payload from './payloads.mjs';

const json = JSON.stringify(payload.hello);
const post = (path, type, body) => ({ method: 'POST', path, headers: { 'Content-Type': type }, body });
/** Returns a scenario; `request` may be a path, and `expected` the body of the response or a check of the whole. */
const scenario = (request, expected, more = {}) => ({
  ...more,
  request: typeof request === 'string' ? { path: request } : request,
  check: typeof expected === 'function' ? expected : ({ body }) => body === expected,
});
const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
const smallJson = post('/body', 'application/json', payload.smallJson);
const page = { path: '/small.html' };
const user = { path: '/user', login: '/login' };
const baseline = '/baseline11?a=13&b=42';
const isPage = ({ body }) => body.length === 10 * 1024;
/** An upload whose bytes the handler counts. */
const countedUpload = scenario(
  post('/upload', 'application/octet-stream', payload.raw),
  String(payload.raw.length),
);

/** Those with Express's API, which run the entry itself, and bare `node:http`. */
const EXPRESS_LIKE = ['bare', 'again', 'ristretto', 'ristretto5', 'express4', 'express5'];

/** The mixture of the profile API: two small lists, a sum, and bodies with parameters in the path or the query. */
const apiSteps = [
  { path: '/json/5?m=2' },
  post('/json/5', 'application/json', '{"m":2}'),
  { path: baseline },
  post(baseline, 'text/plain', '20'),
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
  'json hello': scenario('/json', json, { goal: 1.2 }),
  'json hello, createServer': scenario('/json', json, { goal: 1.2 }),
  'json hello, lean': scenario('/json', json, { goal: 1.3 }),
  // After a turn of the event loop, as with a database.
  'json hello, awaited': scenario('/json', json),
  text: scenario('/text', payload.text, { goal: 1.2 }),
  'last of 1,000 routes': scenario('/r999/42', '{"id":"42"}', { goal: 1.2 }),
  'last of 10 routes': scenario('/r9/42', '{"id":"42"}'),
  'last of 10,000 routes': scenario('/r9999/42', '{"id":"42"}'),
  '5 nested routers': scenario('/a/b/c/d/e/json', json, { goal: 1.1 }),
  '20 middlewares': scenario('/json', json, { goal: 1.1 }),
  'nested query': scenario('/query?' + payload.query, '{"name":"ada"}', { goal: 1.1 }),
  'POST 1 KiB JSON': scenario(smallJson, '{"users":12}', { goal: 1.2 }),
  'POST 1 KiB JSON, zod': scenario(smallJson, '{"users":12}'),
  'JSON 1 KiB, response schema': scenario('/users', payload.smallJson),
  // The compiled serializer of Fastify does not validate; here it does, as all others do.
  'JSON 1 KiB, response schema, zod': scenario('/users', payload.smallJson),
  'POST 1 MiB JSON': scenario(
    post('/body', 'application/json', payload.largeJson),
    ({ body }) => body === JSON.stringify({ users: JSON.parse(payload.largeJson).length }),
    { goal: 1.0 },
  ),
  'POST 100 KiB urlencoded': scenario(
    post('/form', 'application/x-www-form-urlencoded', payload.form),
    '{"fields":900}',
    { goal: 1.0 },
  ),
  'POST 10 MiB raw': scenario(
    post('/raw', 'application/octet-stream', payload.raw),
    `{"bytes":${payload.raw.length}}`,
    { goal: 1.0 },
  ),
  'file 10 KiB': scenario(page, isPage, { goal: 1.3 }),
  'file 304': scenario({ ...page, conditional: true }, ({ status }) => status === 304, { goal: 1.3 }),
  'range of 100 MiB': scenario(
    { path: '/large.bin', headers: { Range: 'bytes=50000000-50065535' } },
    ({ status, body }) => status === 206 && body.length === 65536,
    { goal: 1.3 },
  ),
  // Each framework sends the file with its own method; Fastify and the bare server use a stream.
  'HTTP/2 json hello': scenario('/json', json, { goal: 1.2, http2: true }),
  'HTTP/2 file 10 KiB': scenario(page, isPage, { goal: 1.2, http2: true }),
  'usual middleware': scenario('/json', json, { goal: 0.75, middleware: true }),
  'JSON 10 KiB, compressed': scenario(
    { path: '/page', ...gzip },
    ({ bytes }) => gunzipSync(bytes).equals(Buffer.from(JSON.stringify(payload.page))),
    { goal: 0.9, middleware: true },
  ),
  'session, memory': scenario(user, '{"user":"ada"}', { middleware: true }),
  'session, Redis': scenario(user, '{"user":"ada"}', { middleware: true, service: 'redis' }),
  'session, Redis, renewed': scenario(user, '{"user":"ada"}', { middleware: true, service: 'redis' }),
  'rate limit': scenario('/json', json, { middleware: true }),
  'access log': scenario('/json', json, { middleware: true }),
  'form with 1 MiB file': scenario(
    post('/upload', `multipart/form-data; boundary=${payload.boundary}`, payload.upload),
    '{"bytes":1048576}',
    { middleware: true },
  ),
  'ejs view': scenario('/view', ({ body }) => body.includes('<li>five</li>')),

  // Real applications, beside the same on Express; the two on Express 5 run on ristretto5.
  'application: Nest 11': scenario('/cats?limit=20', ({ body }) => JSON.parse(body).length === 20),
  'application: json-server 0.17': scenario(
    '/posts?_page=2&_limit=10',
    ({ body }) => JSON.parse(body)[0].id === 10,
  ),
  'application: Apollo Server 5': scenario(
    post('/graphql', 'application/json', '{"query":"{ books { id title author { name } } }"}'),
    ({ body }) => JSON.parse(body).data.books.length === 10,
  ),
  'application: API over SQLite': scenario(
    '/api/orders/42',
    ({ body }) => JSON.parse(body).items.length === 5,
  ),
  'application: articles': scenario({ path: '/first-article', ...gzip }, ({ bytes }) =>
    gunzipSync(bytes).toString().includes('<h1>first-article</h1>'),
  ),
  // The profiles of the public arenas: proofs/bench/arena/README.md.
  'arena baseline': scenario(baseline, '55'),
  'arena baseline, POST': scenario(post(baseline, 'text/plain', '20'), '75'),
  'arena short connections': scenario({ path: baseline, requestsPerConnection: 10 }, '55'),
  'arena pipelined': scenario({ path: '/pipeline', pipelined: 16 }, 'ok'),
  'arena JSON': scenario('/json/50?m=2', ({ body }) => isPriced(body)),
  'arena JSON, compressed': scenario({ path: '/json/50?m=2', ...gzip }, ({ bytes }) =>
    isPriced(gunzipSync(bytes).toString()),
  ),
  'arena JSON, TLS': scenario({ path: '/json/50?m=2', tls: true, connections: 4 }, ({ body }) =>
    isPriced(body),
  ),
  'arena upload': countedUpload,
  'arena upload, larger heap': countedUpload,
  'arena API, 4 connections': scenario({ steps: apiSteps, connections: 4 }, isApi),
  'arena API, 16 connections': scenario({ steps: apiSteps, connections: 16 }, isApi),
  'arena async database': scenario(
    '/async-db?min=10&max=50&limit=20',
    ({ body }) => {
      const { items, count, total, newest } = JSON.parse(body);
      return items.length === 20 && count === 20 && total === 820 && newest.id >= 10_000;
    },
    { frameworks: EXPRESS_LIKE, service: 'postgres' },
  ),
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
  'arena WebSocket echo': scenario({ path: '/ws', socket: true, connections: 50 }, 'echo', {
    frameworks: ['bare', 'again', 'ristretto', 'ristretto5'],
  }),
  'arena static': scenario(
    '/static/app.js',
    ({ body, headers }) => body.length === 30 * 1024 && /javascript/.test(headers['content-type']),
  ),
};

/** Whether a response has the products with their totals. */
function isPriced(body) {
  const { items, count } = JSON.parse(body);
  const [last] = payload.items.slice(-1);
  return count === 50 && items.at(-1).total === last.price * last.quantity * 2;
}

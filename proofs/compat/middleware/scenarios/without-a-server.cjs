/** Adapters that call an application without a server of its own. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const LARGE = 'a large file\n'.repeat(20_000);

/** Returns an application with every kind of response; files are written to the working directory. */
function application() {
  const express = require('express');
  fs.writeFileSync('large.txt', LARGE);
  fs.writeFileSync('small.txt', 'a small file\n');
  for (const name of ['large.txt', 'small.txt']) fs.utimesSync(name, 1e9, 1e9);
  const app = express();
  app.disable('x-powered-by').set('env', 'production').set('trust proxy', true);
  app.use(express.json(), express.urlencoded({ extended: true }), express.text(), express.raw());
  app.get('/text', (req, res) => res.send('text'));
  app.get('/json/:id', (req, res) => res.status(201).json({ params: req.params, query: req.query }));
  app.get('/seen', (req, res) =>
    res.json({
      ip: req.ip,
      host: req.hostname,
      protocol: req.protocol,
      url: req.originalUrl,
      mine: req.get('x-mine'),
    }),
  );
  app.get('/bytes', (req, res) => res.type('png').send(Buffer.from([0x89, 0x50, 0, 0xff])));
  app.get('/gzip', (req, res) =>
    res.set('Content-Encoding', 'gzip').type('text').send(zlib.gzipSync('text')),
  );
  app.get('/cookies', (req, res) =>
    res.cookie('a', '1').cookie('b', { c: 2 }, { httpOnly: true }).sendStatus(200),
  );
  app.get('/redirect', (req, res) => res.redirect('/text'));
  app.get('/empty', (req, res) => res.status(204).end());
  app.get('/end', (req, res) => res.end('ended'));
  app.get('/head', (req, res) => res.writeHead(203, { 'X-Head': 'written' }).end('written'));
  app.get('/pieces', (req, res) => {
    res.type('text').write('one,');
    setImmediate(() => res.write('two,', () => res.end('three')));
  });
  app.get('/piped', (req, res) => fs.createReadStream('large.txt').pipe(res.type('text')));
  app.get('/file/:name', (req, res) => res.sendFile(path.resolve(req.params.name)));
  app.get('/download', (req, res) => res.download('small.txt', 'naïve.txt'));
  app.get('/format', (req, res) => res.format({ json: () => res.json({}), html: () => res.send('<p>') }));
  app.post('/echo', (req, res) =>
    res.json({
      type: req.get('content-type'),
      body: Buffer.isBuffer(req.body) ? req.body.toString('hex') : req.body,
    }),
  );
  app.get('/throws', () => {
    throw Object.assign(new Error('thrown'), { status: 418 });
  });
  app.get('/finished', (req, res) => {
    const seen = [];
    for (const event of ['prefinish', 'finish']) res.on(event, () => seen.push(event));
    app.locals.finished = seen;
    res.send('finished');
  });
  app.use(
    '/mounted',
    express.Router().get('/', (req, res) => res.send(`${req.baseUrl} ${req.path}`)),
  );
  const inner = express().disable('x-powered-by');
  inner.get('/', (req, res) => res.send(req.app.mountpath));
  app.use('/sub', inner);
  app.use('/static', express.static('.'));
  return app;
}

/** The requests: `{ method, path, query, headers, body }`. */
const requests = [
  { path: '/text' },
  { path: '/text', method: 'HEAD' },
  { path: '/json/7', query: { a: '1', b: 'é' } },
  { path: '/seen', headers: { 'x-mine': 'yes', 'x-forwarded-proto': 'https' } },
  { path: '/bytes' },
  { path: '/gzip' },
  { path: '/cookies' },
  { path: '/redirect' },
  { path: '/empty' },
  { path: '/end' },
  { path: '/head' },
  { path: '/pieces' },
  { path: '/piped' },
  { path: '/file/small.txt' },
  { path: '/file/large.txt' },
  { path: '/file/large.txt', headers: { range: 'bytes=5-9' } },
  { path: '/file/none.txt' },
  { path: '/static/large.txt' },
  { path: '/static/large.txt', headers: { 'if-none-match': '*' } },
  { path: '/static/small.txt', method: 'HEAD' },
  { path: '/download' },
  { path: '/format', headers: { accept: 'text/html' } },
  { path: '/echo', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":[1]}' },
  {
    path: '/echo',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a[b]=c',
  },
  { path: '/echo', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(90_000) },
  { path: '/echo', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' },
  { path: '/throws' },
  { path: '/finished' },
  { path: '/mounted' },
  { path: '/sub' },
  { path: '/none' },
  { path: '/text', method: 'OPTIONS' },
];

/** Returns a value with placeholders for current dates, and with the length and hash of long bodies. */
function comparable(value) {
  const text = JSON.stringify(value, (key, member) => {
    if (/^date$/i.test(key)) return '<date>';
    if (typeof member !== 'string' || member.length < 2000) return member;
    return `${member.length} ${require('node:crypto').createHash('sha1').update(member).digest('hex')}`;
  });
  return JSON.parse(text);
}

/** Rejects if a promise does not settle in time, naming the request that hangs. */
function within(promise, what, seconds = 3) {
  let timer;
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response to ${what} in ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Sends all requests in order; a request that hangs is noted as such, and the rest are still sent. */
async function askAll(ask) {
  const seen = [];
  for (const wanted of requests) {
    const asked = `${wanted.method ?? 'GET'} ${wanted.path} ${wanted.headers?.range ?? ''}`;
    const answer = await within(ask({ method: 'GET', query: {}, headers: {}, ...wanted }), asked).catch(
      error => ({
        error: error.message,
      }),
    );
    seen.push({ asked, answer: comparable(answer) });
  }
  return seen;
}

/** Returns what an application observes of a request that is aborted before its response. */
async function abort(inject, app) {
  const seen = [];
  app.get('/waits', (req, res) => {
    for (const event of ['aborted', 'close']) req.on(event, () => seen.push(`request ${event}`));
    for (const event of ['finish', 'close']) res.on(event, () => seen.push(`response ${event}`));
    setTimeout(() => res.end('late'), 50);
  });
  const outcome = await inject(app, { url: '/waits', signal: AbortSignal.timeout(10) }).then(
    ({ payload }) => payload,
    ({ name }) => name,
  );
  await new Promise(resolve => setTimeout(resolve, 100));
  return { outcome, seen };
}

const ADAPTER = [
  {
    places: /^\.seen\.seen\.\w+\.(?:26|30)\.answer\./,
    reason:
      'the final handler of Express fails on the socket of the adapter, which has no events: 500 in place of 404 or 418',
  },
];

const encoded = body =>
  body ? { body: Buffer.from(body).toString('base64'), isBase64Encoded: true } : { body: '' };
const lists = values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

/** An event of API Gateway, version 1. */
function first({ method, path, query, headers, body }) {
  return {
    resource: '/{proxy+}',
    httpMethod: method,
    path,
    headers: { host: 'localhost', ...headers },
    multiValueHeaders: lists({ host: 'localhost', ...headers }),
    queryStringParameters: query,
    multiValueQueryStringParameters: lists(query),
    requestContext: { identity: { sourceIp: '10.0.0.1' } },
    ...encoded(body),
  };
}

/** An event of API Gateway, version 2. */
function second({ method, path, query, headers, body }) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { host: 'localhost', ...headers },
    cookies: ['a=1', 'b=2'],
    requestContext: { http: { method, path, sourceIp: '10.0.0.1' }, domainName: 'localhost' },
    ...encoded(body),
  };
}

/** An event of a load balancer. */
function balancer({ method, path, query, headers, body }) {
  return {
    httpMethod: method,
    path,
    headers: { host: 'localhost', ...headers },
    queryStringParameters: query,
    requestContext: { elb: { targetGroupArn: 'arn' } },
    ...encoded(body),
  };
}

const BASE = 'http://localhost';

const target = ({ path, query }) => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

const requestOf = wanted => new Request(BASE + target(wanted), wanted);

/** Returns everything that a `Response` contains. */
async function contentsOf(response) {
  const { status, statusText, headers } = response;
  const cookies = headers.getSetCookie();
  return { status, statusText, headers: Object.fromEntries(headers), cookies, text: await response.text() };
}

module.exports = {
  programs: {
    /** @hono/node-server: its listener and ours on one server, and one inside the other. */
    'hono-node-server': {
      packages: ['@hono/node-server', 'hono'],
      exercised:
        'getRequestListener beside the application on one server, mounted in it, and behind its body parsers; the application in place of Hono’s 404 handler, on the messages in HttpBindings',

      async run({ listen, request }) {
        const http = require('node:http');
        const { getRequestListener } = require('@hono/node-server');
        const { RESPONSE_ALREADY_SENT } = require('@hono/node-server/utils/response');
        const { Hono } = require('hono');
        const app = application();
        const hono = new Hono();
        hono.get('/hono/hello', context => context.text(`hono ${context.req.query('a')}`));
        hono.post('/hono/echo', async context => context.json({ length: (await context.req.text()).length }));
        hono.get('/hono/stream', () => new Response(new Blob(['one,', 'two']).stream()));
        hono.get('/hono/throws', () => {
          throw new Error('thrown');
        });
        hono.onError((error, context) => context.text(`hono ${error.message}`, 500));
        const listener = getRequestListener(hono.fetch);
        const asked = [
          { path: '/hono/hello?a=1' },
          {
            path: '/hono/echo',
            method: 'POST',
            headers: { 'content-type': 'text/html' },
            body: 'x'.repeat(90_000),
          },
          { path: '/hono/stream' },
          { path: '/hono/throws' },
          { path: '/hono/none' },
        ];
        const all = async server => {
          const seen = [];
          for (const wanted of asked) seen.push(await request(server, wanted));
          return seen;
        };

        const isOurs = ({ url }) => !url.startsWith('/hono');
        const beside = await listen(
          http.createServer((req, res) => (isOurs(req) ? app(req, res) : listener(req, res))),
        );
        const both = [await all(beside), await askAll(wanted => request(beside, wanted)), await all(beside)];
        assert.equal(both[0][0].body, 'hono 1');

        app.use((req, res) => listener(req, res));
        const mounted = await all(await listen(app));

        const last = application();
        hono.notFound(({ env }) => {
          last(env.incoming, env.outgoing);
          return RESPONSE_ALREADY_SENT;
        });
        const behind = await listen(http.createServer(getRequestListener(hono.fetch)));
        // For HEAD, Hono replaces its response and loses the flag that one has been sent.
        const inside = await askAll(wanted =>
          request(behind, { ...wanted, method: wanted.method.replace('HEAD', 'GET') }),
        );
        return { both, mounted, inside };
      },
    },

    /** light-my-request, which calls an application without a server, with its own request and response classes. */
    'light-my-request': {
      packages: ['light-my-request'],
      exercised:
        'inject with payloads, query and headers, its chained form, rawPayload and json() of responses of all kinds, files of all sizes, streams, bodies to parse, errors; a ServerResponse and an IncomingMessage that are not those of node:http',

      async run() {
        const inject = require('light-my-request');
        const app = application();
        const seen = await askAll(async ({ method, path, query, headers, body }) => {
          const {
            statusCode,
            statusMessage,
            headers: fields,
            trailers,
            payload,
            rawPayload,
            cookies,
          } = await inject(app, {
            method,
            url: { pathname: path, query },
            headers,
            ...(body && { payload: body }),
          });
          return {
            statusCode,
            statusMessage,
            fields,
            trailers,
            payload,
            bytes: rawPayload.toString('base64'),
            cookies,
          };
        });
        const chained = await inject(app).post('/echo').headers({ 'X-A': 'b' }).body({ a: 1 });
        const streamed = await inject(app, { url: '/file/large.txt', payloadAsStream: true });
        let length = 0;
        for await (const chunk of streamed.stream()) length += chunk.length;
        const aborted = await abort(inject, app);
        assert.equal(seen[0].answer.payload, 'text');
        assert.deepEqual(chained.json(), { type: 'application/json', body: { a: 1 } });
        assert.equal(length, LARGE.length);
        return { seen, chained: chained.json(), length, finished: app.locals.finished, aborted };
      },
    },

    /**
     * @vendia/serverless-express: an application as a cloud function, with a ServerResponse that collects its
     * writes.
     */
    'serverless-express': {
      packages: ['@vendia/serverless-express'],
      exercised:
        'events of API Gateway v1 and v2 and of a load balancer: text, JSON, binary and compressed responses, cookies, large files and ranges, streams, bodies to parse, errors, getCurrentInvoke',
      known: ADAPTER,
      knownOn5: ADAPTER,

      async run() {
        const serverlessExpress = require('@vendia/serverless-express');
        const app = application();
        app.get('/invoked', (req, res) => res.json(serverlessExpress.getCurrentInvoke().event.path));
        const handler = serverlessExpress({ app });
        const seen = {
          v1: await askAll(wanted => handler(first(wanted), {})),
          v2: await askAll(wanted => handler(second(wanted), {})),
          balancer: await askAll(wanted => handler(balancer(wanted), {})),
        };
        const invoked = await handler(first({ method: 'GET', path: '/invoked', query: {}, headers: {} }), {});
        assert.equal(seen.v1[0].answer.body, 'text');
        assert.equal(invoked.body, '"/invoked"');
        return { seen, finished: app.locals.finished };
      },
    },

    /** serverless-http: an application as a cloud function. */
    'serverless-http': {
      packages: ['serverless-http'],
      exercised:
        'events of API Gateway v1, v2 and a load balancer, binary responses, several cookies, large files, basePath, request and response hooks, errors',

      async run() {
        const serverless = require('serverless-http');
        const app = application();
        const options = { provider: 'aws', binary: ['image/*', 'application/octet-stream'] };
        const handler = serverless(app, options);
        const seen = {
          v1: await askAll(wanted => handler(first(wanted), {})),
          v2: await askAll(wanted => handler(second(wanted), {})),
        };
        const based = serverless(app, { ...options, basePath: '/base' });
        const hooked = serverless(app, {
          ...options,
          request(request, event) {
            request.headers['x-mine'] = event.mark;
          },
          response(response) {
            if (response.statusCode === 200) response.statusCode = 299;
          },
        });
        const wanted = { method: 'GET', path: '/seen', query: {}, headers: {} };
        const more = [
          await based(first({ ...wanted, path: '/base/text' }), {}),
          await hooked({ ...first(wanted), mark: 'of the event' }, {}),
        ];
        assert.equal(seen.v1[0].answer.body, 'text');
        assert.match(more[1].body, /of the event/);
        return { seen, more: comparable(more), finished: app.locals.finished };
      },
    },

    /**
     * srvx: an application as a fetch handler, with its own classes of requests and responses, and behind its
     * server.
     */
    srvx: {
      packages: ['srvx'],
      exercised:
        'toFetchHandler over the application: responses of all kinds, files, streams, bodies to parse, errors; the same behind its server, and by toNodeHandler beside the application on one server',

      async run({ listen, request }) {
        const http = require('node:http');
        const { serve, toFetchHandler, toNodeHandler } = await import('srvx/node');
        const app = application();
        const fetch = toFetchHandler(app);
        const seen = await askAll(async wanted => contentsOf(await fetch(requestOf(wanted))));
        assert.equal(seen[0].answer.text, 'text');

        const server = serve({
          fetch,
          port: 0,
          hostname: '127.0.0.1',
          silent: true,
          gracefulShutdown: false,
        });
        await server.ready();
        const { port } = new URL(server.url);
        const served = await askAll(wanted => request(Number(port), { ...wanted, path: target(wanted) }));
        await server.close(true);
        assert.equal(served[0].answer.body, 'text');

        const hello = toNodeHandler(({ url }) => new Response(`srvx ${new URL(url).pathname}`));
        app.use('/srvx', hello);
        const both = await listen(
          http.createServer((req, res) => (req.url.startsWith('/beside') ? hello(req, res) : app(req, res))),
        );
        const beside = [];
        for (const path of ['/beside', '/text', '/srvx/mounted', '/beside', '/file/large.txt'])
          beside.push(await request(both, { path }));
        return { seen, served, beside, finished: app.locals.finished };
      },
    },
  },
};

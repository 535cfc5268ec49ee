/** `web.openTelemetry`: the spans and metrics that it reports. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, ContextManager } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import web from 'ristretto';
import { withServer, askPort } from '../support/http.js';
import { isHttp2 } from '../support/transport.js';

const storage = new AsyncLocalStorage<Context>();
const contextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active: Context, fn: (...args: unknown[]) => unknown, thisArg: unknown, ...args: unknown[]) =>
    storage.run(active, () => fn.apply(thisArg, args)),
  bind: (_active: Context, fn: unknown) => fn,
  enable: () => contextManager,
  disable: () => contextManager,
};
context.setGlobalContextManager(contextManager as unknown as ContextManager);
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
propagation.setGlobalPropagator({
  inject: () => undefined,
  extract: (into, carrier) => {
    const { traceparent } = carrier as { traceparent?: string };
    const [, traceId = '', spanId = ''] = traceparent?.split('-') ?? [];
    return traceId === ''
      ? into
      : trace.setSpanContext(into, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
  fields: () => ['traceparent'],
});

after(() => {
  context.disable();
  trace.disable();
  propagation.disable();
});

interface Seen {
  name: string;
  kind: SpanKind;
  attributes: Record<string, unknown>;
  code: SpanStatusCode;
  events: string[];
  traceId: string;
  parent: string | undefined;
}

const appOf = (): ReturnType<typeof web> => {
  const app = web().set('env', 'test');
  app.use(function logger(_req, _res, next) {
    next();
  });
  const api = web.Router();
  api.get(
    '/users/:id',
    (_req, _res, next) => {
      next();
    },
    async function show(req, res) {
      await sleep(1);
      trace.getTracer('test').startSpan('query').end();
      res.send(req.params.id);
    },
  );
  app.use('/api', api);
  app.get('/fails', () => {
    throw new TypeError('failed');
  });
  return app;
};

/** Returns the spans of one request. */
async function spansOf(
  path: string,
  options: web.OpenTelemetryOptions = {},
  headers = {},
  app = appOf(),
): Promise<Seen[]> {
  const bridge = web.openTelemetry(options);
  exporter.reset();
  try {
    await withServer(app, port => askPort(port, { path, headers } as never));
    await sleep(30);
  } finally {
    bridge.close();
  }
  return exporter.getFinishedSpans().map(span => ({
    name: span.name,
    kind: span.kind,
    attributes: { ...span.attributes },
    code: span.status.code,
    events: span.events.map(({ name }) => name),
    traceId: span.spanContext().traceId,
    parent: exporter
      .getFinishedSpans()
      .find(each => each.spanContext().spanId === span.parentSpanContext?.spanId)?.name,
  }));
}

describe('web.openTelemetry', () => {
  test('spans: have the names and attributes of the instrumentations of http and express', async () => {
    const spans = await spansOf('/api/users/7?a=1');
    assert.deepEqual(spans.map(({ name }) => name).sort(), [
      'GET /api/users/:id',
      'middleware - expressInit',
      'middleware - logger',
      'middleware - query',
      'query',
      'request handler - /api/users/:id',
      'router - /users/:id',
    ]);
    const server = spans.find(({ kind }) => kind === SpanKind.SERVER)!;
    const { attributes } = server;
    assert.equal(attributes['http.request.method'], 'GET');
    assert.equal(attributes['http.route'], '/api/users/:id');
    assert.equal(attributes['http.response.status_code'], 200);
    assert.equal(attributes['url.path'], '/api/users/7');
    assert.equal(attributes['url.query'], 'a=1');
    assert.equal(attributes['url.scheme'], 'http');
    assert.equal(attributes['network.protocol.version'], isHttp2 ? '2' : '1.1');
    assert.equal(server.code, SpanStatusCode.UNSET);
    const handler = spans.find(({ name }) => name.startsWith('request handler'))!;
    assert.deepEqual(handler.attributes, {
      'express.name': '/api/users/:id',
      'express.type': 'request_handler',
      'http.route': '/api/users/:id',
    });
    assert.equal(
      new Set(spans.map(({ traceId }) => traceId)).size,
      1,
      'also that of the span of the handler',
    );
  });

  test('spans: a handler’s span contains the calls that it makes, and not the handlers after it', async () => {
    const spans = await spansOf('/api/users/7');
    const parents = Object.fromEntries(spans.map(({ name, parent }) => [name, parent]));
    const [request, handler] = ['GET /api/users/:id', 'request handler - /api/users/:id'];
    assert.deepEqual(parents, {
      [request]: undefined,
      'middleware - query': request,
      'middleware - expressInit': request,
      'middleware - logger': request,
      'router - /users/:id': request,
      [handler]: request,
      query: handler,
    });
  });

  test('spans: routers have the path of their first route, or else their mount path', async () => {
    const pass: web.RequestHandler = (_req, _res, next) => {
      next();
    };
    const build = (): ReturnType<typeof web> => {
      const leaf = web.Router();
      leaf.get('/first', pass);
      leaf.get('/leaf', (_req, res) => void res.send('leaf'));
      const api = web.Router().use(pass);
      api.use('/deep/:id', leaf);
      return web().set('env', 'test').use('/api', api);
    };
    const spans = await spansOf('/api/deep/1/leaf', {}, {}, build());
    assert.deepEqual(
      spans
        .filter(({ name }) => name.startsWith('router'))
        .map(({ name, attributes }) => [name, attributes['http.route']]),
      [
        ['router - /api', '/api'],
        ['router - /first', '/api/deep/:id'],
      ],
    );
  });

  test('spans: a route that follows another is not within its span', async () => {
    const app = web().set('env', 'test');
    app.get('/two', (_req, _res, next) => {
      next('route');
    });
    app.get('/:name', (_req, res) => void res.send('second'));
    const spans = await spansOf('/two', {}, {}, app);
    const handlers = spans.filter(({ name }) => name.startsWith('request handler'));
    assert.deepEqual(
      handlers.map(({ name, parent }) => [name, parent]),
      [
        ['request handler - /two', 'GET /:name'],
        ['request handler - /:name', 'GET /:name'],
      ],
    );
  });

  test('errors: are recorded in the spans of the handler and of the request', async () => {
    const spans = await spansOf('/fails');
    for (const name of ['GET /fails', 'request handler - /fails']) {
      const span = spans.find(each => each.name === name)!;
      assert.equal(span.code, SpanStatusCode.ERROR, name);
      assert.deepEqual(span.events, ['exception'], name);
    }
    const { attributes } = spans.find(({ kind }) => kind === SpanKind.SERVER)!;
    assert.equal(attributes['error.type'], 'TypeError');
    assert.equal(attributes['http.response.status_code'], 500);
  });

  test('paths without a route: have the method as the name', async () => {
    const spans = await spansOf('/none');
    const { name, attributes } = spans.find(({ kind }) => kind === SpanKind.SERVER)!;
    assert.equal(name, 'GET');
    assert.ok(!('http.route' in attributes));
  });

  test('requests of other methods: are named HTTP, with the query and the host as attributes', async () => {
    const bridge = web.openTelemetry();
    exporter.reset();
    await appOf().inject('/none?a=b', {
      method: 'PURGE',
      headers: { Host: 'example.org', 'User-Agent': 'x' },
    });
    bridge.close();
    const { name, attributes } = exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER)!;
    assert.equal(name, 'HTTP');
    assert.equal(attributes['http.request.method_original'], 'PURGE');
    assert.equal(attributes['url.query'], 'a=b');
    assert.equal(attributes['server.address'], 'example.org');
    assert.ok(!('server.port' in attributes));
    assert.equal(attributes['user_agent.original'], 'x');
  });

  test('a span that is active already: gets the route, and is not ended', async () => {
    const outer = trace.getTracer('test').startSpan('outer', { kind: SpanKind.SERVER });
    const bridge = web.openTelemetry();
    exporter.reset();
    for (const path of ['/api/users/7', '/fails', '/none'])
      await context.with(trace.setSpan(ROOT_CONTEXT, outer), () => appOf().inject(path));
    bridge.close();
    assert.equal(exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER).length, 0);
    assert.ok(outer.isRecording());
    outer.end();
    const [span] = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
    assert.equal(span?.attributes['http.route'], '/fails');
  });

  test('a span that is active already: gets the route before its instrumentation ends it', async () => {
    const outer = trace.getTracer('test').startSpan('GET', { kind: SpanKind.SERVER });
    const bridge = web.openTelemetry();
    exporter.reset();
    const app = web();
    app.get('/users/:id', (_req, res) => res.end());
    await withServer(
      (req, res) => {
        res.on('close', () => {
          outer.end();
        });
        context.with(trace.setSpan(ROOT_CONTEXT, outer), () => {
          app(req, res);
        });
      },
      port => askPort(port, { path: '/users/7' } as never),
    );
    bridge.close();
    const [span] = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
    assert.equal(span?.name, 'GET /users/:id');
    assert.equal(span?.attributes['http.route'], '/users/:id');
  });

  test('url.scheme: is http for any other protocol that a client sends through a trusted proxy', async () => {
    const app = appOf().set('trust proxy', true);
    const schemes: unknown[] = [];
    for (const proto of ['https', 'http', 'x1', 'HTTPS']) {
      const spans = await spansOf('/fails', {}, { 'x-forwarded-proto': proto }, app);
      schemes.push(spans.at(-1)?.attributes['url.scheme']);
    }
    assert.deepEqual(schemes, ['https', 'http', 'http', 'http']);
  });

  test('values thrown, and handled: the status is the type, and the exception is in the span of the handler', async () => {
    const app = web().set('env', 'test');
    app.param('id', (_req, _res, next) => {
      next();
    });
    app.use((_req, _res, next) => {
      next();
    });
    app.get('/text/:id', () => {
      throw 'text';
    });
    app.use('/empty', web.Router());
    app.use((error: unknown, _req: web.Request, res: web.Response, _next: web.NextFunction) => {
      res.status(502).send(String(error));
    });
    const spans = await spansOf('/text/1', {}, {}, app);
    const { attributes } = spans.find(({ kind }) => kind === SpanKind.SERVER)!;
    assert.equal(attributes['error.type'], '502');
    assert.deepEqual(
      spans.filter(({ events }) => events.length > 0).map(({ name }) => name),
      ['request handler - /text/:id'],
    );
    const names = (await spansOf('/empty', {}, {}, app)).map(({ name }) => name);
    assert.ok(names.includes('router - /empty'), names.join());
  });

  test('traceparent: continues the trace of the client', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const spans = await spansOf('/fails', {}, { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
    assert.ok(spans.every(span => span.traceId === traceId));
  });

  test('handlers: false leaves the spans of requests', async () => {
    const spans = await spansOf('/api/users/7', { handlers: false });
    assert.deepEqual(spans.map(({ name }) => name).sort(), ['GET /api/users/:id', 'query']);
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  });

  test('options: invalid values throw', () => {
    const make = web.openTelemetry as (options?: unknown) => unknown;
    assert.throws(() => make({ api: {} }), /api must be the package @opentelemetry\/api, got /);
  });
});

/**
 * `web.openTelemetry`: spans and metrics by the semantic conventions for HTTP, from the diagnostics channels.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
import { isError } from '../../realms';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type * as Api from '@opentelemetry/api';
import { requireWith } from '../../modules';
import { pathnameOf } from '../../protocol/url';
import {
  enteringHandlers,
  enteringRequests,
  handlers as handlerChannels,
  leavingHandlers,
  requests,
} from '../../report/channels';
import type { Enter } from '../../report/channels';
import { FLAG, READ, checkOption, checkOptions } from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import { layersOf } from '../../router/mounted';
import type { Request } from '../../types/core';
import type { OpenTelemetryBridge, OpenTelemetryOptions } from '../../types/operation';
import { DURATION_BOUNDS } from './duration-bounds';

const CALLER = 'web.openTelemetry()';
const OPTIONS = { api: READ, handlers: FLAG } satisfies Kinds<OpenTelemetryOptions>;
/** The instrumentation scope of spans and metrics. */
const SCOPE = 'ristretto';
const SERVER_ERROR = 500;
/** The methods that the conventions know; any other token is `_OTHER`: clients must not create series. */
const KNOWN = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

interface RequestMessage {
  req: Request;
  res: ServerResponse;
  error?: unknown;
  aborted?: boolean;
}

interface HandlerMessage {
  req: Request;
  layer: { name: string };
  handler: object;
  param?: unknown;
  errorHandler?: true;
  error?: unknown;
}

/** The span of a handler's call, which ends when the handler calls `next`, or with the request. */
interface Call {
  readonly span: Api.Span;
  /** The context of the call, and the outer context, in which later handlers run. */
  readonly context: Api.Context;
  readonly outer: Api.Context;
  isOver: boolean;
}

/** The spans of a request. */
interface Traced {
  readonly span: Api.Span;
  /** Whether the span was created here, and not by an instrumentation of `node:http`. */
  readonly isOwn: boolean;
  readonly begun: number;
  readonly attributes: Api.Attributes;
  readonly calls: Call[];
  /** The latest route, and the call of its first handler, whose span covers all its handlers. */
  route: unknown;
  routeCall: Call | undefined;
  /** The path of the router that was entered last. */
  prefix: string;
}

/**
 * Reports requests of all applications of the process to OpenTelemetry. Nothing is patched, so it may be called before or
 * after other modules are loaded.
 * @throws TypeError for an invalid option; Error if `@opentelemetry/api` is not installed
 * @example web.openTelemetry();
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetryBridge {
  checkOptions(CALLER, options, OPTIONS);
  const { handlers = true } = options;
  const api = (options.api ?? load()) as typeof Api;
  const isApi = typeof (Object(api) as Partial<typeof Api>).trace?.getTracer === 'function';
  checkOption(isApi, CALLER, 'api', 'the package @opentelemetry/api', api);
  const bridge = new Bridge(api);
  const releases = [bridge.reportRequests(), ...(handlers ? [bridge.reportHandlers()] : [])];
  return {
    close: () => {
      for (const release of releases.splice(0)) release();
    },
  };
}

function load(): unknown {
  try {
    return requireWith('@opentelemetry/api')('@opentelemetry/api');
  } catch (cause) {
    throw new Error(`${CALLER} needs the package @opentelemetry/api: npm install @opentelemetry/api`, {
      cause,
    });
  }
}

class Bridge {
  private readonly tracer: Api.Tracer;
  private readonly duration: Api.Histogram;
  private readonly active: Api.UpDownCounter;
  private readonly traced = new WeakMap<object, Traced>();
  private readonly calls = new WeakMap<object, Call>();

  constructor(private readonly api: typeof Api) {
    this.tracer = api.trace.getTracer(SCOPE);
    const meter = api.metrics.getMeter(SCOPE);
    this.duration = meter.createHistogram('http.server.request.duration', {
      unit: 's',
      description: 'Duration of HTTP server requests.',
      advice: { explicitBucketBoundaries: DURATION_BOUNDS },
    });
    this.active = meter.createUpDownCounter('http.server.active_requests', {
      unit: '{request}',
      description: 'Number of active HTTP server requests.',
    });
  }

  reportRequests(): () => void {
    return this.connect(enteringRequests, message => this.begin(message as RequestMessage), [
      [requests.error.name, message => this.fail(message as RequestMessage)],
      [requests.asyncEnd.name, message => this.finish(message as RequestMessage)],
    ]);
  }

  reportHandlers(): () => void {
    const release = this.connect(enteringHandlers, message => this.beginCall(message as HandlerMessage), [
      [handlerChannels.error.name, message => this.failCall(message as HandlerMessage)],
    ]);
    const leaveContext: Enter = (message, run) => {
      const call = this.calls.get(message);
      if (call === undefined) return run();
      end(call);
      return this.api.context.with(call.outer, run);
    };
    leavingHandlers.add(leaveContext);
    return () => {
      release();
      leavingHandlers.delete(leaveContext);
    };
  }

  private connect(
    entering: Set<Enter>,
    begin: (message: unknown) => Api.Context,
    listeners: [name: string | symbol, listener: (message: unknown) => void][],
  ): () => void {
    // Contexts of OpenTelemetry have no store that could be bound to a channel.
    const enterContext: Enter = (message, run) => this.api.context.with(begin(message), run);
    entering.add(enterContext);
    for (const [name, listener] of listeners) subscribe(name, listener);
    return () => {
      entering.delete(enterContext);
      for (const [name, listener] of listeners) unsubscribe(name, listener);
    };
  }

  private begin({ req, res }: RequestMessage): Api.Context {
    const { api } = this;
    const outer = api.context.active();
    const given = api.trace.getSpan(outer);
    const attributes: Api.Attributes = {
      'http.request.method': KNOWN.has(req.method) ? req.method : '_OTHER',
      'url.scheme': schemeOf(req),
    };
    const parent = given === undefined ? api.propagation.extract(outer, req.headers) : outer;
    const span = given ?? this.startRequest(req, attributes, parent);
    const isOwn = given === undefined;
    const begun = performance.now();
    const traced: Traced = {
      ...{ span, isOwn, begun, attributes, calls: [] },
      ...{ route: undefined, routeCall: undefined, prefix: '' },
    };
    this.traced.set(req, traced);
    if (isOwn) this.active.add(1, attributes);
    // An instrumentation ends its span in a listener that it has already added, so this one is prepended
    else res.prependOnceListener('close', () => span.setAttributes(this.name(req, traced)));
    return api.trace.setSpan(parent, span);
  }

  private startRequest(req: Request, known: Api.Attributes, parent: Api.Context): Api.Span {
    // `originalUrl` is set later, by the application's first layer.
    const { url, headers } = req;
    const query = url.indexOf('?');
    const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(headers.host ?? '') ?? [];
    const attributes: Api.Attributes = { ...known, 'url.path': pathnameOf(url) ?? url };
    const optional: Record<string, string | number | undefined> = {
      'http.request.method_original': known['http.request.method'] === '_OTHER' ? req.method : undefined,
      'url.query': query < 0 ? undefined : url.slice(query + 1),
      'server.address': host === '' ? undefined : host,
      'server.port': port === undefined ? undefined : Number(port),
      'client.address': req.ip,
      'network.peer.address': req.socket.remoteAddress,
      'network.peer.port': req.socket.remotePort,
      'network.protocol.version': req.httpVersion === '2.0' ? '2' : req.httpVersion,
      'user_agent.original': headers['user-agent'],
    };
    for (const [name, value] of Object.entries(optional)) if (value !== undefined) attributes[name] = value;
    const name = attributes['http.request.method'] === '_OTHER' ? 'HTTP' : req.method;
    return this.tracer.startSpan(name, { kind: this.api.SpanKind.SERVER, attributes }, parent);
  }

  private fail({ req, error }: RequestMessage): void {
    const traced = this.traced.get(req);
    if (traced?.isOwn) traced.span.recordException(asException(error));
  }

  /** Sets the route, if there is one, as the name of the request's span, and returns it as attributes. */
  private name({ matchedPath }: Request, { span, attributes }: Traced): Api.Attributes {
    if (matchedPath === undefined) return {};
    span.updateName(`${String(attributes['http.request.method'])} ${matchedPath}`);
    return { 'http.route': matchedPath };
  }

  private finish({ req, res, error, aborted }: RequestMessage): void {
    const traced = this.traced.get(req);
    if (traced === undefined) return;
    this.traced.delete(req);
    for (const call of traced.calls) end(call);
    const { span, isOwn, begun, attributes } = traced;
    if (!isOwn) return;
    const ended = this.name(req, traced);
    if (!(aborted === true && !res.headersSent)) ended['http.response.status_code'] = res.statusCode;
    const type =
      aborted === true ? 'aborted' : res.statusCode >= SERVER_ERROR ? errorType(error, res) : undefined;
    if (type !== undefined) ended['error.type'] = type;
    span.setAttributes(ended);
    if (type !== undefined) span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    span.end();
    this.active.add(-1, attributes);
    this.duration.record((performance.now() - begun) / 1000, { ...attributes, ...ended });
  }

  private beginCall(message: HandlerMessage): Api.Context {
    const { req, layer } = message;
    const active = this.api.context.active();
    const traced = this.traced.get(req);
    if (traced === undefined || message.param !== undefined || message.errorHandler === true) return active;
    const { matchedPath: path } = req;
    const route = req.route as { stack?: readonly unknown[] } | undefined;
    const isInRoute = route?.stack?.includes(layer) === true;
    const { routeCall } = traced;
    if (isInRoute && traced.route === route) return routeCall!.context;
    // Code that runs after a route's handlers is outside of their span.
    const outer = routeCall?.context === active ? routeCall.outer : active;
    if (routeCall !== undefined) end(routeCall);
    if (isInRoute) {
      traced.route = route;
      const name = `request handler - ${String(path)}`;
      traced.routeCall = this.startCall(traced, name, 'request_handler', path, path, outer);
      return traced.routeCall.context;
    }
    if (layer.name === 'router') {
      const { prefix } = traced;
      traced.prefix = path ?? '';
      const ownPath = path?.startsWith(prefix) === true ? path.slice(prefix.length) : path;
      const name = firstPathOf(message.handler) || ownPath || '/';
      // Like that of the instrumentation, the span has no duration, and no later span is within it.
      end(this.startCall(traced, `router - ${name}`, 'router', name, path, outer));
      return outer;
    }
    const call = this.startCall(traced, `middleware - ${layer.name}`, 'middleware', layer.name, path, outer);
    this.calls.set(message, call);
    return call.context;
  }

  private startCall(
    traced: Traced,
    name: string,
    type: string,
    ownName: string | undefined,
    path: string | undefined,
    outer: Api.Context,
  ): Call {
    const attributes: Api.Attributes = { 'express.name': ownName ?? name, 'express.type': type };
    if (path !== undefined) attributes['http.route'] = path;
    const span = this.tracer.startSpan(name, { attributes }, outer);
    const call = { span, outer, context: this.api.trace.setSpan(outer, span), isOver: false };
    traced.calls.push(call);
    return call;
  }

  private failCall(message: HandlerMessage): void {
    const traced = this.traced.get(message.req);
    const call = this.calls.get(message) ?? traced?.routeCall;
    if (call === undefined || call.isOver) return;
    call.span.recordException(asException(message.error));
    call.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
  }
}

/** A trusted proxy may pass on any `X-Forwarded-Proto` of the client, which must not create series. */
function schemeOf({ protocol, socket }: Request): string {
  if (protocol === 'http' || protocol === 'https') return protocol;
  return 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
}

/** Ends the span of a call, once. */
function end(call: Call): void {
  if (call.isOver) return;
  call.isOver = true;
  call.span.end();
}

/** Returns the path of the first route in a router, after which the instrumentation of Express names the router. */
function firstPathOf(router: object): string {
  const [first] = layersOf(router);
  if (first === undefined) return '';
  const { handle } = first;
  const route = first.route as { path?: string | RegExp | unknown[] } | undefined;
  return route?.path === undefined ? firstPathOf(handle) : String(route.path);
}

function asException(error: unknown): Api.Exception {
  return isError(error) ? error : String(error);
}

/** The name of the error's class, or the status. */
function errorType(error: unknown, { statusCode }: ServerResponse): string {
  return isError(error) && error.name !== '' ? error.name : String(statusCode);
}

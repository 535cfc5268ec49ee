/** Cross-origin resource sharing: the interface of cors 2. https://fetch.spec.whatwg.org/#http-cors-protocol */
import { types } from 'node:util';
import type { IncomingHttpHeaders } from 'node:http';

type StaticOrigin = boolean | string | RegExp | (boolean | string | RegExp)[];

type CustomOrigin = (
  requestOrigin: string | undefined,
  callback: (err: Error | null, origin?: StaticOrigin) => void,
) => void;

interface CorsRequest {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

interface CorsResponse {
  statusCode?: number | undefined;
  setHeader(key: string, value: string): unknown;
  end(): unknown;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- So that functions of all frameworks fit, as in @types/cors
type Next = (err?: any) => any;

/** Every response has this member, but the types of programs may lack it. */
interface Response extends CorsResponse {
  getHeader(name: string): number | string | string[] | undefined;
}

interface CorsOptions {
  /**
   * The origins that may read responses: `*` or one origin; true for the request's own; false for none, which also leaves
   * out all other headers; patterns; an array of these; or a function that passes one of these to its callback.
   * @default '*'
   */
  origin?: StaticOrigin | CustomOrigin | undefined;
  /** @default 'GET,HEAD,PUT,PATCH,POST,DELETE' */
  methods?: string | string[] | undefined;
  /** @default the headers that the preflight request asks for */
  allowedHeaders?: string | string[] | undefined;
  /** Headers that scripts may read, in addition to those that they always may. */
  exposedHeaders?: string | string[] | undefined;
  /** @default false */
  credentials?: boolean | undefined;
  /** How long browsers may reuse the response to a preflight request, in seconds. */
  maxAge?: number | undefined;
  /** Pass preflight requests to the next handler. @default false */
  preflightContinue?: boolean | undefined;
  /** The status of responses to preflight requests. @default 204 */
  optionsSuccessStatus?: number | undefined;
}

type CorsOptionsDelegate<T extends CorsRequest = CorsRequest> = (
  req: T,
  callback: (err: Error | null, options?: CorsOptions) => void,
) => void;

/** Options with the header values computed from them. Without a value, the header is not sent. */
interface Plan {
  origin: unknown;
  credentials: boolean;
  exposedHeaders: string;
  methods: string;
  /** Undefined means the headers that the request asks for. */
  allowedHeaders: string | undefined;
  maxAge: string;
  preflightContinue: unknown;
  status: number;
}

/** Options as a JavaScript program may pass them. */
interface Given {
  origin?: unknown;
  methods?: unknown;
  allowedHeaders?: unknown;
  /** Another name of `allowedHeaders`. */
  headers?: unknown;
  exposedHeaders?: unknown;
  credentials?: unknown;
  maxAge?: unknown;
  preflightContinue?: unknown;
  optionsSuccessStatus?: unknown;
}

const DEFAULTS: Given = {
  origin: '*',
  methods: 'GET,HEAD,PUT,PATCH,POST,DELETE',
  preflightContinue: false,
  optionsSuccessStatus: 204,
};

/** Returns the value of a header that is a list; empty if there is none. */
function listed(given: unknown): string {
  if (typeof given === 'string') return given;
  return Array.isArray(given) ? given.join(',') : '';
}

function planOf(options: unknown): Plan {
  const given: Given = { ...DEFAULTS, ...(options as object) };
  const allowed = given.allowedHeaders || given.headers;
  const maxAge = given.maxAge as number | undefined;
  return {
    origin: given.origin,
    credentials: given.credentials === true,
    exposedHeaders: listed(given.exposedHeaders),
    methods: listed(given.methods),
    allowedHeaders: allowed ? listed(allowed) : undefined,
    maxAge: typeof maxAge === 'number' || maxAge ? String(maxAge) : '',
    preflightContinue: given.preflightContinue,
    status: given.optionsSuccessStatus as number,
  };
}

function isAllowed(origin: string | undefined, allowed: unknown): boolean {
  if (Array.isArray(allowed)) return allowed.some(each => isAllowed(origin, each));
  // An object would allow every origin
  if (typeof allowed === 'string' || types.isStringObject(allowed)) return origin === String(allowed);
  // Without an origin, there is no header to add when it matches.
  if (types.isRegExp(allowed)) return origin !== undefined && allowed.test(origin);
  return Boolean(allowed);
}

/** Adds a name to `Vary`, unless `Vary` has it already. */
function vary(res: Response, name: string): void {
  const present = res.getHeader('Vary');
  if (!present) {
    res.setHeader('Vary', name);
    return;
  }
  const text = Array.isArray(present) ? present.join(', ') : String(present);
  const names = text
    .toLowerCase()
    .split(',')
    .map(each => each.trim());
  if (names.includes('*')) res.setHeader('Vary', '*');
  else res.setHeader('Vary', names.includes(name.toLowerCase()) ? text : `${text}, ${name}`);
}

function setOrigin(
  res: Response,
  requestOrigin: string | undefined,
  allowed: unknown,
  isChosen: boolean,
): void {
  if (!allowed || allowed === '*') {
    res.setHeader('Access-Control-Allow-Origin', '*');
    if (isChosen) vary(res, 'Origin');
    return;
  }
  if (typeof allowed === 'string') res.setHeader('Access-Control-Allow-Origin', allowed);
  else if (requestOrigin && isAllowed(requestOrigin, allowed))
    res.setHeader('Access-Control-Allow-Origin', requestOrigin);
  vary(res, 'Origin');
}

/** Responds to a preflight request, or passes it on. */
function preflight(plan: Plan, req: CorsRequest, res: Response, next: (err?: unknown) => unknown): void {
  if (plan.methods !== '') res.setHeader('Access-Control-Allow-Methods', plan.methods);
  let allowed = plan.allowedHeaders;
  if (allowed === undefined) {
    allowed = req.headers['access-control-request-headers'];
    vary(res, 'Access-Control-Request-Headers');
  }
  if (allowed) res.setHeader('Access-Control-Allow-Headers', allowed);
  if (plan.maxAge !== '') res.setHeader('Access-Control-Max-Age', plan.maxAge);
  if (plan.exposedHeaders !== '') res.setHeader('Access-Control-Expose-Headers', plan.exposedHeaders);
  if (plan.preflightContinue) {
    next();
    return;
  }
  res.statusCode = plan.status;
  // Safari waits for a body unless a 204 says that there is none.
  res.setHeader('Content-Length', '0');
  res.end();
}

function isPreflight({ method }: CorsRequest): boolean {
  return method === 'OPTIONS' || (method?.length === 7 && method.toUpperCase() === 'OPTIONS');
}

function respond(
  plan: Plan,
  origin: unknown,
  isChosen: boolean,
  req: CorsRequest,
  res: Response,
  next: (err?: unknown) => unknown,
): void {
  setOrigin(res, req.headers.origin, origin, isChosen);
  if (plan.credentials) res.setHeader('Access-Control-Allow-Credentials', 'true');
  if (isPreflight(req)) {
    preflight(plan, req, res, next);
    return;
  }
  if (plan.exposedHeaders !== '') res.setHeader('Access-Control-Expose-Headers', plan.exposedHeaders);
  next();
}

/**
 * Finds the origin, which may take time if a function does so, and responds.
 * @param isChosen whether a function has chosen the plan. What a function chooses may depend on the origin, even if the
 * response names none: a cache must not reuse it for another one (RFC 9110, section 12.5.5)
 */
function handle(
  plan: Plan,
  isChosen: boolean,
  req: CorsRequest,
  res: Response,
  next: (err?: unknown) => unknown,
): void {
  const refuse = (error?: unknown): void => {
    vary(res, 'Origin');
    next(error);
  };
  const { origin } = plan;
  if (typeof origin === 'function') {
    (origin as CustomOrigin)(req.headers.origin, (error, allowed) => {
      if (error || !allowed) refuse(error);
      else respond(plan, allowed, true, req, res, next);
    });
  } else if (origin) {
    respond(plan, origin, isChosen, req, res, next);
  } else if (isChosen) {
    refuse();
  } else {
    next();
  }
}

/**
 * Returns middleware that tells browsers which other origins may read responses.
 * @param options read once, except for arrays of origins; or a function that passes the options of a request to its
 *   callback
 * @example app.use(cors({ origin: ['https://example.com'], credentials: true }));
 */
function cors<T extends cors.CorsRequest = cors.CorsRequest>(
  options?: cors.CorsOptions | cors.CorsOptionsDelegate<T>,
): (req: T, res: CorsResponse, next: Next) => void {
  if (typeof options === 'function')
    return function corsMiddleware(req, res, next) {
      options(req, (error, chosen) => {
        if (error) next(error);
        else handle(planOf(chosen), true, req, res as Response, next);
      });
    };
  const plan = planOf(options);
  return function corsMiddleware(req, res, next) {
    handle(plan, false, req, res as Response, next);
  };
}

declare namespace cors {
  export type { CorsOptions, CorsOptionsDelegate, CorsRequest };
}

export = cors;

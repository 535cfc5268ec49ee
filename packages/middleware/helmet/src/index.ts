/** Sets security headers: the interface of helmet 8. Values are computed and checked when the middleware is created. */
import { validateHeaderValue } from 'node:http';
import { format } from 'node:util';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dangerouslyDisableDefaultSrc, getDefaultDirectives, policyOf } from './content-security-policy.js';
import type { ContentSecurityPolicyOptions, Policy } from './content-security-policy.js';
import {
  AGENT_CLUSTER,
  CONTENT_TYPE,
  DOWNLOAD,
  embedderPolicyHeader,
  frameHeader,
  openerPolicyHeader,
  permittedPoliciesHeader,
  POWERED_BY,
  prefetchHeader,
  referrerPolicyHeader,
  resourcePolicyHeader,
  transportSecurityHeader,
  XSS,
} from './headers.js';
import type {
  CrossOriginEmbedderPolicyOptions,
  CrossOriginOpenerPolicyOptions,
  CrossOriginResourcePolicyOptions,
  Header,
  ReferrerPolicyOptions,
  StrictTransportSecurityOptions,
  XDnsPrefetchControlOptions,
  XFrameOptionsOptions,
  XPermittedCrossDomainPoliciesOptions,
} from './headers.js';

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** Throws for options that can't be read, with the name of the header that they are for. */
function readable<Options>(name: string, options: Options | undefined): Options | object {
  if (options === null)
    throw new TypeError(
      `${name}: expected an object of options, got null; use false to leave the header out`,
    );
  return options ?? {};
}

function apply(res: ServerResponse, [name, value]: Header): void {
  if (value === undefined) res.removeHeader(name);
  else res.setHeader(name, value);
}

/** Where Ristretto's responses have a function that sets and removes many headers at once. */
const SET_HEADERS = Symbol.for('ristretto.setHeaders');

interface Response extends ServerResponse {
  [SET_HEADERS]?: (headers: readonly Header[]) => void;
}

function applyAll(res: Response, headers: readonly Header[]): void {
  if (res[SET_HEADERS] !== undefined) res[SET_HEADERS](headers);
  else for (let index = 0; index < headers.length; index++) apply(res, headers[index]!);
}

interface ContentSecurityPolicy {
  (
    options?: Readonly<ContentSecurityPolicyOptions>,
  ): (req: IncomingMessage, res: ServerResponse, next: (err?: Error) => void) => void;
  getDefaultDirectives: typeof getDefaultDirectives;
  dangerouslyDisableDefaultSrc: typeof dangerouslyDisableDefaultSrc;
}

const contentSecurityPolicy: ContentSecurityPolicy = Object.assign(
  function contentSecurityPolicy(options?: Readonly<ContentSecurityPolicyOptions>) {
    const policy = checked(policyOf(readable('Content-Security-Policy', options)));
    return function contentSecurityPolicyMiddleware(
      req: IncomingMessage,
      res: ServerResponse,
      next: (err?: Error) => void,
    ) {
      if (setPolicy(policy, req, res, next)) next();
    };
  },
  { getDefaultDirectives, dangerouslyDisableDefaultSrc },
) as ContentSecurityPolicy;

/** Throws now if the value is one that every response would reject. */
function checked(policy: Policy): Policy {
  if (policy.value !== undefined) validateHeaderValue(policy.header, policy.value);
  return policy;
}

/** Sets the header; returns false if a function of the policy failed, which has been passed to `next`. */
function setPolicy(
  policy: Policy,
  req: IncomingMessage,
  res: ServerResponse,
  next: (err?: Error) => void,
): boolean {
  let value = policy.value;
  if (value === undefined) {
    try {
      value = policy.compute(req, res);
    } catch (error) {
      next(error as Error);
      return false;
    }
  }
  res.setHeader(policy.header, value);
  return true;
}

/** Returns a function with a name, which stacks and lists of middleware show. */
function named<F extends (...args: never[]) => unknown>(name: string, fn: F): F {
  return Object.defineProperty(fn, 'name', { value: name });
}

/** Returns the middleware that sets a header. */
function setting(name: string, header: Header): Middleware {
  return named(`${name}Middleware`, (_req: IncomingMessage, res: ServerResponse, next: () => void) => {
    apply(res, header);
    next();
  });
}

/** Returns the function that creates the middleware of a header with options. */
function setter<Options>(
  name: string,
  header: string,
  make: (options: Readonly<Options>) => Header,
): (options?: Readonly<Options>) => Middleware {
  return named(name, (options?: Readonly<Options>) =>
    setting(name, make(readable(header, options) as Readonly<Options>)),
  );
}

/** Does the same for a header without options. */
function plainSetter(name: string, header: Header): () => Middleware {
  return named(name, () => setting(name, header));
}

const crossOriginEmbedderPolicy = setter<CrossOriginEmbedderPolicyOptions>(
  'crossOriginEmbedderPolicy',
  'Cross-Origin-Embedder-Policy',
  embedderPolicyHeader,
);
const crossOriginOpenerPolicy = setter<CrossOriginOpenerPolicyOptions>(
  'crossOriginOpenerPolicy',
  'Cross-Origin-Opener-Policy',
  openerPolicyHeader,
);
const crossOriginResourcePolicy = setter<CrossOriginResourcePolicyOptions>(
  'crossOriginResourcePolicy',
  'Cross-Origin-Resource-Policy',
  resourcePolicyHeader,
);
const originAgentCluster = plainSetter('originAgentCluster', AGENT_CLUSTER);
const referrerPolicy = setter('referrerPolicy', 'Referrer-Policy', referrerPolicyHeader);
const strictTransportSecurity = setter(
  'strictTransportSecurity',
  'Strict-Transport-Security',
  transportSecurityHeader,
);
const xContentTypeOptions = plainSetter('xContentTypeOptions', CONTENT_TYPE);
const xDnsPrefetchControl = setter('xDnsPrefetchControl', 'X-DNS-Prefetch-Control', prefetchHeader);
const xDownloadOptions = plainSetter('xDownloadOptions', DOWNLOAD);
const xFrameOptions = setter('xFrameOptions', 'X-Frame-Options', frameHeader);
const xPermittedCrossDomainPolicies = setter<XPermittedCrossDomainPoliciesOptions>(
  'xPermittedCrossDomainPolicies',
  'X-Permitted-Cross-Domain-Policies',
  permittedPoliciesHeader,
);
const xPoweredBy = plainSetter('xPoweredBy', POWERED_BY);
const xXssProtection = plainSetter('xXssProtection', XSS);

type EitherKey<Key1 extends PropertyKey, Key2 extends PropertyKey, Value> =
  | (Partial<Record<Key1, Value>> & Partial<Record<Key2, never>>)
  | (Partial<Record<Key1, never>> & Partial<Record<Key2, Value>>);

/** Each header with its options; false leaves it out. */
type HelmetOptions = {
  contentSecurityPolicy?: ContentSecurityPolicyOptions | boolean;
  /** @default false */
  crossOriginEmbedderPolicy?: CrossOriginEmbedderPolicyOptions | boolean;
  crossOriginOpenerPolicy?: CrossOriginOpenerPolicyOptions | boolean;
  crossOriginResourcePolicy?: CrossOriginResourcePolicyOptions | boolean;
  originAgentCluster?: boolean;
  referrerPolicy?: ReferrerPolicyOptions | boolean;
} & EitherKey<'strictTransportSecurity', 'hsts', StrictTransportSecurityOptions | boolean> &
  EitherKey<'xContentTypeOptions', 'noSniff', boolean> &
  EitherKey<'xDnsPrefetchControl', 'dnsPrefetchControl', XDnsPrefetchControlOptions | boolean> &
  EitherKey<'xDownloadOptions', 'ieNoOpen', boolean> &
  EitherKey<'xFrameOptions', 'frameguard', XFrameOptionsOptions | boolean> &
  EitherKey<
    'xPermittedCrossDomainPolicies',
    'permittedCrossDomainPolicies',
    XPermittedCrossDomainPoliciesOptions | boolean
  > &
  EitherKey<'xPoweredBy', 'hidePoweredBy', boolean> &
  EitherKey<'xXssProtection', 'xssFilter', boolean>;

/** Options as a JavaScript program may pass them. */
type Given = Record<string, unknown>;

/** Returns the value of an option, which may also have its name from before helmet 7. */
function either(options: Given, header: string, name: string, legacy: string): unknown {
  if (name in options && legacy in options)
    throw new Error(
      `${header} option was specified twice. Remove the \`${legacy}\` option to fix this error.`,
    );
  return options[name] ?? options[legacy];
}

/** Adds a header with options: undefined and true mean the defaults. */
function add<Options>(
  headers: Header[],
  name: string,
  given: unknown,
  make: (options: Readonly<Options>) => Header,
): void {
  if (given === false) return;
  const options = given === true || given === undefined ? {} : readable(name, given);
  headers.push(make(options as Options));
}

/** Adds a header without options. */
function addPlain(headers: Header[], header: Header, given: unknown): void {
  if (given === false) return;
  if (given !== true && given !== undefined)
    // eslint-disable-next-line no-console -- Programs see this warning with helmet, and tests look for it
    console.warn(`${header[0]} does not take options. Remove the property to silence this warning.`);
  headers.push(header);
}

function policyFrom(given: unknown): Policy | undefined {
  if (given === false) return undefined;
  const options = given === true || given === undefined ? {} : readable('Content-Security-Policy', given);
  return checked(policyOf(options as ContentSecurityPolicyOptions));
}

/** Returns all headers but the policy, in the order in which they are set. */
function headersOf(options: Given): Header[] {
  const headers: Header[] = [];
  if (options.crossOriginEmbedderPolicy !== undefined)
    add(headers, 'Cross-Origin-Embedder-Policy', options.crossOriginEmbedderPolicy, embedderPolicyHeader);
  add(headers, 'Cross-Origin-Opener-Policy', options.crossOriginOpenerPolicy, openerPolicyHeader);
  add(headers, 'Cross-Origin-Resource-Policy', options.crossOriginResourcePolicy, resourcePolicyHeader);
  addPlain(headers, AGENT_CLUSTER, options.originAgentCluster);
  add(headers, 'Referrer-Policy', options.referrerPolicy, referrerPolicyHeader);
  const of = (header: string, name: string, legacy: string) => either(options, header, name, legacy);
  const transport = 'Strict-Transport-Security';
  add(headers, transport, of(transport, 'strictTransportSecurity', 'hsts'), transportSecurityHeader);
  addPlain(headers, CONTENT_TYPE, of(CONTENT_TYPE[0], 'xContentTypeOptions', 'noSniff'));
  const prefetch = 'X-DNS-Prefetch-Control';
  add(headers, prefetch, of(prefetch, 'xDnsPrefetchControl', 'dnsPrefetchControl'), prefetchHeader);
  addPlain(headers, DOWNLOAD, of(DOWNLOAD[0], 'xDownloadOptions', 'ieNoOpen'));
  const frame = 'X-Frame-Options';
  add(headers, frame, of(frame, 'xFrameOptions', 'frameguard'), frameHeader);
  const permitted = 'X-Permitted-Cross-Domain-Policies';
  add(
    headers,
    permitted,
    of(permitted, 'xPermittedCrossDomainPolicies', 'permittedCrossDomainPolicies'),
    permittedPoliciesHeader,
  );
  addPlain(headers, POWERED_BY, of(POWERED_BY[0], 'xPoweredBy', 'hidePoweredBy'));
  addPlain(headers, XSS, of(XSS[0], 'xXssProtection', 'xssFilter'));
  return headers;
}

/**
 * Returns middleware that sets security headers.
 * @param options each header with its options; false leaves it out
 * @throws if a value is not one that browsers understand, or a header is set under both of its names
 * @example app.use(helmet({ frameguard: { action: 'deny' } }));
 */
function helmet(
  options: Readonly<HelmetOptions> = {},
): (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void {
  if ((options as unknown) === null || (typeof options !== 'object' && typeof options !== 'function'))
    throw new TypeError(`helmet: expected an object of options, got ${format(options)}`);
  // A program that calls `app.use(helmet)` passes a request.
  if ((options as object).constructor?.name === 'IncomingMessage')
    throw new Error(
      'It appears you have done something like `app.use(helmet)`, but it should be `app.use(helmet())`.',
    );
  const policy = policyFrom(options.contentSecurityPolicy);
  const headers = headersOf(options);
  if (policy?.value !== undefined) headers.unshift([policy.header, policy.value]);
  const computed = policy?.value === undefined ? policy : undefined;
  return function helmetMiddleware(req, res, next) {
    if (computed !== undefined && !setPolicy(computed, req, res, next)) return;
    applyAll(res, headers);
    next();
  };
}

helmet.contentSecurityPolicy = contentSecurityPolicy;
helmet.crossOriginEmbedderPolicy = crossOriginEmbedderPolicy;
helmet.crossOriginOpenerPolicy = crossOriginOpenerPolicy;
helmet.crossOriginResourcePolicy = crossOriginResourcePolicy;
helmet.originAgentCluster = originAgentCluster;
helmet.referrerPolicy = referrerPolicy;
helmet.strictTransportSecurity = strictTransportSecurity;
helmet.xContentTypeOptions = xContentTypeOptions;
helmet.xDnsPrefetchControl = xDnsPrefetchControl;
helmet.xDownloadOptions = xDownloadOptions;
helmet.xFrameOptions = xFrameOptions;
helmet.xPermittedCrossDomainPolicies = xPermittedCrossDomainPolicies;
helmet.xPoweredBy = xPoweredBy;
helmet.xXssProtection = xXssProtection;
helmet.dnsPrefetchControl = xDnsPrefetchControl;
helmet.xssFilter = xXssProtection;
helmet.permittedCrossDomainPolicies = xPermittedCrossDomainPolicies;
helmet.ieNoOpen = xDownloadOptions;
helmet.noSniff = xContentTypeOptions;
helmet.frameguard = xFrameOptions;
helmet.hidePoweredBy = xPoweredBy;
helmet.hsts = strictTransportSecurity;
helmet.default = helmet;

declare namespace helmet {
  export type { HelmetOptions };
}

// Node.js reads this text for the names that `import { hsts } from` may use. At run time, the last line overrides it.
module.exports = {
  contentSecurityPolicy,
  crossOriginEmbedderPolicy,
  crossOriginOpenerPolicy,
  crossOriginResourcePolicy,
  originAgentCluster,
  referrerPolicy,
  strictTransportSecurity,
  xContentTypeOptions,
  xDnsPrefetchControl,
  xDownloadOptions,
  xFrameOptions,
  xPermittedCrossDomainPolicies,
  xPoweredBy,
  xXssProtection,
  dnsPrefetchControl: xDnsPrefetchControl,
  xssFilter: xXssProtection,
  permittedCrossDomainPolicies: xPermittedCrossDomainPolicies,
  ieNoOpen: xDownloadOptions,
  noSniff: xContentTypeOptions,
  frameguard: xFrameOptions,
  hidePoweredBy: xPoweredBy,
  hsts: strictTransportSecurity,
};

export = helmet;

/** Finds the operations of an API in the tree of its routers: what each method of each path accepts and returns. */
import { expand } from '../../protocol/content-type';
import type { StackLayer } from '../../router/stack-layer';
import { functionsOf } from '../../router/route-tree';
import type { Entry } from '../../router/route-tree';
import type { ResponseDescription, RouteDescription } from '../../types/description';
import type { OpenApiOptions } from '../../types/openapi';
import type { RequestPart, ResponseSchema, Schemas, StandardSchema } from '../../types/validation';
import { templatesOf } from './path-template';

/** A path, as the application registered it. */
type PathOf = Pick<Entry, 'isText' | 'readVariants'> & {
  /** The whole pattern, or a regular expression as text. */
  path: string;
};

/** What a request must be, and what is sent for it. */
export interface Contract {
  /** The schemas in the order of validation: each one sees the output of those before it. */
  schemas: Readonly<Record<RequestPart, readonly StandardSchema[]>>;
  /** The response schemas, by status. */
  responses: ReadonlyMap<string, ResponseSchema>;
  description: RouteDescription;
  /** What the body parsers before the handlers accept. */
  bodyTypes: readonly BodyTypes[];
  /** The files that forms have. */
  files: readonly FileField[];
}

/** A method of a path. */
export interface Route extends PathOf {
  /** The method, in lower case. */
  method: string;
  /** One, or several if the path is registered more than once, and a handler chooses with `next('route')`. */
  contracts: readonly Contract[];
  /** The statuses sent for invalid requests; empty if nothing is validated. */
  problems: ReadonlySet<number>;
  /** The descriptions of all contracts. */
  description: RouteDescription;
  /** The middleware that has set the operation id. */
  namedBy: object | undefined;
}

/**
 * Middleware that carries a description: created by `web.validate`, `web.describe` or `@ristretto/multer`, in any
 * copy of the framework.
 */
interface Carrier {
  '~schemas'?: Schemas;
  '~description'?: RouteDescription;
  '~status'?: number;
  /** The files that `@ristretto/multer` accepts. */
  '~files'?: readonly FileField[];
}

/** A field of a form that holds files: one, or a list if `isList`. */
export interface FileField {
  readonly name: string;
  readonly isList: boolean;
}

/** What a body parser accepts. */
export interface BodyTypes {
  /** Whether the body is an object; otherwise it is text or bytes. */
  readonly isStructured: boolean;
  readonly types: readonly string[];
}

/** A parser of this framework notes its kind, and its option `type`. */
interface Parser {
  readonly kind: Kind;
  readonly type: unknown;
}

type Kind = keyof typeof DEFAULTS;

/** What parsers accept unless they have an option `type`. */
const DEFAULTS = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
  raw: 'application/octet-stream',
};
/** The parsers of npm's body-parser and multer, by the names of their functions. */
const NAMED: Readonly<Record<string, Kind>> = {
  jsonParser: 'json',
  urlencodedParser: 'urlencoded',
  multerMiddleware: 'multipart',
  textParser: 'text',
  rawParser: 'raw',
};
/** The methods that `app.all` represents if a path has no other routes. */
const USUAL = ['get', 'post', 'put', 'patch', 'delete'];

/** The parts of a layer that matter here. */
interface Part {
  carrier: Carrier | undefined;
  bodyType: BodyTypes | undefined;
}

/** The registrations of one path. */
interface Registered {
  method: string;
  parts: readonly Part[];
  /** If a handler before the schemas may call `next('route')`, the parts that have run by then; descriptions don't count. */
  passed: readonly Part[] | undefined;
}

/**
 * Returns the routes in the order in which they were registered, without hidden ones.
 * @param entries the entries of `app.routes()`, with their layers
 */
export function operationsIn(entries: readonly Entry[], { filter }: OpenApiOptions): Route[] {
  const around: { prefixes: readonly Segments[]; part: Part }[] = [];
  const paths = new Map<string, PathOf & { all: Registered[] }>();
  for (const entry of entries) {
    const { info, layers, isText, readVariants } = entry;
    if (layers.some(layer => functionsOf(layer).some(isHidden))) continue;
    const all = layers.map(partOf);
    const parts = all.filter(({ carrier, bodyType }) => carrier ?? bodyType);
    if (info.kind === 'websocket') continue;
    if (info.kind !== 'route') {
      if (parts.length > 0) {
        const prefixes = segmentsOf(entry);
        around.push(...parts.map(part => ({ prefixes, part })));
      }
    } else if (info.method !== undefined && (filter?.({ ...info }) ?? true)) {
      const variants = segmentsOf(entry);
      const runs = (prefixes: readonly Segments[]): boolean =>
        variants.length > 0 && variants.every(variant => prefixes.some(prefix => isBelow(variant, prefix)));
      const before = around.filter(({ prefixes }) => runs(prefixes)).map(({ part }) => part);
      const at = all.findIndex(({ carrier }) => carrier?.['~schemas'] !== undefined);
      const choice = all.findLastIndex(({ carrier, bodyType }, i) => i < at && !(carrier ?? bodyType));
      const parsers = all.slice(0, Math.max(choice, 0)).filter(({ bodyType }) => bodyType);
      const registered = {
        method: info.method.toLowerCase(),
        parts: [...before, ...parts],
        passed: choice < 0 ? undefined : [...before, ...parsers],
      };
      const { path } = info;
      const key = `${isText} ${path}`;
      let known = paths.get(key);
      if (known === undefined) paths.set(key, (known = { path, isText, readVariants, all: [] }));
      known.all.push(registered);
    }
  }
  return [...paths.values()]
    .flatMap(({ all, ...place }) => routesOfPath(all).map(route => ({ ...place, ...route })))
    .filter(({ contracts }) => contracts.length > 0);
}

/** Whether a function is not part of the API that it describes, by this or another copy of the framework. */
export function isHidden(fn: object): boolean {
  return '~hidden' in fn;
}

function partOf(layer: StackLayer): Part {
  const functions = functionsOf(layer);
  const carrier = functions.find(fn => '~schemas' in fn || '~description' in fn || '~files' in fn) as
    Carrier | undefined;
  return { carrier, bodyType: bodyTypesOf(functions, layer.name) };
}

function bodyTypesOf(functions: readonly object[], name: string): BodyTypes | undefined {
  const noted = functions.find(fn => '~parser' in fn) as { '~parser': Parser } | undefined;
  const parser = noted?.['~parser'];
  const kind = parser?.kind ?? (Object.hasOwn(NAMED, name) ? NAMED[name] : undefined);
  if (kind === undefined) return undefined;
  const given = parser?.type;
  // A pattern or a function does not say which types there are
  const types = (Array.isArray(given) ? given : [])
    .map(type => typeof type === 'string' && expand(type))
    .filter(type => typeof type === 'string' && !type.includes('*')) as string[];
  return {
    isStructured: kind !== 'text' && kind !== 'raw',
    types: types.length > 0 ? types : [DEFAULTS[kind]],
  };
}

/** A path of OpenAPI, by segment; which parameters match several segments, and which only some texts. */
interface Segments {
  readonly list: readonly string[];
  readonly rest: ReadonlySet<string>;
  readonly limited: ReadonlySet<string>;
}

/** Returns the variants of a path, with and without its optional parts; none for a regular expression. */
function segmentsOf({ info, isText, readVariants }: Entry): Segments[] {
  // `*` of Express 4 includes the slash.
  const path = info.path.replace(/^\*/, '/*');
  const templates = isText ? templatesOf(path, readVariants) : [];
  if (typeof templates === 'string') return [];
  return templates.map(({ path, parameters }) => {
    const named = (those: typeof parameters): Set<string> => new Set(those.map(({ name }) => `{${name}}`));
    return {
      list: path.split('/').slice(1),
      rest: named(parameters.filter(({ isRest }) => isRest)),
      limited: named(parameters.filter(({ pattern }) => pattern !== undefined)),
    };
  });
}

/** Whether middleware of a path runs for every request of another one. */
function isBelow({ list: path }: Segments, { list, rest, limited }: Segments): boolean {
  const prefix = list.at(-1) === '' ? list.slice(0, -1) : list;
  return prefix.every((segment, i) => {
    const found = path[i];
    if (found === undefined || found === segment) return found !== undefined;
    if (rest.has(segment)) return i === prefix.length - 1;
    return PARAMETER.test(segment) && !limited.has(segment);
  });
}

/** A segment that is a parameter. */
const PARAMETER = /^\{[^{}]*\}$/;

/** If a path has routes for specific methods, those of `app.all` count as middleware for them. */
function routesOfPath(all: readonly Registered[]): Omit<Route, keyof PathOf>[] {
  const named = new Set(all.map(({ method }) => method).filter(method => method !== '*'));
  return [...(named.size > 0 ? named : USUAL)].map(method =>
    routeOf(
      method,
      all.filter(one => one.method === method || one.method === '*'),
    ),
  );
}

function routeOf(method: string, all: readonly Registered[]): Omit<Route, keyof PathOf> {
  const ways = waysThrough(all).filter(parts => !descriptionOf(carriersOf(parts)).hidden);
  const carriers = carriersOf([...new Set(ways.flat())]);
  const problems = new Set<number>();
  for (const { '~schemas': given = {}, '~status': status = 400 } of carriers) {
    if (PARTS.some(name => given[name] !== undefined)) problems.add(status);
  }
  const namedBy = carriers.findLast(carrier => carrier['~description']?.operationId !== undefined);
  return { method, contracts: ways.map(contractOf), problems, description: descriptionOf(carriers), namedBy };
}

/** Returns the parts that a request meets, for each way that it may go through the registrations. */
function waysThrough(all: readonly Registered[]): Part[][] {
  const isMiddleware = ({ method }: Registered): boolean =>
    method === '*' && all.some(other => other.method !== '*');
  const last = all.findLastIndex(one => !isMiddleware(one));
  const ways: Part[][] = [];
  const met: Part[] = [];
  for (const [i, one] of all.entries()) {
    const passed = i < last && !isMiddleware(one) ? one.passed : undefined;
    if (passed !== undefined) ways.push([...met, ...one.parts]);
    met.push(...(passed ?? one.parts));
  }
  return [...ways, met].map(parts => [...new Set(parts)]);
}

function carriersOf(parts: readonly Part[]): Carrier[] {
  return parts.flatMap(({ carrier }) => carrier ?? []);
}

function descriptionOf(carriers: readonly Carrier[]): RouteDescription {
  return carriers.reduce<RouteDescription>((outer, { '~description': inner }) => merged(outer, inner), {});
}

const PARTS = ['params', 'headers', 'cookies', 'query', 'body'] as const satisfies RequestPart[];

function contractOf(parts: readonly Part[]): Contract {
  const carriers = carriersOf(parts);
  const all = carriers.map(({ '~schemas': given = {} }) => given);
  const schemas = Object.fromEntries(
    PARTS.map(name => [name, all.flatMap(given => given[name] ?? [])]),
  ) as unknown as Contract['schemas'];
  const responses = new Map<string, ResponseSchema>();
  for (const { response } of all) {
    const byStatus: Readonly<Record<string, ResponseSchema>> = { ...response };
    for (const [code, schema] of Object.entries(byStatus)) responses.set(code, schema);
  }
  return {
    schemas,
    responses,
    description: descriptionOf(carriers),
    bodyTypes: parts.flatMap(({ bodyType }) => bodyType ?? []),
    files: carriers.flatMap(carrier => carrier['~files'] ?? []),
  };
}

/** Merges two descriptions; the one closer to the handler takes precedence. */
function merged(outer: RouteDescription, inner: RouteDescription = {}): RouteDescription {
  const responses: Record<string, ResponseDescription> = { ...outer.responses, ...inner.responses };
  const errors = [...new Set([...(outer.errors ?? []), ...(inner.errors ?? [])])];
  return { ...outer, ...inner, responses, errors };
}

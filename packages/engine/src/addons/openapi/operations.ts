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

/** A method of a path. */
export interface Route extends PathOf {
  /** The method, in lower case. */
  method: string;
  /** The schemas in the order of validation: each one sees the output of those before it. */
  schemas: Readonly<Record<RequestPart, readonly StandardSchema[]>>;
  /** The response schemas, by status. */
  responses: ReadonlyMap<string, ResponseSchema>;
  /** The statuses sent for invalid requests; empty if nothing is validated. */
  problems: ReadonlySet<number>;
  description: RouteDescription;
  /** The middleware that has set the operation id. */
  namedBy: object | undefined;
  /** What the body parsers before the route accept. */
  bodyTypes: readonly BodyTypes[];
  /** The files that forms have. */
  files: readonly FileField[];
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
    const parts = layers.map(partOf).filter(({ carrier, bodyType }) => carrier ?? bodyType);
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
      const registered = { method: info.method.toLowerCase(), parts: [...before, ...parts] };
      const { path } = info;
      const key = `${isText} ${path}`;
      let known = paths.get(key);
      if (known === undefined) paths.set(key, (known = { path, isText, readVariants, all: [] }));
      known.all.push(registered);
    }
  }
  return [...paths.values()]
    .flatMap(({ all, ...place }) => routesOfPath(all).map(route => ({ ...place, ...route })))
    .filter(({ description }) => !description.hidden);
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
  return [...(named.size > 0 ? named : USUAL)].map(method => {
    const parts = all.filter(one => one.method === method || one.method === '*').flatMap(one => one.parts);
    return routeOf(method, [...new Set(parts)]);
  });
}

function routeOf(method: string, parts: readonly Part[]): Omit<Route, keyof PathOf> {
  const carriers = parts.flatMap(({ carrier }) => carrier ?? []);
  const schemas = { params: [], headers: [], cookies: [], query: [], body: [] } as Record<
    RequestPart,
    StandardSchema[]
  >;
  const responses = new Map<string, ResponseSchema>();
  const problems = new Set<number>();
  let description: RouteDescription = {};
  let namedBy: object | undefined;
  for (const carrier of carriers) {
    const { '~schemas': given = {}, '~status': status = 400, '~description': own } = carrier;
    for (const name of Object.keys(schemas) as RequestPart[]) {
      const schema = given[name];
      if (schema === undefined) continue;
      schemas[name].push(schema);
      problems.add(status);
    }
    const byStatus: Readonly<Record<string, ResponseSchema>> = { ...given.response };
    for (const [code, schema] of Object.entries(byStatus)) responses.set(code, schema);
    description = merged(description, own);
    if (own?.operationId !== undefined) namedBy = carrier;
  }
  const bodyTypes = parts.flatMap(({ bodyType }) => bodyType ?? []);
  const files = carriers.flatMap(carrier => carrier['~files'] ?? []);
  return { method, schemas, responses, problems, description, namedBy, bodyTypes, files };
}

/** Merges two descriptions; the one closer to the handler takes precedence. */
function merged(outer: RouteDescription, inner: RouteDescription = {}): RouteDescription {
  const responses: Record<string, ResponseDescription> = { ...outer.responses, ...inner.responses };
  const errors = [...new Set([...(outer.errors ?? []), ...(inner.errors ?? [])])];
  return { ...outer, ...inner, responses, errors };
}

/**
 * Reads the parts of a request that are shown with an error, shortened and with secrets masked, and lists the layers that
 * have handled it so far, from the stacks.
 */
import { types } from 'node:util';
import type { Place } from '../place';
import type { StackLayer } from '../../router/stack-layer';
import { patternAt, walksOf } from '../../router/matched-path';
import type { MatchedRequest, WalkPosition } from '../../router/matched-path';
import { layersOf } from '../../router/mounted';
import type { PathPattern } from '../../router/path-pattern';
import { registrationOf } from '../../router/registrations';
import { PATTERN } from '../../router/symbols';
import { cut, readProperty } from './read-error';
import { isSecret, MASK, maskUrl, show } from './mask';

/** The facts about a request that are shown. */
export interface RequestFacts {
  method: string;
  url: string;
  /** The pattern that matched; empty if none did. */
  route: string;
  /** The request's data by heading, with names and values as text. */
  groups: { title: string; entries: [name: string, value: string][] }[];
  /** The layers it passed through; the last is where the error came from. */
  passed: { title: string; place: Place | undefined }[];
}

const MOST_ENTRIES = 60;

/** Reads a request. Does not throw, even if middleware has replaced members. */
export function readRequest(req: object): RequestFacts {
  const method = String(readProperty(req, 'method'));
  const url = readProperty(req, 'originalUrl') ?? readProperty(req, 'url');
  const route = readProperty(req, 'matchedPath');
  const groups = [
    // By now, `req.params` has its value from before the route again
    { title: 'Parameters', entries: entriesOf(passedParams(req)) },
    { title: 'Query', entries: entriesOf(readProperty(req, 'query')) },
    { title: 'Body', entries: bodyOf(readProperty(req, 'body')) },
    { title: 'Headers', entries: entriesOf(readProperty(req, 'headers')) },
  ];
  return {
    method,
    url: maskUrl(String(url)),
    route: typeof route === 'string' ? cut(route, 500) : '',
    groups: groups.filter(({ entries }) => entries.length > 0),
    passed: passedBy(req, method),
  };
}

/** Headers that contain URLs, such as that of the previous page. */
const URLS = /^(?:referer|referrer|origin|location|x-original-url|x-forwarded-uri)$/i;

function entriesOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  try {
    return Object.keys(value)
      .slice(0, MOST_ENTRIES)
      .map(name => [cut(name, 200), shownValue(readProperty(value, name), name)]);
  } catch {
    return [];
  }
}

function shownValue(value: unknown, name: string): string {
  if (typeof value === 'string' && URLS.test(name)) return maskUrl(value);
  return show(value, name);
}

function bodyOf(body: unknown): [string, string][] {
  if (body === undefined || body === null || types.isProxy(body)) return [];
  const isTable = typeof body === 'object' && !Array.isArray(body) && !ArrayBuffer.isView(body);
  return isTable ? entriesOf(body) : [['', maskText(show(body))]];
}

/** Masks secrets in a text body, which may be a form or JSON that was not parsed. */
function maskText(text: string): string {
  return text.replace(
    /(?<![\w-])([\w-]{1,100})("?\s{0,3}[=:]\s{0,3}"?)([^"&\s,}]+)/g,
    (pair, name: string, between: string) => (isSecret(name) ? `${name}${between}${MASK}` : pair),
  );
}

function passedBy(req: object, method: string): RequestFacts['passed'] {
  try {
    return passedLayers(req, method).map(({ name, path, isRoute, place }) => {
      if (isRoute) return { title: `${method} ${path} ${name}`, place };
      return { title: path === '/' ? name : `${name} ${path}`, place };
    });
  } catch {
    return [];
  }
}

/** A handler that a request has reached. */
interface PassedLayer {
  /** The name of the function, or the names of several in order. */
  name: string;
  /** The path as it was registered, without mount paths. */
  path: string;
  isRoute: boolean;
  /** The place of the registration, if it was recorded. */
  place: Place | undefined;
}

interface AnyRoute {
  stack: readonly StackLayer[];
}

/** The layers at the beginning of each application. */
const OWN = new Set(['query', 'expressInit']);

/** Returns the middleware and routes that a request has reached, in order; the last one is the current one. */
function passedLayers(req: MatchedRequest, method: string): PassedLayer[] {
  return walksTo(req).flatMap(walk => passedIn(walk, method));
}

/** Returns the parameters of the layers that have led a request to its current place, not decoded. */
function passedParams(req: MatchedRequest): Record<string, string | undefined> {
  const params: Record<string, string | undefined> = Object.create(null) as typeof params;
  for (const { current, path } of walksTo(req)) {
    const pattern = ownPattern(current!);
    if (pattern === undefined) continue;
    const captures: (string | undefined)[] = [];
    pattern.match(path!, captures);
    for (const [i, { name }] of pattern.keys.entries()) params[name] = captures[i];
  }
  return params;
}

/**
 * Returns the walks that have led a request to its current place, or to its failure, outermost first; each is at a
 * layer.
 */
function walksTo(req: MatchedRequest): WalkPosition[] {
  return [...walksOf(req)].reverse().filter(({ current }) => current !== undefined);
}

function passedIn(walk: WalkPosition, method: string): PassedLayer[] {
  const { router, current, path } = walk;
  const layers = layersOf(router);
  return layers
    .slice(0, layers.findIndex(layer => layer === current) + 1)
    .filter(layer => layer === current || (!OWN.has(layer.name) && hasHandled(layer, path!, method)))
    .map(layer => describeLayer(layer, walk, method));
}

/** Whether a layer before the current one was called; an error handler was not, because there was no error yet. */
function hasHandled(layer: StackLayer, path: string, method: string): boolean {
  const isCalled =
    layer.route === undefined ? layer.handle.length <= 3 : handlersOf(layer, method).length > 0;
  const pattern = ownPattern(layer);
  return isCalled && pattern !== undefined && pattern.match(path, []) >= 0;
}

/** Returns the pattern of one of our layers; undefined for one of another grammar, of Express, or of another copy. */
function ownPattern({ [PATTERN]: pattern }: StackLayer): PathPattern | undefined {
  return pattern !== undefined && 'match' in pattern ? (pattern as PathPattern) : undefined;
}

/** Returns the layers of a route that handle this method. */
function handlersOf(layer: StackLayer, method: string): readonly StackLayer[] {
  const { stack } = layer.route as AnyRoute;
  const wanted = method.toLowerCase();
  const found = stack.filter(({ method: own }) => own === undefined || own === wanted);
  return found.length === 0 && wanted === 'head' ? handlersOf(layer, 'GET') : found;
}

function describeLayer(layer: StackLayer, walk: WalkPosition, method: string): PassedLayer {
  const isRoute = layer.route !== undefined;
  const handlers = isRoute ? handlersOf(layer, method) : [layer];
  return {
    name: handlers.map(({ name }) => name).join(', '),
    path: String(patternAt(walk, layer)),
    isRoute,
    place: registrationOf(handlers[0]!),
  };
}

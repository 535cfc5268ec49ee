/** A request as it is shown beside an error: in short, and without secrets. */
import { types } from 'node:util';
import type { Place } from '../diagnose/place';
import { passedLayers, passedParams } from '../router/passed-layers';
import { cut, readProperty } from './read-error';
import { isSecret, MASK, maskUrl, show } from './mask';

/** A request as facts. */
export interface RequestFacts {
  method: string;
  url: string;
  /** The pattern that has matched; empty where none has. */
  route: string;
  /** What it holds, by headings: names and values as text. */
  groups: { title: string; entries: [name: string, value: string][] }[];
  /** What has handled it so far, the last is where the error came from. */
  passed: { title: string; place: Place | undefined }[];
}

const MOST_ENTRIES = 60;

/** Reads a request. Whatever middleware has made of its members, this does not throw. */
export function readRequest(req: object): RequestFacts {
  const method = String(readProperty(req, 'method'));
  const url = readProperty(req, 'originalUrl') ?? readProperty(req, 'url');
  const route = readProperty(req, 'matchedPath');
  const groups = [
    // by now `req.params` is what it was before the route
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

/** URLs are in headers too: of the page before, say. */
const URLS = /^(?:referer|referrer|origin|location|x-original-url|x-forwarded-uri)$/i;

function entriesOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  try {
    return Object.keys(value)
      .slice(0, MOST_ENTRIES)
      .map(name => [cut(name, 200), textOf(readProperty(value, name), name)]);
  } catch {
    return [];
  }
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && URLS.test(name)) return maskUrl(value);
  return show(value, name);
}

function bodyOf(body: unknown): [string, string][] {
  if (body === undefined || body === null || types.isProxy(body)) return [];
  const isTable = typeof body === 'object' && !Array.isArray(body) && !ArrayBuffer.isView(body);
  return isTable ? entriesOf(body) : [['', maskText(show(body))]];
}

/** A body that is text may be a form or JSON that was not parsed. */
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

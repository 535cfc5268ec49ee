/** Reads the parts of a request that are shown with an error, shortened and with secrets masked. */
import { types } from 'node:util';
import type { Place } from '../place';
import { passedLayers, passedParams } from './passed-layers';
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
    // `req.params` already has its value from before the route again
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

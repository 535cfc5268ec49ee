/** Reads recorded requests: a HAR file, as browsers and proxies write it (http://www.softwareishard.com/blog/har-12-spec/). */
import fs from 'node:fs';
import { CommandError } from './command-error';

export interface Recorded {
  method: string;
  /** With the query. */
  target: string;
  headers: Record<string, string>;
}

export interface Recording {
  requests: Recorded[];
  /** The port to which they were sent. */
  port: number;
  /** How many requests were left out, since they may change data. */
  unsafe: number;
}

/** Headers of the connection, of HTTP/2, and ones that were only valid for the recorded responses. */
const LEFT_OUT =
  /^(?::|(?:connection|content-length|cookie|if-(?:match|modified-since|none-match|range|unmodified-since)|keep-alive|te|transfer-encoding|upgrade)$)/i;

interface Entry {
  request: { method: string; url: string; headers?: { name: string; value: string }[] };
}

/**
 * Reads the requests to the host that most of them are for: a page also loads files of other hosts.
 * @throws CommandError if the file cannot be read as HAR
 */
export function readRecording(file: string): Recording {
  const recorded = entriesOf(file).map(({ request: { method, url, headers = [] } }) => ({
    method: method.toUpperCase(),
    url: new URL(url),
    headers: Object.fromEntries(
      headers
        .filter(({ name }) => !LEFT_OUT.test(name))
        .map(({ name, value }) => [name.toLowerCase(), value]),
    ),
  }));
  const counts = new Map<string, number>();
  for (const { url } of recorded) counts.set(url.host, (counts.get(url.host) ?? 0) + 1);
  const [[host] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  const own = recorded.filter(({ url }) => url.host === host);
  const { port, protocol } = own[0]?.url ?? new URL('http://localhost');
  const safe = own.filter(({ method }) => method === 'GET' || method === 'HEAD');
  return {
    requests: safe.map(({ method, url, headers }) => ({
      method,
      target: url.pathname + url.search,
      headers: { ...headers, host: url.host },
    })),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    unsafe: own.length - safe.length,
  };
}

function entriesOf(file: string): Entry[] {
  try {
    const har = JSON.parse(fs.readFileSync(file, 'utf8')) as { log?: { entries?: unknown } } | null;
    const entries = har?.log?.entries;
    if (!Array.isArray(entries) || !entries.every(isEntry))
      throw new Error('expected a list of requests with URLs in log.entries');
    return entries;
  } catch (error) {
    throw new CommandError(`${file} is not a HAR file: ${(error as Error).message}`);
  }
}

function isEntry(entry: Partial<Entry> | null): entry is Entry {
  const { method, url } = entry?.request ?? {};
  return typeof method === 'string' && typeof url === 'string' && URL.canParse(url);
}

/** Compares the members of a request with those that another framework computes for the same message. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { Request } from 'express';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { assertSame, outcomeOf } from './target.js';
import { isBalanced } from './targets/query.js';

/** A member, and the condition under which it may differ. */
type Member = [name: string, read: (req: Request) => unknown, isFree?: (req: Request) => boolean];

const LONGEST = 300;
const sent = (req: Request, name: string): string => String(req.headers[name] ?? '');
/** docs/DIFFERENCES.md: an invalid host is undefined here. */
const hasNoHost = (req: Request): boolean => req.hostname === undefined;
/** proxy-addr treats tabs as part of an address, which is one of the attacks. */
const hasTab = (req: Request): boolean => sent(req, 'x-forwarded-for').includes('\t');
/** docs/DIFFERENCES.md: a header with very many ranges is ignored. */
const hasManyRanges = (req: Request): boolean => sent(req, 'range').split(',').length > 10;

/** Returns a property of the array of ranges that JSON omits. */
const unitOf = (ranges: unknown): unknown => (ranges as { type?: string } | undefined)?.type;

/** A name, which may contain a slash or hyphens, and parameters with values. */
const ELEMENT =
  /[^\s/;,"-][^\s/;,"]*(?<!-)(?:\/[^\s/;,"]+(?<!-))?(?:[ \t]*;[ \t]*[^\s;,="]+=(?:"[^"\\]*"|[^\s;,"]+))*/
    .source;
const LIST = new RegExp(`^[ \\t]*(?:${ELEMENT})?(?:[ \\t]*,[ \\t]*(?:${ELEMENT})?)*[ \\t]*$`);
/** docs/which.md: malformed elements are ignored here, and a backslash does not escape a quote. */
const isMalformed = (name: string) => (req: Request) =>
  sent(req, name).length > LONGEST || !LIST.test(sent(req, name));

const MEMBERS: Member[] = [
  ['query', req => req.query, req => !isBalanced(req.url)],
  ['ip', req => req.ip, hasTab],
  ['ips', req => req.ips, hasTab],
  ['hostname', req => req.hostname, hasNoHost],
  ['host', req => req.host, hasNoHost],
  ['subdomains', req => req.subdomains, hasNoHost],
  ['protocol', req => [req.protocol, req.secure]],
  ['path', req => req.path],
  ['xhr', req => req.xhr],
  ['get', req => [req.get('Referrer'), req.get('content-TYPE'), req.get('x-none')]],
  ['accepts', req => [req.accepts(), req.accepts('html', 'json', 'text/plain;a=b')], isMalformed('accept')],
  [
    'acceptsCharsets',
    req => [req.acceptsCharsets(), req.acceptsCharsets('utf-8', 'a')],
    isMalformed('accept-charset'),
  ],
  [
    'acceptsEncodings',
    req => [req.acceptsEncodings(), req.acceptsEncodings('br', 'gzip', 'identity')],
    isMalformed('accept-encoding'),
  ],
  [
    'acceptsLanguages',
    req => [req.acceptsLanguages(), req.acceptsLanguages('en', 'de-AT')],
    isMalformed('accept-language'),
  ],
  ['is', req => [req.is('json'), req.is(['text/*', 'urlencoded', '+xml', 'multipart'])]],
  [
    'range',
    req => [req.range(100), unitOf(req.range(100)), req.range(100, { combine: true })],
    hasManyRanges,
  ],
];

/**
 * Returns a function that asserts that the members of a request are the same on the oracle.
 *
 * @param oracle the framework to compare with
 * @param settings the settings of its application
 */
export function sameRequest(oracle: Web, settings: Record<string, unknown>): (req: Request) => void {
  const app = oracle();
  for (const [name, value] of Object.entries(settings)) app.set(name, value);
  const { request } = app as unknown as { request: object };
  // `req.query` is a getter in 5 and set by middleware in 4, where `req.host` is deprecated.
  const is5 = 'query' in request;
  const members = is5 ? MEMBERS : MEMBERS.filter(([name]) => name !== 'host');
  return req => {
    const { headers, method, url, originalUrl, socket } = req;
    const message = Object.assign(new http.IncomingMessage(socket), { headers, method, url, originalUrl });
    const theirs = Object.setPrototypeOf(message, request) as Request;
    if (!is5) oracle.query(app.get('query parser fn'))(theirs, {} as never, () => undefined);
    for (const [name, read, isFree] of members) {
      const ours = outcomeOf(() => read(req));
      if (isFree?.(req)) assert.ok('value' in ours, name);
      else assertSame({ [name]: ours }, { [name]: outcomeOf(() => read(theirs)) });
    }
  };
}

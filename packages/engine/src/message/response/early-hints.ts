/** `res.earlyHints`: hints which resources the client may load while the response is being prepared (RFC 8297). */
import { inspect } from 'node:util';
import encodeUrl = require('encodeurl');
import type { EarlyLink, EarlyLinks } from '../../types/response-additions';
import type { Response } from '../../types/internals';
import { mistakesOf } from './mistakes';

/** A link in the syntax of the header (RFC 8288, section 3), without characters that headers cannot contain. */
const LINK = /^<[^>]*>(?:[ \t]*;[ \t]*[^;,="\s]+(?:=(?:[^;,"\s]*|"(?:[^"\\]|\\.)*"))?)*$/;
const NOT_IN_HEADERS = /[^\t\x20-\x7e\x80-\xff]/;
/** The links that Node's `writeEarlyHints` accepts: without spaces, semicolons and quotes in values. */
const PLAIN_LINK = /^<[^>]*>(?:\s*;\s*[^;="\s]+(?:=(?:"[^;"\s]*"|[^;"\s]*))?)*$/;
/** The name of a parameter (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Newer versions of Node can also send other links. */
interface InformingResponse extends Response {
  writeInformation?(status: number, headers: Record<string, string>): unknown;
}

/**
 * Sends an informational response 103 with links. Does nothing if the client could not read it or it is too late: for
 * HTTP/1.0, for `app.fetch`, behind an unfinished response of a pipelined request, and after the headers have been sent.
 * A link that cannot be sent is left out, with a warning in development: one that is malformed or contains a line break,
 * and, in versions of Node without `res.writeInformation`, one with a space, a semicolon or a quote in a parameter.
 */
export function earlyHints(this: InformingResponse, links: EarlyLinks): Response {
  const all = linksOf(links);
  const { httpVersion } = this.req;
  if (httpVersion === '1.0' || httpVersion === '0.9' || this.headersSent) return this;
  // Behind an unfinished response, Node would send the hints after the head of this one, as a part of its body
  if (this.socket === null) return this;
  const canInform = typeof this.writeInformation === 'function';
  const link = all.filter(one => {
    const obstacle = obstacleOf(one, canInform);
    if (obstacle !== undefined) mistakesOf(this)?.warnOfHint(one, obstacle);
    return obstacle === undefined;
  });
  if (link.length === 0) return this;
  if (link.every(one => PLAIN_LINK.test(one))) this.writeEarlyHints({ link });
  else this.writeInformation!(103, { Link: link.join(', ') });
  return this;
}

/** Explains why a link cannot be sent. */
function obstacleOf(link: string, canInform: boolean): string | undefined {
  if (NOT_IN_HEADERS.test(link)) return 'it contains a character that headers cannot contain';
  if (!LINK.test(link)) return 'it is not of the form \'</app.css>; rel=preload; as="style"\'';
  if (canInform || PLAIN_LINK.test(link)) return undefined;
  return `Node.js ${process.version} does not send spaces, semicolons and quotes in parameters of early hints`;
}

function linksOf(links: unknown): string[] {
  if (typeof links === 'string') return [links];
  if (Array.isArray(links) && links.every(link => typeof link === 'string')) return links;
  if (typeof links !== 'object' || links === null || Array.isArray(links)) throw misfit(links);
  return Object.entries(links).flatMap(([relation, targets]) =>
    [targets as EarlyLink | EarlyLink[]].flat().map(target => linkOf(relation, target)),
  );
}

function linkOf(relation: string, target: EarlyLink): string {
  const { href, ...parameters } = typeof target === 'string' ? { href: target } : (target ?? {});
  if (typeof href !== 'string') throw misfit({ [relation]: target });
  let link = `<${encodeUrl(href)}>; rel=${quoted(relation)}`;
  for (const [name, value] of Object.entries(parameters)) {
    if (!TOKEN.test(name)) throw misfit({ [relation]: target });
    if (value === true) link += `; ${name}`;
    else if (typeof value === 'string') link += `; ${name}=${quoted(value)}`;
  }
  return link;
}

/** Formats a quoted string (RFC 9110, section 5.6.4). */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function misfit(links: unknown): TypeError {
  return new TypeError(
    "res.earlyHints: expected { preload: { href: '/app.css', as: 'style' } }, { preconnect: url }, or a string or list " +
      `of strings such as '</app.css>; rel=preload; as=style', got ${inspect(links, { depth: 1 })}`,
  );
}

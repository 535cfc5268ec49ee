/** `res.earlyHints`: tells the client what to load while the response is being prepared (RFC 8297). */
import { validateHeaderValue } from 'node:http';
import { inspect } from 'node:util';
import encodeUrl = require('encodeurl');
import type { EarlyLink, EarlyLinks } from '../types/early-hints';
import type { Response } from '../types/internals';
import { linkTo } from './links';

/**
 * Sends an informational response 103 with links. Does nothing if the client could not read it or it is too late: for
 * HTTP/1.0, for `app.fetch`, and after the headers have been sent.
 *
 * @param links URLs by relation, with parameters as an object with `href`; or links in the syntax of the `Link` header
 * @returns the response, for chaining
 * @throws TypeError for anything else
 * @example res.earlyHints({ preload: { href: '/app.css', as: 'style' }, preconnect: 'https://cdn.example' });
 */
export function earlyHints(this: Response, links: EarlyLinks): Response {
  const link = linksOf(links);
  const { httpVersion } = this.req;
  const isReadable = httpVersion !== '1.0' && httpVersion !== '0.9';
  // Older versions of Node accept line breaks.
  for (const one of link) validateHeaderValue('Link', one);
  if (link.length > 0 && isReadable && !this.headersSent) this.writeEarlyHints({ link });
  return this;
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
  if (typeof target === 'string') return linkTo(encodeUrl(target), relation);
  if (typeof target !== 'object' || target === null || typeof target.href !== 'string') {
    throw misfit({ [relation]: target });
  }
  const { href, ...parameters } = target;
  let link = linkTo(encodeUrl(href), relation);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === true) link += `; ${name}`;
    else if (typeof value === 'string') link += `; ${name}="${value}"`;
  }
  return link;
}

function misfit(links: unknown): TypeError {
  return new TypeError(
    "res.earlyHints: expected { preload: { href: '/app.css', as: 'style' } }, { preconnect: url }, or a string or list " +
      `of strings such as '</app.css>; rel=preload; as=style', got ${inspect(links, { depth: 1 })}`,
  );
}

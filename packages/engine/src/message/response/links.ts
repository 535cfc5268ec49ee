/** `res.links`: the Link header (RFC 8288). */
import type { Response } from '../../types/core';

/**
 * Adds links to the `Link` header.
 *
 * @param links maps each relation's name to its URL
 * @returns the response, for chaining
 * @example res.links({ next: '/users?page=2' }); // Link: </users?page=2>; rel="next"
 */
export function links(this: Response, links: Record<string, string>): Response {
  const previous = this.get('Link');
  const added = Object.keys(links).map(relation => linkTo(links[relation]!, relation));
  return this.set('Link', (previous ? previous + ', ' : '') + added.join(', '));
}

/** Formats a link for the header. */
function linkTo(url: string, relation: string): string {
  return `<${url}>; rel="${relation}"`;
}

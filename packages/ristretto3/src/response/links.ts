/** `res.links`: the Link header field in the form that 3.x documents. */
import type { Response } from '../types/core';

/**
 * Adds links to the `Link` header field, as `<url> rel="name"`: without the semicolon that 4.x has.
 *
 * @param links maps each relation's name to its URL
 * @example res.links({ next: '/users?page=2' }); // Link: </users?page=2> rel="next"
 */
export function links(this: Response, links: Record<string, string>): Response {
  const previous = this.get('Link');
  const added = Object.keys(links).map(relation => `<${links[relation]!}> rel="${relation}"`);
  return this.set('Link', (previous ? previous + ', ' : '') + added.join(', '));
}

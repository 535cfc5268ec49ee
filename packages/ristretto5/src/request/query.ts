/** `req.query`: the query of the URL, parsed when it is read. */
import { queryOf } from 'ristretto/lib/protocol/url';
import type { Request } from '../types/core';

/**
 * The parsed query: a new object at each read, so what is written into one is lost. Who needs it twice keeps it.
 * @throws what a parser of the application's own throws
 * @example const { page } = req.query; // '2' for ?page=2
 */
export function query(this: Request): object {
  const parse = this.app.get('query parser fn') as ((text: string | null) => object) | undefined;
  return parse ? parse(queryOf(this.url)) : (Object.create(null) as object);
}

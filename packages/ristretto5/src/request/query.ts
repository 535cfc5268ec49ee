/** `req.query`: the parsed query of the URL. */
import { queryOf } from '@ristretto/private-engine/lib/protocol';
import type { Request } from '@ristretto/private-engine/lib/types/internals';

/**
 * Returns the parsed query, a new object on each read: changes to it are lost, so keep it in a variable if you need it
 * twice.
 * @throws errors of the application's own parser
 * @example const { page } = req.query; // '2' for ?page=2
 */
export function query(this: Request): object {
  const parse = this.app.get('query parser fn') as ((text: string | null) => object) | undefined;
  return parse ? parse(queryOf(this.url)) : (Object.create(null) as object);
}

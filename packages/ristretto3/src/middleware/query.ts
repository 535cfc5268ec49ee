/** `web.query()`: parses the query string into `req.query`, with the parser of 4.x and the limits of 3.x. */
import { queryWith } from '@ristretto/private-engine/lib/application';

/** Express 3 limits the indexes of arrays, to 20, but not their length: only the number of parameters. */
export = queryWith({ arrayLimit: 1000, indexLimit: 21 });

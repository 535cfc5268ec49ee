/** `web.query()`: parses the query string into `req.query`, with the parser of 4.x. */
import { query } from '@ristretto/private-engine/lib/application';

export = query;

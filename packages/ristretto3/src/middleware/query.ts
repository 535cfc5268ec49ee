/** `web.query()`: parses the query string into `req.query`, with the parser of 4.x. */
import query = require('ristretto/lib/middleware/query');

export = query;

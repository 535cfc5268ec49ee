/** `web.query()`: the query string as `req.query`, by the parser of the 4.x interface. */
import query = require('ristretto/lib/middleware/query');

export = query;

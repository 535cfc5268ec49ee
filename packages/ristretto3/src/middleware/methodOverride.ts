/** `web.methodOverride()`: forms know no methods but GET and POST, and name the one that is meant in a field. */
import { METHODS } from 'node:http';
import { appendVary } from 'ristretto/lib/protocol/vary';
import { deprecated } from '../deprecate';
import type { Handler, Request } from './connect';

const methods = new Set(METHODS);

/** A request that may have been renamed. */
interface OverriddenRequest extends Request {
  /** The method as the client sent it. */
  originalMethod?: string | undefined;
}

/**
 * Middleware that changes `req.method` of a POST to the one that the header `X-HTTP-Method-Override`
 * names, or else the body's field `key`; names that Node doesn't know count for nothing. What was sent stays in
 * `req.originalMethod`. It stands behind the body parsers.
 *
 * Deprecated: use the npm package method-override.
 *
 * @param key the field of the body, `'_method'` by default
 * @example
 * app.use(web.methodOverride());
 * app.delete('/users/7', (req, res) => res.send('removed'));
 * // POST /users/7 (X-HTTP-Method-Override: DELETE) -> 200 removed
 */
function methodOverride(key = '_method'): Handler {
  return function methodOverride(req: OverriddenRequest, res, next) {
    req.originalMethod ??= req.method;
    const named = takeFrom(req.body, key);
    res.setHeader('Vary', appendVary(String(res.getHeader('Vary') ?? ''), 'X-HTTP-Method-Override'));
    // A link or an image must not become a DELETE: of the methods of pages only POST is meant to change something.
    if (req.method === 'POST') {
      req.method = known(req.headers['x-http-method-override']) ?? known(named) ?? req.method;
    }
    next();
  };
}

function takeFrom(body: unknown, key: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return undefined;
  const fields = body as Record<string, unknown>;
  const value = fields[key];
  delete fields[key];
  return value;
}

/** The method of a name in any case; of several names the first one counts. */
function known(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const comma = name.indexOf(',');
  const method = (comma < 0 ? name : name.slice(0, comma)).trim().toUpperCase();
  return methods.has(method) ? method : undefined;
}

export = deprecated('methodOverride: use method-override npm module instead', methodOverride);

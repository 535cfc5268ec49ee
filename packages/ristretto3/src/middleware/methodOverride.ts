/** `web.methodOverride()`: lets forms, which can only send GET and POST, name another method in a field. */
import { METHODS } from 'node:http';
import { appendVary } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Request } from './connect';

const methods = new Set(METHODS);

/** A request whose method may have been overridden. */
interface OverriddenRequest extends Request {
  /** The method as the client sent it. */
  originalMethod?: string | undefined;
}

/**
 * Create middleware that sets `req.method` of a POST to the method in the header `X-HTTP-Method-Override`, or else in
 * the body's field `key`; methods that Node.js does not support are ignored. The method as sent stays in
 * `req.originalMethod`. Mount it after the body parsers.
 *
 * Deprecated: use the npm package method-override.
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
    // A link or an image must not trigger a DELETE. Of the methods that pages send, only POST is unsafe.
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

/** Returns the method of a name in any case; of several names the first one counts. */
function known(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const comma = name.indexOf(',');
  const method = (comma < 0 ? name : name.slice(0, comma)).trim().toUpperCase();
  return methods.has(method) ? method : undefined;
}

export = methodOverride;

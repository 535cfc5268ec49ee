/** `web.csrf()`: protection against cross-site request forgery. */
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Request } from './connect';

/** A request with a session. */
interface ProtectedRequest extends Request {
  /** The method as sent, set by `methodOverride()`. */
  originalMethod?: string | undefined;
  /** Returns a token for a form of this session; each call returns a different one. */
  csrfToken?: () => string;
}
type Session = Record<string, unknown>;

interface Tokens {
  secretSync(): string;
  create(secret: string): string;
  verify(secret: string, token: string): boolean;
}

const Tokens = require('csrf') as new () => Tokens;

/**
 * Create middleware that sets `req.csrfToken()`, and passes an error with status 403 and `code` `'EBADCSRFTOKEN'` to
 * the error handlers for requests that have an unsafe method but no valid token. The secret for the tokens is kept in
 * the session, so `session()` or `cookieSession()` must be mounted before it, and so must the parser of the token.
 * @param options `value(req)` returns the token, by default from the field `_csrf` of the body or the query, or from
 * the header `X-CSRF-Token` (or `CSRF-Token`, `X-XSRF-Token`, `XSRF-Token`); `ignoreMethods` are the methods that need
 * none, by default GET, HEAD and OPTIONS; `sessionKey` is the name of the session in the request
 * @throws TypeError for `cookie`: a secret in its own cookie would not belong to a session
 * @example
 * app.use(web.cookieParser('keyboard cat')).use(web.session()).use(web.csrf());
 * app.get('/form', (req, res) => res.render('form', { token: req.csrfToken() }));
 * // POST / -> 403
 */
function csrf(options: csrf.Options = {}): Handler {
  if ('cookie' in options && options.cookie) {
    throw new TypeError('csrf() keeps its secret in the session, so there is no option cookie');
  }
  const { value = tokenOf, ignoreMethods = ['GET', 'HEAD', 'OPTIONS'], sessionKey = 'session' } = options;
  const ignored = new Set(ignoreMethods.map(method => method.toUpperCase()));
  const tokens = new Tokens();

  return function csrf(req: ProtectedRequest, _res, next) {
    const session = (): Session | undefined => Reflect.get(req, sessionKey) as Session | undefined;
    if (!session()) {
      next(httpError(500, 'misconfigured csrf: register session() before csrf()'));
      return;
    }
    // Reads the session on each call: a login may have started another one.
    req.csrfToken = () => tokens.create(secretOf(session()!, tokens));
    // A form whose method is overridden to GET is still a POST.
    const isSafe = ignored.has(req.method!) && ignored.has(req.originalMethod ?? req.method!);
    if (isSafe || isRight(tokens, secretOf(session()!, tokens), value(req))) next();
    else next(httpError(403, 'invalid csrf token', { code: 'EBADCSRFTOKEN' }));
  };
}

function secretOf(session: Session, tokens: Tokens): string {
  const { csrfSecret } = session;
  if (typeof csrfSecret === 'string') return csrfSecret;
  return (session.csrfSecret = tokens.secretSync());
}

function isRight(tokens: Tokens, secret: string, token: unknown): boolean {
  return typeof token === 'string' && tokens.verify(secret, token);
}

const FIELDS = ['csrf-token', 'xsrf-token', 'x-csrf-token', 'x-xsrf-token'];

function tokenOf({ body, query, headers }: Request): unknown {
  const named = memberOf(body) || memberOf(query);
  return named || headers[FIELDS.find(name => headers[name]) ?? FIELDS[0]!];
}

function memberOf(fields: unknown): unknown {
  return (fields as { _csrf?: unknown } | null | undefined)?._csrf;
}

declare namespace csrf {
  interface Options {
    /**
     * Returns the token of a request. @default the field `_csrf` of the body or the query, or the header `X-CSRF-Token`
     */
    value?: ((req: Request) => unknown) | undefined;
    /** Methods that need no token. @default GET, HEAD and OPTIONS */
    ignoreMethods?: string[] | undefined;
    /** The name of the session in the request. @default 'session' */
    sessionKey?: string | undefined;
    /** Not supported: the secret is kept in the session. @default none */
    cookie?: undefined;
  }
}

export = csrf;

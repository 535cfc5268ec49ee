/** `web.csrf()`: only pages of the application itself may send requests that change something. */
import { httpError } from 'ristretto/lib/protocol/errors';
import type { Handler, Request } from './connect';

/** A request with a session. */
interface ProtectedRequest extends Request {
  /** Where `methodOverride()` keeps the method that was sent. */
  originalMethod?: string | undefined;
  /** A token for a form of this session; each is another one. */
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
 * Middleware that gives the request `csrfToken()`, and answers 403 (`code` `'EBADCSRFTOKEN'`) to requests that change
 * something without such a token. The secret behind the tokens is kept in the session, so `session()` or
 * `cookieSession()` stands in front, and so does what parses the place where the token is.
 *
 * @param options `value(req)` finds the token, by default in the field `_csrf` of the body or the query, or in the
 *   header `X-CSRF-Token` (or `CSRF-Token`, `X-XSRF-Token`, `XSRF-Token`); `ignoreMethods` need none, by default
 *   GET, HEAD and OPTIONS; `sessionKey` is the name of the session in the request
 * @throws TypeError for `cookie`: a secret in a cookie of its own belongs to no session
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
    const session = (): Session | undefined =>
      (req as unknown as Record<string, Session | undefined>)[sessionKey];
    if (!session()) {
      next(httpError(500, 'misconfigured csrf: register session() before csrf()'));
      return;
    }
    // Asked anew each time: a login may have begun another session.
    req.csrfToken = () => tokens.create(secretOf(session()!, tokens));
    // A form that says it means GET is a POST all the same.
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
    /** Finds the token of a request. @default the field `_csrf` of the body or the query, or the header `X-CSRF-Token` */
    value?: ((req: Request) => unknown) | undefined;
    /** Methods that need no token. @default GET, HEAD and OPTIONS */
    ignoreMethods?: string[] | undefined;
    /** The name of the session in the request. @default 'session' */
    sessionKey?: string | undefined;
    /** There is none: the secret is kept in the session. @default none */
    cookie?: undefined;
  }
}

export = csrf;

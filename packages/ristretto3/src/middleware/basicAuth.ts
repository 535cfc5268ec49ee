/** `web.basicAuth()`: HTTP Basic authentication (RFC 7617). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type * as http from 'node:http';
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Next, Request } from './connect';

/* eslint-disable @typescript-eslint/no-explicit-any -- a user is whatever the application takes for one */

/** A request with the authenticated user. */
interface AuthenticatedRequest extends Request {
  user?: any;
  remoteUser?: any;
}

/**
 * Returns whether the credentials are right, or a promise of that; or, with three parameters, passes the user to
 * `done`.
 */
type Check = (user: string, password: string, done: (error?: any, user?: any) => void) => unknown;

interface Credentials {
  user: string;
  password: string;
}

const DEFAULT_REALM = 'Authorization Required';

/**
 * Create middleware that authenticates requests with a fixed name and password, or with a function, and responds to all
 * others with 401, or with 400 if the header is malformed. `req.user` and `req.remoteUser` are set to the name, or to
 * the value that an asynchronous function passed to `done`. A request that already has a `user` is passed on.
 *
 * Deprecated: use the npm package basic-auth.
 * @param check the name; or `(user, password) => boolean`; or `(user, password, done)`, which calls `done(err, user)`
 * @param password the password, if a name is given
 * @param realm the realm that browsers show in their prompt, `'Authorization Required'` by default
 * @throws TypeError for other arguments
 * @example
 * app.use(web.basicAuth((user, password) => user === 'ada' && password === 'secret'));
 * app.get('/', (req, res) => res.send(req.user));
 * // GET / (Authorization: Basic YWRhOnNlY3JldA==) -> 200 ada
 * // GET / -> 401 (WWW-Authenticate: Basic realm="Authorization Required")
 */
function basicAuth(user: string, password: string, realm?: string): Handler;
function basicAuth(check: Check, realm?: string): Handler;
function basicAuth(check: string | Check, second?: string, third?: string): Handler {
  const isFunction = typeof check === 'function';
  if (!isFunction && (typeof check !== 'string' || typeof second !== 'string')) {
    throw new TypeError(
      `basicAuth(): expected a user and a password, or a function, got ${typeof check} and ${typeof second}`,
    );
  }
  const challenge = `Basic realm="${((isFunction ? second : third) ?? DEFAULT_REALM).replace(/["\\]/g, '\\$&')}"`;
  const verify = verifier(isFunction ? check : fixed(check, second!));

  return function basicAuth(req: AuthenticatedRequest, res, next) {
    const { authorization } = req.headers;
    if (req.user) {
      next();
    } else if (!authorization) {
      refuse(res, challenge);
    } else {
      const credentials = parse(authorization);
      if (credentials === undefined) next(httpError(400));
      else verify(credentials, settle(req, res, next, challenge));
    }
  };
}

/** Returns a callback that lets the request through or sends 401; only its first call counts. */
function settle(req: AuthenticatedRequest, res: http.ServerResponse, next: Next, challenge: string) {
  let settled = false;
  return (isRight: unknown, user: unknown): void => {
    if (settled) return;
    settled = true;
    if (!isRight) {
      refuse(res, challenge);
      return;
    }
    req.user = req.remoteUser = user;
    next();
  };
}

function refuse(res: http.ServerResponse, challenge: string): void {
  res.statusCode = 401;
  res.setHeader('WWW-Authenticate', challenge);
  res.end('Unauthorized');
}

type Verify = (credentials: Credentials, done: (isRight: unknown, user: unknown) => void) => void;

/** Wraps each kind of check in one interface. */
function verifier(check: Check): Verify {
  return ({ user, password }, done) => {
    const result = check(user, password, (error, found) => done(!error && found, found));
    if (check.length >= 3) return;
    // A promise is always truthy: used as the result, it would let everyone in.
    if (isPromise(result)) {
      const settled = (isRight: unknown): void => done(isRight, user);
      void result.then(settled, () => settled(false));
    } else done(result, user);
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Compares in constant time, so that the duration does not reveal how much was right (CVE-2016-1000236). */
function fixed(user: string, password: string): Check {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const rightUser = digest(user);
  const rightPassword = digest(password);
  return (givenUser, givenPassword) => {
    const isUser = timingSafeEqual(digest(givenUser), rightUser);
    const isPassword = timingSafeEqual(digest(givenPassword), rightPassword);
    return isUser && isPassword;
  };
}

/** Returns the name and the password in a header value; `undefined` if its scheme is not Basic or it is malformed. */
function parse(field: string): Credentials | undefined {
  const [scheme, encoded, ...more] = field.split(' ', 3);
  if (scheme!.toLowerCase() !== 'basic' || encoded === undefined || more.length > 0) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

export = basicAuth;

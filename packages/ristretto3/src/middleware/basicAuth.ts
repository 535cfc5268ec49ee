/** `web.basicAuth()`: HTTP Basic authentication (RFC 7617). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type * as http from 'node:http';
import { httpError } from 'ristretto/lib/protocol/errors';
import { deprecated } from '../deprecate';
import type { Handler, Next, Request } from './connect';

/* eslint-disable @typescript-eslint/no-explicit-any -- a user is whatever the application takes for one */

/** A request with who was let in. */
interface AuthenticatedRequest extends Request {
  user?: any;
  remoteUser?: any;
}

/**
 * Says whether the credentials are right, where a promise is waited for; or, with three parameters, passes on the user
 * that they belong to.
 */
type Check = (user: string, password: string, done: (error?: any, user?: any) => void) => unknown;

interface Credentials {
  user: string;
  password: string;
}

const DEFAULT_REALM = 'Authorization Required';

/**
 * Middleware that lets in who knows a fixed name and password, or whom a function lets in, and answers 401 to
 * everyone else. `req.user` and `req.remoteUser` are the name, or what the asynchronous function passed on. It leaves
 * requests alone that have a `user` already.
 *
 * Deprecated: use the npm package basic-auth.
 *
 * @param check the name; or `(user, password) => boolean`; or `(user, password, done)`, which calls `done(err, user)`
 * @param password the password, where a name is given
 * @param realm what browsers show when they ask, `'Authorization Required'` by default
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

/** What happens once it is known who the client is, for the first time that it is said. */
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

/** All kinds of functions, made one. */
function verifier(check: Check): Verify {
  return ({ user, password }, done) => {
    const result = check(user, password, (error, found) => done(!error && found, found));
    if (check.length >= 3) return;
    // A promise is true whatever it stands for: taken at its word it would let everyone in.
    if (isPromise(result)) {
      const settled = (isRight: unknown): void => done(isRight, user);
      void result.then(settled, () => settled(false));
    } else done(result, user);
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Compares in a time that tells nothing of how much was right (CVE-2016-1000236). */
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

/** The name and the password of the field; undefined where it is of another scheme, or malformed. */
function parse(field: string): Credentials | undefined {
  const [scheme, encoded, ...more] = field.split(' ', 3);
  if (scheme!.toLowerCase() !== 'basic' || encoded === undefined || more.length > 0) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

export = deprecated('basicAuth: use basic-auth npm module instead', basicAuth);

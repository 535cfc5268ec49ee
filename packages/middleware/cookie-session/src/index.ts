/** Sessions whose data is stored in a signed cookie, which the client can read. */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- global types, which an import would not keep in the declarations
/// <reference path="../global.d.ts" preserve="true" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type express = require('express');
import { addResponseHook } from '@ristretto/response-hooks';
import type { ResponseHook } from '@ristretto/response-hooks';
import type { Secret } from '@ristretto/signed-cookies';
import { keysOf, SignedCookie, wrongOption } from './cookies';
import type { CookieOptions, Keys } from './cookies';

interface SessionRequest extends IncomingMessage {
  session?: unknown;
  sessionOptions?: CookieOptions;
  [STATE]?: State;
}

const STATE: unique symbol = Symbol('session');

/** Prints in the same way as cookie-session, which uses another version of the package. */
const debug = process.env.DEBUG
  ? (require('debug') as (namespace: string) => (format: string, ...values: unknown[]) => void)(
      'cookie-session',
    )
  : undefined;

/** Whether a session is new, and the text it had in the cookie. */
class SessionContext {
  _new = true;
  _val: string | undefined = undefined;
}

class Session {
  declare readonly _ctx: SessionContext;

  constructor(context: SessionContext, data?: unknown) {
    Object.defineProperty(this, '_ctx', { value: context });
    const from = data as Record<string, unknown>;
    const to = this as unknown as Record<string, unknown>;
    // `__proto__` is `in` every object, so the data of a cookie can't set the prototype.
    for (const name in from) if (!(name in this)) to[name] = from[name];
  }

  static create(data?: unknown): Session {
    return new Session(new SessionContext(), data);
  }

  /** @throws SyntaxError for a text that is not JSON in base64 */
  static deserialize(text: string): Session {
    const context = new SessionContext();
    const data: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    context._new = false;
    context._val = text;
    return new Session(context, data);
  }

  static serialize(session: object): string {
    return Buffer.from(JSON.stringify(session)).toString('base64');
  }

  /** Whether the session has been changed during the request. */
  get isChanged(): boolean {
    return this._ctx._new || this._ctx._val !== Session.serialize(this);
  }

  /** Whether the client has sent no session. */
  get isNew(): boolean {
    return this._ctx._new;
  }

  /** Whether the session contains data. */
  get isPopulated(): boolean {
    return Object.keys(this).length > 0;
  }
}

type Done = (error?: unknown) => void;

/** Calls back as the methods of express-session do: later, or by a promise. The cookie is set with the response. */
function finish(done?: Done): Promise<void> | undefined {
  if (done === undefined) return Promise.resolve();
  process.nextTick(done);
  return undefined;
}

/** The session of one request. */
class State implements ResponseHook {
  /** Undefined until it is read; false if it has been removed. */
  private session: Session | false | undefined = undefined;

  constructor(
    private readonly cookie: SignedCookie,
    private readonly keys: Keys | undefined,
    private readonly req: SessionRequest,
    private readonly res: ServerResponse,
    /** The options as they were before a program replaced `req.sessionOptions`. */
    private readonly options: CookieOptions & { regenerate?: unknown },
  ) {}

  get(): Session | null {
    if (this.session === undefined) this.use(this.sent() ?? this.create());
    return this.session === false ? null : this.session!;
  }

  private use(session: Session): void {
    this.session = session;
    if (this.options.regenerate !== true) return;
    // On the object, not in the class: without the option, a session may hold data of these names
    Object.defineProperties(session, {
      regenerate: { value: (done?: Done) => this.regenerate(done), configurable: true, writable: true },
      save: { value: finish, configurable: true, writable: true },
    });
  }

  /** Replaces the session by an empty one, which the client gets even if it stays empty: it must lose the old one. */
  private regenerate(done?: Done): Promise<void> | undefined {
    const session = Session.create();
    session._ctx._new = false;
    this.use(session);
    return finish(done);
  }

  private create(): Session {
    debug?.('new session');
    return Session.create();
  }

  private sent(): Session | undefined {
    const { cookie, keys, req, res } = this;
    const text = cookie.get(req, res, keys, req.sessionOptions ?? this.options);
    if (!text) return undefined;
    debug?.('parse %s', text);
    try {
      return Session.deserialize(text);
    } catch {
      return undefined;
    }
  }

  set(value: unknown): void {
    if (value == null) this.session = false;
    else if (typeof value === 'object') this.use(Session.create(value));
    else throw new Error('req.session can only be set as null or an object.');
  }

  /** Sets the cookie if the session has changed. */
  head(res: ServerResponse): void {
    const { cookie, keys, req, session } = this;
    if (session === undefined) return;
    const options = req.sessionOptions ?? this.options;
    try {
      if (session === false) {
        debug?.('remove %s', cookie.name);
        cookie.set(req, res, keys, '', options);
      } else if ((!session.isNew || session.isPopulated) && session.isChanged) {
        debug?.('save %s', cookie.name);
        cookie.set(req, res, keys, Session.serialize(session), options);
      }
    } catch (error) {
      debug?.('error saving session %s', (error as Error).message);
    }
  }
}

/** The property `req.session`; one for all requests, because objects with the same accessors share their shape. */
const accessor: PropertyDescriptor & ThisType<SessionRequest> = {
  configurable: true,
  enumerable: true,
  get() {
    return this[STATE]!.get();
  },
  set(value: unknown) {
    this[STATE]!.set(value);
  },
};

/**
 * Create middleware that keeps the session of each client, `req.session`, in a signed cookie.
 * @param options `keys` (the secrets to sign with, or a Keygrip) or `secret`, `name` (`'session'`), and attributes of the
 * cookie: `maxAge`, `expires`, `path`, `domain`, `secure`, `httpOnly`, `sameSite`, `priority`, `partitioned`, `signed`,
 * `overwrite`; `regenerate` for Passport
 * @throws Error without keys, unless `signed` is false; TypeError for options with which no session could be saved
 * @example
 * app.use(cookieSession({ keys: ['keyboard cat'], maxAge: 86400000 }));
 * app.get('/', (req, res) => res.send(String((req.session.views = (req.session.views ?? 0) + 1))));
 */
function cookieSession(options?: CookieSessionInterfaces.CookieSessionOptions): express.RequestHandler {
  const settings = (options ?? {}) as GivenOptions;
  const { name, secret } = settings;
  const given = settings.keys ?? (secret ? [secret] : undefined);
  settings.overwrite ??= true;
  settings.httpOnly ??= true;
  settings.signed ??= true;
  if (!given && settings.signed) throw new Error('.keys required.');
  debug?.('session options %j', settings);
  const cookie = new SignedCookie(name || 'session');
  const keys = Array.isArray(given) ? keysOf(given as Secret[]) : (given as Keys | undefined);
  if (settings.signed && typeof keys?.sign !== 'function')
    throw new TypeError(`Expected keys to be an array of secrets, or a Keygrip, got ${inspect(given)}`);
  const wrong = wrongOption(settings);
  if (wrong !== undefined) throw new TypeError(`option ${wrong} is invalid: ${inspect(settings[wrong])}`);

  function _cookieSession(req: SessionRequest, res: ServerResponse, next: () => void): void {
    if (Array.isArray(given) && given.length === 0) throw new Error('Keys must be provided.');
    const own = Object.create(settings) as CookieOptions;
    const state = new State(cookie, keys, req, res, own);
    req.sessionOptions = own;
    req[STATE] = state;
    Object.defineProperty(req, 'session', accessor);
    // Without a response, as for WebSockets, the session can be read.
    if (typeof res?.writeHead === 'function' && typeof res.end === 'function' && !res.headersSent) {
      addResponseHook(res, state);
    }
    next();
  }
  return _cookieSession;
}

interface GivenOptions extends CookieOptions {
  keys?: unknown;
  secret?: Secret;
  regenerate?: unknown;
}

export = cookieSession;

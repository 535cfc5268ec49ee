/**
 * The session of one request: whether the application has seen it, its content at that time, and what must be stored
 * and sent when the response ends.
 *
 * `req.session` is an accessor. Until the application reads it, the session can't have changed, and neither the data
 * before nor the data after the request is turned into text for comparison.
 */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { ServerResponse } from 'node:http';
import type { Output, ResponseHook } from '@ristretto/response-hooks';
import { unsign } from '@ristretto/signed-cookies';
import type { Keyed } from '@ristretto/signed-cookies';
import { serialize } from './cookie';
import { debug } from './debug';
import { Session } from './session';
import { RECORD, timedOut } from './session-request';
import type {
  Callback,
  RequestedSession,
  SessionRecord,
  SessionRequest,
  Store,
  StoredData,
} from './session-request';
import { createSession, MemoryStore } from './store';

type Content = string | Uint8Array;

/** The options of a middleware, with their defaults. */
export interface Settings {
  name: string;
  store: Store;
  /** The function that this middleware has set as `store.generate`. */
  generate: Store['generate'];
  /** Returns the ID of a new session. */
  newId(req: SessionRequest): string;
  /** Returns a new session. */
  create(req: SessionRequest, id: string): RequestedSession;
  /** Whether a new session that nobody reads need not be created. */
  createsLate: boolean;
  isMemory: boolean;
  hasTouch: boolean;
  resave: boolean;
  rolling: boolean;
  saveUninitialized: boolean;
  destroysUnset: boolean;
  proxy: boolean | undefined;
  storeTimeout: number;
}

/** Whether this file itself is reading `req.session`, which changes nothing. */
let isPeeking = false;

/** The property `req.session`; one for all requests, because objects with the same accessors share their shape. */
const accessor: PropertyDescriptor & ThisType<SessionRequest & { [RECORD]: RequestSession }> = {
  configurable: true,
  enumerable: true,
  get() {
    const record = this[RECORD];
    return isPeeking ? record : record.open();
  },
  set(value: RequestedSession) {
    const record = this[RECORD];
    if (record.req === this) record.assign(value);
    // This object inherits from the request.
    else
      Object.defineProperty(this, 'session', { value, writable: true, enumerable: true, configurable: true });
  },
};

/** Returns the session of a request without marking it as seen. */
export function peek(req: SessionRequest): RequestedSession | null | undefined {
  isPeeking = true;
  try {
    const value: unknown = req.session;
    return value instanceof RequestSession ? value.get() : (value as RequestedSession);
  } finally {
    isPeeking = false;
  }
}

export class RequestSession implements ResponseHook, SessionRecord {
  /** The value of `req.session`. */
  private session: RequestedSession | null | undefined = undefined;
  /** The session whose changes through `save` and `reload` are recorded. */
  private tracked: RequestedSession | null | undefined = undefined;
  private isSeen = false;
  /** Whether the session is a new one that nobody has asked for yet, so that it does not exist. */
  private isPending = false;
  private isLoaded = false;
  private isTouched = false;
  private isCommitting = false;
  private errors: unknown[] | undefined = undefined;
  private id: string | undefined = undefined;
  /** The data before the application could change it, and as it was last stored, as JSON. */
  private original: string | undefined = undefined;
  private saved: string | undefined = undefined;

  constructor(
    private readonly settings: Settings,
    readonly req: SessionRequest,
    private readonly next: Callback,
    private readonly keys: readonly Keyed[],
    /** The ID that the client has sent. */
    private readonly cookieId: string | undefined,
  ) {
    req[RECORD] = this;
    // Takes two thirds of the time of `Object.defineProperty`.
    Reflect.defineProperty(req, 'session', accessor);
  }

  /** Gives the request a new session. */
  generate(): void {
    const { req, settings } = this;
    const { store } = settings;
    if (settings.createsLate && store.generate === settings.generate) {
      this.id = req.sessionID = settings.newId(req);
      this.isPending = true;
    } else {
      store.generate(req);
      this.begin(store.generate === settings.generate);
    }
  }

  /** Returns the value of `req.session`. */
  get(): RequestedSession | null | undefined {
    if (this.isPending) {
      this.isPending = false;
      this.session = this.settings.create(this.req, this.id!);
      this.track(this.session);
    }
    return this.session;
  }

  /** Whether the request has got a new session that nobody has asked for, and nobody has removed or replaced it. */
  private isUnused(): boolean {
    if (!this.isPending || this.req.sessionID !== this.id) return false;
    isPeeking = true;
    try {
      return (this.req.session as unknown) === this;
    } finally {
      isPeeking = false;
    }
  }

  /** Gives the request a session with data from the store. */
  load(data: StoredData): void {
    const { req, settings } = this;
    const { store } = settings;
    store.createSession(req, data);
    this.isLoaded = true;
    this.begin(store.createSession === createSession);
  }

  /** @param isOurs whether no other code can have the session; a store that creates it itself may have kept it */
  private begin(isOurs: boolean): void {
    this.id = this.req.sessionID;
    this.track(peek(this.req));
    if (!isOurs) this.see();
  }

  track(session: RequestedSession | null | undefined): void {
    this.tracked = session;
    // Sessions may belong to express-session itself: a store may have been created with its class.
    if (session && !(session instanceof Session)) noteCalls(session, this);
  }

  isTracked(session: RequestedSession): boolean {
    return this.tracked === session;
  }

  /** Returns the session to the application, which may change it from now on. */
  open(): RequestedSession | null | undefined {
    if (!this.isSeen) this.see();
    return this.session;
  }

  private see(): void {
    this.get();
    this.isSeen = true;
    if (!this.tracked) return;
    this.original = serializeData(this.tracked);
    if (this.isLoaded && !this.settings.resave) this.saved = this.original;
  }

  /** Handles an assignment to `req.session`. */
  assign(session: RequestedSession | null | undefined): void {
    this.get();
    if (this.tracked && !this.isSeen) this.see();
    this.session = session;
  }

  get patience(): number {
    // The end of the response has a limit of its own.
    return this.isCommitting || this.settings.isMemory ? 0 : this.settings.storeTimeout;
  }

  noteSave(): void {
    debug?.('saving %s', this.tracked!.id);
    // The response has ended, so nothing will be compared any more.
    if (!this.isCommitting) this.saved = serializeData(this.tracked!);
  }

  noteReload(): void {
    debug?.('reloading %s', this.tracked!.id);
  }

  private isUnchanged(session: RequestedSession): boolean {
    return !this.isSeen && session === this.tracked;
  }

  private isModified(session: RequestedSession): boolean {
    if (this.id !== session.id) return true;
    return !this.isUnchanged(session) && this.originalText() !== serializeData(session);
  }

  private isSaved(session: RequestedSession): boolean {
    if (this.id !== session.id) return false;
    if (this.isUnchanged(session)) return this.isLoaded && !this.settings.resave;
    this.originalText();
    return this.saved === serializeData(session);
  }

  private originalText(): string | undefined {
    if (!this.isSeen) this.see();
    return this.original;
  }

  private hasId(): boolean {
    const { sessionID } = this.req;
    if (typeof sessionID === 'string') return true;
    debug?.('session ignored because of bogus req.sessionID %o', sessionID);
    return false;
  }

  private shouldSetCookie(session: RequestedSession): boolean {
    const { req, settings } = this;
    if (typeof req.sessionID !== 'string') return false;
    if (this.cookieId !== req.sessionID) return settings.saveUninitialized || this.isModified(session);
    return settings.rolling || (session.cookie.expires != null && this.isModified(session));
  }

  private shouldSave(session: RequestedSession): boolean {
    if (!this.hasId()) return false;
    const isStored = this.saved !== undefined || (this.isLoaded && !this.settings.resave);
    return !this.settings.saveUninitialized && !isStored && this.cookieId !== this.req.sessionID
      ? this.isModified(session)
      : !this.isSaved(session);
  }

  private touch(session: RequestedSession): void {
    if (this.isTouched) return;
    session.touch();
    this.isTouched = true;
  }

  /** Passes errors to the error handlers after the response, which does not fail because of them. */
  private report(): void {
    const { errors } = this;
    this.errors = undefined;
    if (errors !== undefined) for (const error of errors) setImmediate(this.next, error);
  }

  /** Sets the cookie. */
  head(res: ServerResponse): void {
    if (this.isUnused()) return;
    const { req, settings } = this;
    try {
      const session = peek(req);
      if (!session) {
        debug?.('no session');
        return;
      }
      if (!this.shouldSetCookie(session)) return;
      if (session.cookie.secure && !isSecure(req, settings.proxy)) {
        debug?.('not secured');
        return;
      }
      this.touch(session);
      const value = `s:${this.keys[0]!.sign(req.sessionID)}`;
      const cookie = serialize(settings.name, value, session.cookie.data);
      debug?.('set-cookie %s', cookie);
      const others = (res.getHeader('Set-Cookie') ?? []) as string | string[];
      res.setHeader('Set-Cookie', Array.isArray(others) ? [...others, cookie] : [others, cookie]);
    } catch (error) {
      (this.errors ??= []).push(error);
    }
  }

  /** Stores the session after a response whose headers were sent before this middleware was called. */
  storeAfter(res: ServerResponse): void {
    const store = (): void => {
      res.removeListener('finish', store);
      res.removeListener('close', store);
      void this.commit();
    };
    res.on('finish', store);
    // The client may have disconnected before the end.
    res.on('close', store);
  }

  /** Stores the session before the response is sent. */
  whole(): Promise<undefined> | undefined {
    return this.commit();
  }

  pieces(_res: ServerResponse, next: Output): Output {
    return {
      write: (chunk, encoding, callback) => next.write(chunk, encoding, callback),
      end: (chunk?: Content, encoding?: BufferEncoding) => {
        const stored = this.commit();
        if (stored === undefined) next.end(chunk, encoding);
        else void stored.then(() => next.end(chunk, encoding));
      },
    };
  }

  /** Stores, touches or destroys the session, and returns a promise if the response has to wait. It never rejects. */
  private commit(): Promise<undefined> | undefined {
    let isDone = false;
    let resume: ((value: undefined) => void) | undefined;
    const done = (error?: unknown): void => {
      if (error) (this.errors ??= []).push(error);
      this.report();
      isDone = true;
      resume?.(undefined);
    };
    try {
      const call = this.pending();
      if (call === undefined) {
        this.report();
        return undefined;
      }
      this.isCommitting = true;
      callStore(this.settings, call, done);
    } catch (error) {
      done(error);
    }
    return isDone ? undefined : new Promise(resolve => (resume = resolve));
  }

  /** Returns the call of the store for which the response has to wait. */
  private pending(): ((done: Callback) => unknown) | undefined {
    if (this.isUnused()) return undefined;
    const { req, settings } = this;
    const { store } = settings;
    const session = peek(req);
    if (req.sessionID && settings.destroysUnset && session == null) {
      debug?.('destroying');
      return done =>
        store.destroy(req.sessionID, error => {
          debug?.('destroyed');
          done(error);
        });
    }
    if (!session) {
      debug?.('no session');
      return undefined;
    }
    this.touch(session);
    if (this.shouldSave(session)) return done => session.save(done);
    if (settings.hasTouch && this.hasId() && this.cookieId === req.sessionID) {
      debug?.('touching');
      this.touchStored(session);
    }
    return undefined;
  }

  /**
   * Lets the store know that the session is in use. The response does not wait: if this fails, only a little session
   * time is lost.
   */
  private touchStored(session: RequestedSession): void {
    const { settings, req } = this;
    const touch = (done?: Callback): unknown => settings.store.touch!(req.sessionID, session, done);
    // An unchanged session in memory that does not expire need not be stored.
    const isIdle =
      settings.store.touch === (MemoryStore.prototype as Store).touch &&
      !this.isSeen &&
      session.cookie.expires == null;
    if (isIdle) return;
    callStore(settings, touch, error => {
      debug?.('touched');
      if (error) setImmediate(this.next, error);
    });
  }
}

/** Records calls of `save` and `reload`, as the methods of `Session` do. */
function noteCalls(session: RequestedSession, record: RequestSession): void {
  const { save, reload } = session;
  const methods = {
    save(this: RequestedSession, callback?: Callback) {
      record.noteSave();
      return save.call(this, callback);
    },
    reload(this: RequestedSession, callback: Callback) {
      record.noteReload();
      return reload.call(this, error => {
        record.track(peek(this.req));
        callback(error);
      });
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(session, name, { value, writable: true, configurable: true });
  }
}

/**
 * Calls a store, which may throw, reject, call back twice, or never call back. The result is passed on once, at the
 * latest after `storeTimeout`.
 */
export function callStore<T>(
  settings: Settings,
  call: (done: (error?: unknown, value?: T) => void) => unknown,
  done: (error?: unknown, value?: T) => void,
): void {
  let isAnswered = false;
  let timer: NodeJS.Timeout | undefined;
  const answer = (error?: unknown, value?: T): void => {
    if (isAnswered) {
      debug?.('the store has called back late or a second time');
      return;
    }
    isAnswered = true;
    if (timer !== undefined) clearTimeout(timer);
    let hasThrown = true;
    try {
      done(error, value);
      hasThrown = false;
    } finally {
      // A store that catches what a handler throws passes it to its callback.
      isAnswered = !hasThrown;
    }
  };
  if (settings.storeTimeout > 0 && !settings.isMemory) {
    timer = setTimeout(() => answer(timedOut(settings.storeTimeout)), settings.storeTimeout);
  }
  try {
    const returned = call(answer) as PromiseLike<unknown> | undefined;
    if (typeof returned?.then === 'function') returned.then(undefined, answer);
  } catch (error) {
    if (isAnswered) throw error;
    answer(error);
  }
}

/** Returns the data of a session as JSON, without the cookie. */
function serializeData(session: RequestedSession): string {
  const { cookie: _cookie, ...data } = session;
  return JSON.stringify(data);
}

/** Returns whether the client is connected over TLS. */
export function isSecure(req: SessionRequest, proxy: boolean | undefined): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- of requests that are not Node's, as in express-session
  const socket = req.connection as { encrypted?: boolean } | undefined;
  if (socket?.encrypted) return true;
  if (proxy === false) return false;
  if (proxy !== true) return req.secure === true;
  const header = (req.headers['x-forwarded-proto'] ?? '') as string;
  const comma = header.indexOf(',');
  return (comma < 0 ? header : header.slice(0, comma)).toLowerCase().trim() === 'https';
}

/** Returns the ID of a session from the value of a cookie. */
export function idOf(value: string, keys: readonly Keyed[]): string | undefined {
  if (!value.startsWith('s:')) {
    debug?.('cookie unsigned');
    return undefined;
  }
  const id = unsign(value.slice(2), keys);
  if (id !== false) return id;
  debug?.('cookie signature invalid');
  return undefined;
}

/**
 * The session of one request: whether the application has seen it, and what it contained at that time.
 *
 * `req.session` is an accessor. Until the application reads it, the session can't have changed, and neither the data
 * before nor the data after the request is turned into text for comparison.
 */
import { debug } from './debug';
import { Session } from './session';
import { RECORD } from './session-request';
import type {
  Callback,
  RequestedSession,
  SessionRecord,
  SessionRequest,
  Settings,
  StoredData,
} from './session-request';
import { createSession } from './store';

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

export class RequestSession implements SessionRecord {
  /** The value of `req.session`. */
  private session: RequestedSession | null | undefined = undefined;
  /** The session whose changes through `save` and `reload` are recorded. */
  private tracked: RequestedSession | null | undefined = undefined;
  /** Whether the application has read `req.session`, so that the session may have changed. */
  protected isSeen = false;
  /** Whether the session is new and unread: it is created only when it is read. */
  private isPending = false;
  private isLoaded = false;
  /** Whether the response has ended, and waits for the store. */
  protected isCommitting = false;
  private id: string | undefined = undefined;
  /** The data before the application could change it, and as it was last stored, as JSON. */
  private original: string | undefined = undefined;
  private saved: string | undefined = undefined;

  constructor(
    protected readonly settings: Settings,
    readonly req: SessionRequest,
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

  /** Gives the request a session with data from the store. */
  load(data: StoredData): void {
    const { req, settings } = this;
    const { store } = settings;
    store.createSession(req, data);
    this.isLoaded = true;
    this.begin(store.createSession === createSession);
  }

  /** @param isOurs false if the store has created the session itself: then it may have kept it */
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
    return this.isCommitting ? 0 : this.settings.storeTimeout;
  }

  noteSave(): void {
    debug?.('saving %s', this.tracked!.id);
    // The response has ended, so nothing will be compared any more.
    if (!this.isCommitting) this.saved = serializeData(this.tracked!);
  }

  noteReload(): void {
    debug?.('reloading %s', this.tracked!.id);
  }

  /** Whether the request has a new session that the application has neither read, removed nor replaced. */
  protected isUnused(): boolean {
    if (!this.isPending || this.req.sessionID !== this.id) return false;
    isPeeking = true;
    try {
      return (this.req.session as unknown) === this;
    } finally {
      isPeeking = false;
    }
  }

  private isUnchanged(session: RequestedSession): boolean {
    return !this.isSeen && session === this.tracked;
  }

  /** Whether the store contains the session, in any version. */
  protected isStored(): boolean {
    return this.saved !== undefined || (this.isLoaded && !this.settings.resave);
  }

  protected isModified(session: RequestedSession): boolean {
    if (this.id !== session.id) return true;
    return !this.isUnchanged(session) && this.originalText() !== serializeData(session);
  }

  protected isSaved(session: RequestedSession): boolean {
    if (this.id !== session.id) return false;
    if (this.isUnchanged(session)) return this.isLoaded && !this.settings.resave;
    this.originalText();
    return this.saved === serializeData(session);
  }

  private originalText(): string | undefined {
    if (!this.isSeen) this.see();
    return this.original;
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

/** Returns the data of a session as JSON, without the cookie. */
function serializeData(session: RequestedSession): string {
  const { cookie: _cookie, ...data } = session;
  return JSON.stringify(data);
}

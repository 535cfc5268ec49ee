/** The base class of session stores, and the in-memory store. */
import { EventEmitter } from 'node:events';
import { inherits } from 'node:util';
import { setImmediate } from 'node:timers';
import { Cookie } from './cookie';
import { Session } from './session';
import type {
  Callback,
  DataCallback,
  RequestedSession,
  SessionRequest,
  Store as StoreType,
  StoredData,
} from './session-request';
import type { StoreCallback } from './store-call';

export type Store = StoreType;

/** A function, not a class: older stores call `Store.call(this)`. */
export const Store = function Store(this: Store) {
  EventEmitter.call(this);
} as unknown as new () => Store;

inherits(Store, EventEmitter);

Object.assign(Store.prototype as object, {
  /** Replaces the session of a request with a new one. */
  regenerate(this: Store, req: SessionRequest, callback: StoreCallback): unknown {
    // Returns the result, because an asynchronous method may reject.
    return this.destroy(req.sessionID, error => {
      // The call has timed out: the handler has continued with an error, and with its old session.
      if (callback.isLate) return;
      let reason = error;
      try {
        this.generate(req);
      } catch (thrown) {
        reason ??= thrown;
      }
      callback(reason);
    });
  },

  /** Loads a session without a request. */
  load(this: Store, id: string, callback: (error?: unknown, session?: RequestedSession) => void): void {
    this.get(id, (error, data) => {
      if (error || !data) {
        if (error) callback(error);
        else callback();
        return;
      }
      let session: RequestedSession;
      try {
        session = this.createSession(
          { sessionID: id, sessionStore: this } as unknown as SessionRequest,
          data,
        );
      } catch (thrown) {
        callback(thrown);
        return;
      }
      callback(null, session);
    });
  },

  createSession,
});

/** Sets `req.session` to a session with data from the store. */
export function createSession(req: SessionRequest, data: StoredData): Session {
  const { expires, originalMaxAge } = data.cookie;
  const cookie = new Cookie(data.cookie);
  if (typeof expires === 'string') cookie.expires = new Date(expires);
  // Setting `expires` has changed it to the remaining time.
  cookie.originalMaxAge = originalMaxAge;
  data.cookie = cookie;
  const session = new Session(req, data);
  req.session = session;
  return session;
}

export interface MemoryStore extends Store {
  /** The sessions as JSON by ID. */
  sessions: Record<string, string>;
}

/** Stores sessions in the memory of the process: for development. */
export const MemoryStore = function MemoryStore(this: MemoryStore) {
  (Store as unknown as () => void).call(this);
  this.sessions = Object.create(null) as Record<string, string>;
} as unknown as new () => MemoryStore;

inherits(MemoryStore, Store);

Object.assign(MemoryStore.prototype as object, {
  /** Calls back with the sessions that have not expired, by ID. */
  all(this: MemoryStore, callback: (error: unknown, sessions: Record<string, StoredData>) => void): void {
    const sessions = Object.create(null) as Record<string, StoredData>;
    for (const id of Object.keys(this.sessions)) {
      const data = read(this.sessions, id);
      if (data) sessions[id] = data;
    }
    if (callback) setImmediate(callback, null, sessions);
  },

  /** Removes all sessions. */
  clear(this: MemoryStore, callback?: Callback): void {
    this.sessions = Object.create(null) as Record<string, string>;
    if (callback) setImmediate(callback);
  },

  /** Removes a session. */
  destroy(this: MemoryStore, id: string, callback?: Callback): void {
    delete this.sessions[id];
    if (callback) setImmediate(callback);
  },

  /** Calls back with the data of a session, or undefined. */
  get(this: MemoryStore, id: string, callback: DataCallback): void {
    setImmediate(callback, null, read(this.sessions, id));
  },

  /** Stores a session. */
  set(this: MemoryStore, id: string, session: RequestedSession, callback?: Callback): void {
    this.sessions[id] = JSON.stringify(session);
    if (callback) setImmediate(callback);
  },

  /** Calls back with the number of sessions that have not expired. */
  length(
    this: MemoryStore & { all(callback: (error: unknown, sessions: object) => void): void },
    callback: (error: unknown, length?: number) => void,
  ): void {
    this.all((error: unknown, sessions: object) => {
      if (error) callback(error);
      else callback(null, Object.keys(sessions).length);
    });
  },

  /** Stores the expiry of a session, but not its data. */
  touch(this: MemoryStore, id: string, session: RequestedSession, callback?: Callback): void {
    const text = this.sessions[id];
    const [start, cookie = ''] = (text && COOKIE.exec(text)) || [];
    const expires = EXPIRES.exec(cookie);
    if (start === undefined || expires === null || isPast(expires[1])) {
      // This is the usual case.
      const data = read(this.sessions, id);
      if (data) {
        data.cookie = session.cookie;
        this.sessions[id] = JSON.stringify(data);
      }
    } else {
      this.sessions[id] = `{"cookie":${JSON.stringify(session.cookie)}${text!.slice(start.length)}`;
    }
    if (callback) setImmediate(callback);
  },
});

/** Returns the data of a session; removes it if it has expired. */
function read(sessions: Record<string, string>, id: string): StoredData | undefined {
  const text = sessions[id];
  if (!text) return undefined;
  const data = JSON.parse(text) as StoredData;
  if (!isPast(data.cookie?.expires)) return data;
  delete sessions[id];
  return undefined;
}

function isPast(expires: unknown): boolean {
  const date = typeof expires === 'string' ? new Date(expires) : (expires as Date | null | undefined);
  return Boolean(date) && date!.valueOf() <= Date.now();
}

/** The beginning of the JSON of a session: the cookie, an object of texts without escapes, numbers and so on. */
const COOKIE = /^\{"cookie":(\{(?:[^"{}]|"[^"\\]*")*\})/;
const EXPIRES = /"expires":(?:null|"([^"]+)")/;

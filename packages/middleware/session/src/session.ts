/** `req.session`: the data of a session, and the methods to store, reload and discard it. */
import type { Cookie } from './cookie';
import { RECORD } from './session-request';
import type { Callback, RequestedSession, SessionRecord, SessionRequest } from './session-request';
import { callStore } from './store-call';
import type { StoreCallback } from './store-call';

export class Session implements RequestedSession {
  declare readonly req: SessionRequest;
  declare readonly id: string;
  declare cookie: Cookie;

  /** @param data the data to start with; names of methods and of `id` and `req` are left out */
  constructor(req: SessionRequest, data?: object | null, id: string = req.sessionID) {
    Object.defineProperty(this, 'req', { value: req });
    Object.defineProperty(this, 'id', { value: id });
    if (typeof data === 'object' && data !== null) {
      const from = data as Record<string, unknown>;
      const to = this as unknown as Record<string, unknown>;
      // `__proto__` is `in` every object, so stored data can't set the prototype.
      for (const name in from) if (!(name in this)) to[name] = from[name];
    }
  }

  /** Restarts the time until the session expires. */
  touch(): this {
    return this.resetMaxAge();
  }

  /** Sets `cookie.maxAge` to its original value. */
  resetMaxAge(): this {
    this.cookie.maxAge = this.cookie.originalMaxAge;
    return this;
  }

  /**
   * Stores the session. This happens at the end of the response anyway if the data has changed.
   * @param callback called when it is stored, or with an error
   * @returns the session; without a callback, a promise
   */
  save(callback?: Callback): this | Promise<void> {
    return settle(this, callback, done => {
      recordOf(this)?.noteSave();
      return this.req.sessionStore.set(this.id, this, done);
    });
  }

  /**
   * Replaces `req.session` with the data in the store.
   * @returns the session; without a callback, a promise
   */
  reload(callback?: Callback): this | Promise<void> {
    return settle(this, callback, done => {
      const { req } = this;
      const { sessionStore: store } = req;
      const record = recordOf(this);
      record?.noteReload();
      return store.get(this.id, (error, data) => {
        if (done.isLate) return;
        let reason = error;
        if (!error && data) {
          try {
            store.createSession(req, data);
            record?.track(req.session);
          } catch (thrown) {
            // Thrown for data without a cookie. The store does not handle it.
            reason = thrown;
          }
        } else if (!error) {
          reason = new Error('failed to load session');
        }
        if (reason) done(reason);
        else done();
      });
    });
  }

  /**
   * Deletes `req.session` and removes it from the store.
   * @returns the session; without a callback, a promise
   */
  destroy(callback?: Callback): this | Promise<void> {
    delete this.req.session;
    return settle(this, callback, done => this.req.sessionStore.destroy(this.id, done));
  }

  /**
   * Replaces the session with a new one that has another ID. Call it when a user logs in or out, to prevent session
   * fixation.
   * @returns the session; without a callback, a promise
   */
  regenerate(callback?: Callback): this | Promise<void> {
    return settle(this, callback, done => this.req.sessionStore.regenerate(this.req, done));
  }
}

/** Returns the record of a session that the middleware has created or loaded. */
function recordOf(session: Session): SessionRecord | undefined {
  const record = session.req[RECORD];
  return record?.isTracked(session) ? record : undefined;
}

/** Calls the store; returns a promise if there is no callback. */
function settle<S extends Session>(
  session: S,
  callback: Callback | undefined,
  call: (done: StoreCallback) => unknown,
): S | Promise<void> {
  const patience = session.req[RECORD]?.patience ?? 0;
  if (callback) {
    callStore(patience, call, callback);
    return session;
  }
  const promise = new Promise<void>((resolve, reject) => {
    callStore(patience, call, error => {
      if (error) reject(error);
      else resolve();
    });
  });
  // `req.session.save()` without `await` must not end the process when the store fails.
  promise.catch(() => undefined);
  return promise;
}

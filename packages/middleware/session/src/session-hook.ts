/** What happens to the session of a request at its response: the cookie is sent with it, and the session stored before it. */
import { setImmediate } from 'node:timers';
import type { ServerResponse } from 'node:http';
import type { Output, ResponseHook } from '@ristretto/response-hooks';
import type { Keyed } from '@ristretto/signed-cookies';
import { serialize } from './cookie';
import { debug } from './debug';
import { peek, RequestSession } from './request-session';
import { isSecure } from './sent-cookie';
import type { Callback, RequestedSession, SessionRequest, Settings, Store } from './session-request';
import { MemoryStore } from './store';
import { callStore } from './store-call';

type Content = string | Uint8Array;
type StoreCall = (done: Callback) => unknown;

export class SessionHook extends RequestSession implements ResponseHook {
  private isTouched = false;
  private errors: unknown[] | undefined = undefined;

  constructor(
    settings: Settings,
    req: SessionRequest,
    private readonly next: Callback,
    private readonly keys: readonly Keyed[],
    /** The ID that the client has sent. */
    private readonly cookieId: string | undefined,
  ) {
    super(settings, req);
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
    // A store may keep only `originalMaxAge`: `touch` will set `expires` from it.
    const expires = session.cookie.expires ?? session.cookie.originalMaxAge;
    return settings.rolling || (expires != null && this.isModified(session));
  }

  private shouldSave(session: RequestedSession): boolean {
    if (!this.hasId()) return false;
    return !this.settings.saveUninitialized && !this.isStored() && this.cookieId !== this.req.sessionID
      ? this.isModified(session)
      : !this.isSaved(session);
  }

  private touch(session: RequestedSession): void {
    if (this.isTouched) return;
    session.touch();
    this.isTouched = true;
  }

  private note(error: unknown): void {
    (this.errors ??= []).push(error);
  }

  /** Passes errors to the error handlers after the response, which does not fail because of them. */
  private report(res: ServerResponse): void {
    const { errors } = this;
    this.errors = undefined;
    if (errors === undefined) return;
    afterEnd(res, () => {
      for (const error of errors) setImmediate(this.next, error);
    });
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
      this.note(error);
    }
  }

  /** Stores the session after a response whose headers were sent before this middleware was called. */
  storeAfter(res: ServerResponse): void {
    afterEnd(res, () => void this.commit(res));
  }

  /** Stores the session before the response is sent. */
  whole(res: ServerResponse): Promise<undefined> | undefined {
    return this.commit(res);
  }

  pieces(res: ServerResponse, next: Output): Output {
    return {
      write: (chunk, encoding, callback) => next.write(chunk, encoding, callback),
      end: (chunk?: Content, encoding?: BufferEncoding) => {
        const stored = this.commit(res);
        if (stored === undefined) next.end(chunk, encoding);
        else stored.then(() => next.end(chunk, encoding)).catch((error: unknown) => this.next(error));
      },
    };
  }

  /** Stores, touches or destroys the session, and returns a promise if the response has to wait. It never rejects. */
  private commit(res: ServerResponse): Promise<undefined> | undefined {
    let call: StoreCall | undefined;
    try {
      call = this.pending();
    } catch (error) {
      this.note(error);
    }
    if (call !== undefined) return this.complete(res, call);
    this.report(res);
    return undefined;
  }

  private complete(res: ServerResponse, call: StoreCall): Promise<undefined> | undefined {
    let isDone = false;
    let resume: ((value: undefined) => void) | undefined;
    const done = (error?: unknown): void => {
      if (error) this.note(error);
      this.report(res);
      isDone = true;
      resume?.(undefined);
    };
    this.isCommitting = true;
    try {
      callStore(this.settings.storeTimeout, call, done);
    } catch (error) {
      done(error);
    }
    return isDone ? undefined : new Promise(resolve => (resume = resolve));
  }

  /** Returns the call of the store for which the response has to wait. */
  private pending(): StoreCall | undefined {
    if (this.isUnused()) return undefined;
    const { req, settings } = this;
    const { store } = settings;
    const session = peek(req);
    if (req.sessionID && settings.unset === 'destroy' && session == null) {
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
    callStore(settings.storeTimeout, touch, error => {
      debug?.('touched');
      if (error) setImmediate(this.next, error);
    });
  }
}

/** Calls a function when a response has ended, or the client has disconnected before that. */
function afterEnd(res: ServerResponse, call: () => void): void {
  const { stream } = res as { stream?: { destroyed: boolean } };
  if (res.writableFinished || (stream ?? res).destroyed) {
    call();
    return;
  }
  const ended = (): void => {
    res.removeListener('finish', ended);
    res.removeListener('close', ended);
    call();
  };
  res.on('finish', ended);
  res.on('close', ended);
}

/**
 * Holds back what a response writes until its hooks have run: the response gets its own methods, which queue each
 * call until then, and afterwards call the methods that it had before.
 *
 * A tool that patches the response later wraps these methods, and calls them; one that patched it before is called by
 * them.
 */
import { isPromise } from '../realms';
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { contentOfEnd, sizeOf } from './content';
import type { Content } from './content';
import { GATE, hooks, inherited } from './hook-gate';
import type { Decision, Gate } from './hook-gate';
import { defineHidden } from './define-hidden';

export interface GatedResponse extends ServerResponse {
  [GATE]?: SendGate;
  _implicitHeader(): void;
}

/** The body that the hooks returned; undefined if it is sent in chunks. */
export type Examined = Content | undefined;

const enum Stage {
  waiting,
  passed,
  dropped,
}

/** A response passing through the gate. */
interface Attempt {
  stage: Stage;
  /** Whether `end` has been called, so that it is complete. */
  isWhole: boolean;
  /** Whether methods that wrap the gate's have been called for it, and may have begun to change it. */
  isSeenAbove: boolean;
  /** The queued calls. Those of `write` return whether the buffer has room for more. */
  held: ((content: Examined) => unknown)[];
  heldBytes: number;
  /** Whether `write` has returned false. */
  owesDrain: boolean;
  onClose: (() => void) | undefined;
  /** Set while it waits. */
  decision: Decision | undefined;
}

type Beneath = Pick<GatedResponse, 'write' | 'end' | 'writeHead' | 'flushHeaders' | '_implicitHeader'>;

export abstract class SendGate implements Gate {
  private current: Attempt | undefined;
  /** Whether `writeHead` has been called. */
  private isAnnounced = false;
  private isImplicit = false;
  /** Whether a response was dropped before its handler ended it. */
  private hasLeftOver = false;
  /** Whether the error handlers are being called. */
  private isFailing = false;
  private readonly sources: Readable[] = [];
  private readonly nativeMethods: Beneath;

  constructor(private readonly res: GatedResponse) {
    const { write, end, writeHead, flushHeaders, _implicitHeader } = res;
    this.nativeMethods = { write, end, writeHead, flushHeaders, _implicitHeader };
    Object.defineProperty(res, GATE, { value: this });
    Object.defineProperty(res, 'headersSent', SendGate.headersSent);
    defineHidden(res, SendGate.functions);
    res.on('pipe', SendGate.notePipe);
  }

  /** The methods of all responses with a gate; closures for each response would cost more than the rest of the gate. */
  private static readonly functions = {
    write(this: GatedResponse, ...args: unknown[]): boolean {
      return this[GATE]!.write(args);
    },
    end(this: GatedResponse, ...args: unknown[]): ServerResponse {
      return this[GATE]!.end(args);
    },
    writeHead(this: GatedResponse, ...args: unknown[]): ServerResponse {
      return this[GATE]!.writeHead(args);
    },
    flushHeaders(this: GatedResponse): void {
      this[GATE]!.flushHeaders();
    },
    _implicitHeader(this: GatedResponse): void {
      this[GATE]!.makeHeader();
    },
  };

  private static readonly headersSent = {
    configurable: true,
    get(this: GatedResponse): boolean {
      return this[GATE]!.areHeadersSent();
    },
  };

  private static notePipe(this: GatedResponse, source: Readable): void {
    this[GATE]!.sources.push(source);
  }

  /**
   * Runs the hooks before any of the response is sent.
   * @param isStream whether it is written in chunks, so that the body cannot be replaced
   * @returns the body to send
   */
  protected abstract examine(content: Examined, isStream: boolean): Examined | Promise<Examined>;
  /** Whether a hook's own code is being executed, also after it has waited. */
  protected abstract isHook(): boolean;
  /** Called with the reason why the response was dropped. */
  protected abstract failed(error: unknown): void;
  /** Called for a second response. @throws ERR_HTTP_HEADERS_SENT, unless it is to be ignored */
  protected abstract refuseSecond(): void;
  /** Called with an error that occurs after the response has stopped waiting. */
  protected abstract failedLate(error: unknown): void;

  /** Whether a response is waiting. */
  get isHolding(): boolean {
    return this.current?.stage === Stage.waiting;
  }

  get isHoldingWhole(): boolean {
    return this.isHolding && this.current!.isWhole;
  }

  /** Whether another response waits for hooks of a package, before it reaches the gate. */
  private get isSentElsewhere(): boolean {
    return this.res.headersSent && !this.isAnnounced && !this.isHook();
  }

  private get hasPassed(): boolean {
    return this.current?.stage === Stage.passed;
  }

  /** Reports held-back headers as sent, except to the hooks. */
  private areHeadersSent(): boolean {
    if ((this.isAnnounced || this.isHolding) && !this.isHook()) return true;
    return inherited(this.res, 'headersSent');
  }

  /** Whether Node's `end` has been called: for other code, a response has ended already while hooks of a package wait. */
  private get hasEnded(): boolean {
    return inherited(this.res, 'writableEnded');
  }

  sendWhole(content: Content, send: (content: Content) => void): void {
    if (this.hasPassed) {
      send(content);
    } else if (this.current === undefined && !this.isSentElsewhere) {
      this.begin(content, { isWhole: true, isSeenAbove: false, held: [changed => send(changed!)] });
    } else {
      this.refuseSecond();
    }
  }

  bypass(): void {
    if (this.isHolding) this.drop(this.current!);
    this.current = newAttempt({ stage: Stage.passed });
  }

  /**
   * Runs the hooks. Passes on the queued calls at once unless a hook is asynchronous. @throws whatever sending throws
   */
  private begin(content: Examined, given: Partial<Attempt>): Attempt {
    const attempt = newAttempt(given);
    this.current = attempt;
    let examined: Examined | Promise<Examined>;
    try {
      examined = this.examine(content, !attempt.isWhole);
    } catch (error) {
      this.refuse(attempt, error);
      return attempt;
    }
    if (isPromise(examined)) this.wait(attempt, content, examined);
    else this.pass(attempt, examined);
    return attempt;
  }

  private wait(attempt: Attempt, content: Examined, examined: Promise<Examined>): void {
    // The client has disconnected: pass the queued calls on without waiting for the hooks.
    attempt.onClose = () => {
      this.passLater(attempt, content);
    };
    this.res.once('close', attempt.onClose);
    attempt.decision = new (hooks().Decision)(this.res, () => this.isHook(), attempt.isWhole);
    examined
      .then(
        result => {
          this.passLater(attempt, result);
        },
        (error: unknown) => {
          this.refuse(attempt, error);
        },
      )
      .catch((error: unknown) => {
        // An unhandled rejection would end the process
        this.failedLate(error);
      });
  }

  private passLater(attempt: Attempt, content: Examined): void {
    if (attempt.stage !== Stage.waiting) return;
    try {
      hooks().throwErrors(this.res, () => {
        this.pass(attempt, content);
      });
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.isFailing = true;
    this.failed(error);
    this.isFailing = false;
  }

  private pass(attempt: Attempt, content: Examined): void {
    this.settle(attempt, Stage.passed);
    let hasRoom = true;
    try {
      for (const call of attempt.held) {
        // A chunk after the end would be an `error` event, which ends the process
        if (this.hasEnded) break;
        hasRoom = call(content) !== false;
      }
    } catch (error) {
      // Nothing has been sent, so the response to this error also goes through the hooks.
      if (!this.areHeadersSent()) {
        this.current = undefined;
        if (!attempt.isWhole) this.leaveOver();
      }
      throw error;
    }
    if (attempt.owesDrain && hasRoom && !this.hasEnded) this.res.emit('drain');
  }

  private refuse(attempt: Attempt, error: unknown): void {
    if (attempt.stage === Stage.waiting) {
      this.drop(attempt);
      this.current = undefined;
      this.fail(error);
    } else {
      this.failedLate(error);
    }
  }

  private drop(attempt: Attempt): void {
    const { res } = this;
    this.settle(attempt, Stage.dropped);
    hooks().resetResponse(res);
    // Wrappers, such as compression, have begun to change the dropped response, so bypass them.
    if (attempt.isSeenAbove) defineHidden(res, SendGate.functions);
    if (!attempt.isWhole) this.leaveOver();
  }

  /** Leaves out what the handler goes on to write. */
  private leaveOver(): void {
    const { res } = this;
    // Nothing more comes from sources that are unpiped, unless they have ended, and the end waits for hooks of a package
    const isEndUnderWay = res.writableEnded && !this.hasEnded;
    this.hasLeftOver = this.sources.length === 0 || isEndUnderWay;
    for (const source of this.sources) {
      source.unpipe(res);
      // Deferred, because code that watches both streams would close the response. A request's connection is still
      // needed.
      if (source !== res.req) res.once('close', () => source.destroy());
    }
  }

  private settle(attempt: Attempt, stage: Stage): void {
    attempt.stage = stage;
    attempt.decision?.release();
    this.isAnnounced = false;
    if (attempt.onClose !== undefined) this.res.off('close', attempt.onClose);
  }

  private write(args: unknown[]): boolean {
    const { res, nativeMethods } = this;
    if (this.isLeftOver()) return false;
    const attempt = this.current ?? this.begin(undefined, {});
    const call = (): boolean => Reflect.apply(nativeMethods.write, res, args) as boolean;
    if (attempt.stage === Stage.passed) return call();
    if (attempt.stage === Stage.dropped) return false;
    if (this.isHook()) throw hooks().headersSent();
    // Behind a complete response, which may wait for other hooks when it is passed on
    if (attempt.isWhole) return false;
    attempt.held.push(call);
    attempt.heldBytes += sizeOf(args);
    attempt.owesDrain ||= attempt.heldBytes >= res.writableHighWaterMark;
    return !attempt.owesDrain;
  }

  private end(args: unknown[]): ServerResponse {
    const { res, nativeMethods, current } = this;
    if (this.isLeftOver()) {
      // What follows comes from an error handler
      this.hasLeftOver = this.isHoldingWhole || this.hasEnded;
      return res;
    }
    if (current === undefined) {
      const content = contentOfEnd(res, args);
      const held = [(changed: Examined) => this.endWith(args, content, changed)];
      this.begin(content, { isWhole: true, held });
    } else if (current.stage === Stage.waiting) {
      if (this.isHook()) throw hooks().headersSent();
      if (current.isWhole) return res;
      current.isWhole = true;
      current.held.push(() => Reflect.apply(nativeMethods.end, res, args) as unknown);
    } else {
      Reflect.apply(nativeMethods.end, res, args);
    }
    return res;
  }

  private endWith(args: unknown[], content: Examined, changed: Examined): void {
    const { res, nativeMethods } = this;
    if (changed === content) {
      Reflect.apply(nativeMethods.end, res, args);
      return;
    }
    if (res.hasHeader('Content-Length')) res.setHeader('Content-Length', Buffer.byteLength(changed!));
    const callback = args.find(arg => typeof arg === 'function');
    Reflect.apply(nativeMethods.end, res, [changed, undefined, callback]);
  }

  /**
   * Whether a write comes from the handler of a dropped response: the error's response shows no sign of having begun,
   * or has already ended, though it may be waiting for its own hooks.
   */
  private isLeftOver(): boolean {
    const { res } = this;
    if (!this.hasLeftOver) return false;
    if (this.isHoldingWhole || this.hasEnded) return true;
    if (this.current !== undefined && this.areHeadersSent()) return false;
    return !this.isAnnounced && !this.isFailing && hooks().isUntouched(res);
  }

  private flushHeaders(): void {
    const { res, nativeMethods } = this;
    // Wrapping middleware must be notified first, because the next write will find the headers already sent.
    if (this.current === undefined) this.makeHeader();
    const attempt = this.current ?? this.begin(undefined, {});
    if (attempt.stage === Stage.passed) nativeMethods.flushHeaders.call(res);
    else attempt.held.push(() => nativeMethods.flushHeaders.call(res));
  }

  /** Sends nothing by itself: the hooks run with the first `write`, or with `end`, which may have the complete body. */
  private writeHead([status, ...rest]: unknown[]): ServerResponse {
    const { res, nativeMethods } = this;
    if (this.hasPassed) {
      Reflect.apply(nativeMethods.writeHead, res, [status, ...rest]);
      return res;
    }
    if (this.isAnnounced || (this.current !== undefined && !this.isImplicit)) throw hooks().headersSent();
    res.statusCode = status as number;
    const reason = hooks().applyWriteHeadArguments(res, rest);
    if (reason !== undefined) res.statusMessage = reason;
    this.isAnnounced = true;
    return res;
  }

  /** Replaces Node's method, which middleware also calls if there is no header block yet. */
  private makeHeader(): void {
    const { res, nativeMethods } = this;
    if (this.hasPassed) {
      nativeMethods._implicitHeader.call(res);
    } else if (!this.isAnnounced) {
      this.isImplicit = true;
      try {
        res.writeHead(res.statusCode);
      } finally {
        this.isImplicit = false;
      }
    }
  }
}

function newAttempt(given: Partial<Attempt>): Attempt {
  return {
    stage: Stage.waiting,
    isWhole: false,
    isSeenAbove: true,
    held: [],
    heldBytes: 0,
    owesDrain: false,
    onClose: undefined,
    decision: undefined,
    ...given,
  };
}

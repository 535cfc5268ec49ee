/**
 * Holds back what a response writes until Ristretto's `res.onSend` has run, which may take time: calls of the interceptor's
 * methods are queued until then, and passed on to its other hooks afterwards.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { bodyOfEnd, isContent, isPromise, sizeOf } from './content';
import { Decision, headersSent, isExpired } from './decision';
import { applyWriteHeadArguments, isUntouched, resetResponse } from './headers';
import type { Content } from './hook';
import { LeftOver } from './left-over';
import { inherited } from './methods';
import type { Method } from './methods';

/** The key of the gate of a response. Read by Ristretto. */
export const GATE: unique symbol = Symbol.for('ristretto.gate') as never;

export interface GatedResponse extends ServerResponse {
  [GATE]?: Gate;
}

/** A complete body; undefined if it is sent in chunks, or omitted because of the method or the status. */
type Body = Content | undefined;

/** What a gate waits for. */
export interface Guard {
  /**
   * Runs before any of the response is sent.
   * @param isStream whether it is written in chunks, so that the body cannot be replaced
   * @returns the body to send
   */
  examine(content: Body, isStream: boolean): Body | Promise<Body>;
  /** Whether a hook's own code is being executed, also after it has waited. */
  isHook(): boolean;
  /** Called with the reason why the response was dropped. */
  failed(error: unknown): void;
  /** Called for a second response. @throws ERR_HTTP_HEADERS_SENT, unless it is to be ignored */
  refuseSecond(): void;
  /** Called with an error that occurs after the response has stopped waiting. */
  failedLate(error: unknown): void;
}

/** The interceptor to which the gate belongs. */
interface Beneath {
  enter(name: 'writeHead' | 'write' | 'end', args: unknown[]): unknown;
  /** Makes its methods those of the response again. */
  retake(): void;
  /** Calls a function that writes what was held back. @throws the errors of hooks */
  throwErrors(call: () => void): void;
}

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
  /** Whether methods that wrap the interceptor's have been called for it, and may have begun to change it. */
  isSeenAbove: boolean;
  /** The queued calls. Those of `write` return whether the buffer has room for more. */
  held: ((content: Body) => unknown)[];
  heldBytes: number;
  /** Whether `write` has returned false. */
  owesDrain: boolean;
  onClose: (() => void) | undefined;
  /** Set while it waits. */
  decision: Decision | undefined;
}

export class Gate {
  private current: Attempt | undefined;
  /** Whether `writeHead` has been called. */
  private isAnnounced = false;
  private isImplicit = false;
  /** Set if a response was dropped before its handler ended it. */
  private leftOver: LeftOver | undefined;
  private readonly sources: Readable[] = [];
  private readonly flush: Method;
  private readonly implicitHeader: Method;

  constructor(
    private readonly res: GatedResponse,
    private readonly beneath: Beneath,
    readonly guard: Guard,
  ) {
    const { flushHeaders, _implicitHeader } = res as unknown as Record<string, Method>;
    this.flush = flushHeaders!;
    this.implicitHeader = _implicitHeader!;
    this.replaceMembers();
    Object.defineProperty(res, GATE, { value: this });
    res.on('pipe', Gate.notePipe);
  }

  /** The members of all responses with a gate; closures for each response would cost more than the rest of the gate. */
  private static readonly members = {
    flushHeaders: {
      configurable: true,
      writable: true,
      value(this: GatedResponse): void {
        this[GATE]!.flushHeaders();
      },
    },
    _implicitHeader: {
      configurable: true,
      writable: true,
      value(this: GatedResponse): void {
        this[GATE]!.makeHeader();
      },
    },
    headersSent: {
      configurable: true,
      get(this: GatedResponse): boolean {
        return this[GATE]!.areHeadersSent();
      },
    },
  };

  private replaceMembers(): void {
    const { res } = this;
    // One by one: V8 makes a slow object of one that gets them together
    Object.defineProperty(res, 'flushHeaders', Gate.members.flushHeaders);
    Object.defineProperty(res, '_implicitHeader', Gate.members._implicitHeader);
    Object.defineProperty(res, 'headersSent', Gate.members.headersSent);
  }

  /** The method that creates the header block, without the gate's own. */
  get headerMethod(): unknown {
    const { _implicitHeader } = this.res as unknown as Record<string, unknown>;
    return _implicitHeader === Gate.members._implicitHeader.value ? this.implicitHeader : _implicitHeader;
  }

  private static notePipe(this: GatedResponse, source: Readable): void {
    const gate = this[GATE]!;
    gate.sources.push(source);
    gate.leftOver?.notePipe();
  }

  /** Whether a response, or its beginning, is waiting. */
  get isHolding(): boolean {
    return this.current?.stage === Stage.waiting;
  }

  /** Whether a response that has already been ended is waiting. */
  private get isHoldingWhole(): boolean {
    return this.isHolding && this.current!.isWhole;
  }

  get hasPassed(): boolean {
    return this.current?.stage === Stage.passed;
  }

  /** Whether another response waits for the hooks of an interceptor above, before it reaches the gate. */
  private get isSentElsewhere(): boolean {
    return this.res.headersSent && !this.isAnnounced && !this.guard.isHook();
  }

  /** Reports held-back headers as sent, except to the hooks. */
  private areHeadersSent(): boolean {
    if ((this.isAnnounced || this.isHolding) && !this.guard.isHook()) return true;
    return inherited(this.res, 'headersSent');
  }

  /** Whether Node's `end` has been called: for other code, a response has ended already while hooks wait. */
  private get hasEnded(): boolean {
    return inherited(this.res, 'writableEnded');
  }

  /**
   * Opens the gate for a complete body.
   * @param send receives the body to send
   * @throws Error if a response is already waiting
   */
  sendWhole<Form extends Content>(content: Form, send: (content: Form) => void): void {
    if (this.hasPassed) {
      send(content);
    } else if (this.current === undefined && !this.isSentElsewhere) {
      this.begin(content, { isWhole: true, isSeenAbove: false, held: [changed => send(changed as Form)] });
    } else {
      this.guard.refuseSecond();
    }
  }

  /** Discards everything that is held back. Everything sent afterwards passes at once. */
  bypass(): void {
    if (this.isHolding) this.drop(this.current!);
    this.current = newAttempt({ stage: Stage.passed });
  }

  /** Passes on the queued calls at once unless it has to wait. @throws whatever sending throws */
  private begin(content: Body, given: Partial<Attempt>): Attempt {
    const attempt = newAttempt(given);
    this.current = attempt;
    let examined: Body | Promise<Body>;
    try {
      examined = this.guard.examine(content, !attempt.isWhole);
    } catch (error) {
      this.refuse(attempt, error);
      return attempt;
    }
    if (isPromise(examined)) this.wait(attempt, content, examined);
    else this.pass(attempt, examined);
    return attempt;
  }

  private wait(attempt: Attempt, content: Body, examined: Promise<Body>): void {
    // The client has disconnected: pass the queued calls on without waiting.
    attempt.onClose = () => {
      this.passLater(attempt, content);
    };
    this.res.once('close', attempt.onClose);
    const isHook = (): boolean => this.guard.isHook();
    const abandon = (): true => {
      this.bypass();
      return true;
    };
    attempt.decision = new Decision(this.res, isHook, abandon);
    if (attempt.isWhole) attempt.decision.complete();
    if (!attempt.isSeenAbove) {
      // Wrappers above, such as npm's express-session, would take a second response for the one that waits
      attempt.decision.replaceMethod('write', (...args) => this.write(args));
      attempt.decision.replaceMethod('end', (...args) => this.end(args));
    }
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
        this.guard.failedLate(error);
      });
  }

  private passLater(attempt: Attempt, content: Body): void {
    if (attempt.stage !== Stage.waiting) return;
    try {
      this.beneath.throwErrors(() => {
        this.pass(attempt, content);
      });
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.runErrorHandlers(() => {
      try {
        this.guard.failed(error);
      } catch (thrown) {
        // When the client has disconnected, nothing else would catch it
        this.guard.failedLate(thrown);
      }
    });
  }

  /** Calls code that sends another response in place of the one that has been discarded. */
  runErrorHandlers(call: () => void): void {
    if (this.leftOver === undefined) call();
    else this.leftOver.run(call);
  }

  private pass(attempt: Attempt, content: Body): void {
    this.settle(attempt, Stage.passed);
    let hasRoom = true;
    try {
      for (const call of attempt.held) {
        // A chunk after the end would be an `error` event, which ends the process
        if (this.hasEnded) break;
        hasRoom = call(content) !== false;
      }
    } catch (error) {
      // Nothing has been sent, so the response to this error also goes through the gate.
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
      this.guard.failedLate(error);
    }
  }

  private drop(attempt: Attempt): void {
    this.settle(attempt, Stage.dropped);
    resetResponse(this.res);
    // Wrappers, such as npm's compression, have begun to change the dropped response, so bypass them.
    if (attempt.isSeenAbove && !isExpired(this.res)) {
      this.beneath.retake();
      this.replaceMembers();
    }
    if (!attempt.isWhole) this.leaveOver();
  }

  /** Leaves out what the handler goes on to write. */
  private leaveOver(): void {
    const { res } = this;
    // Nothing more comes from sources that are unpiped, unless they have ended, and the end waits for hooks above
    const isEndUnderWay = res.writableEnded && !this.hasEnded;
    this.leftOver = this.sources.length === 0 || isEndUnderWay ? new LeftOver() : undefined;
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

  write(args: unknown[]): unknown {
    if (this.isLeftOver()) return false;
    const attempt = this.current ?? this.begin(undefined, {});
    const call = (): unknown => this.beneath.enter('write', args);
    if (attempt.stage === Stage.passed) return call();
    if (attempt.stage === Stage.dropped) return false;
    if (this.guard.isHook()) throw headersSent();
    // Behind a complete response, which may wait for other hooks when it is passed on
    if (attempt.isWhole) return false;
    attempt.held.push(call);
    attempt.heldBytes += sizeOf(args);
    attempt.owesDrain ||= attempt.heldBytes >= this.res.writableHighWaterMark;
    return !attempt.owesDrain;
  }

  end(args: unknown[]): unknown {
    const { res, beneath, current } = this;
    if (this.isLeftOver()) {
      // What follows comes from an error handler
      if (!this.isHoldingWhole && !this.hasEnded) this.leftOver = undefined;
    } else if (current === undefined) {
      const content = this.isOmitted(args) ? undefined : bodyOfEnd(args[0], args[1]);
      const held = [(changed: Body) => this.endWith(args, content, changed)];
      this.begin(content, { isWhole: true, held });
    } else if (current.stage !== Stage.waiting) {
      return beneath.enter('end', args);
    } else {
      if (this.guard.isHook()) throw headersSent();
      if (current.isWhole) return res;
      current.isWhole = true;
      current.decision!.complete();
      current.held.push(() => beneath.enter('end', args));
    }
    return res;
  }

  /** Whether a response has no body only because of its method or status. */
  private isOmitted([chunk]: unknown[]): boolean {
    const { res } = this;
    if (isContent(chunk)) return false;
    return (res.req as { method?: string } | undefined)?.method === 'HEAD' || res.statusCode === 304;
  }

  private endWith(args: unknown[], content: Body, changed: Body): void {
    const { res, beneath } = this;
    if (changed === content) {
      beneath.enter('end', args);
      return;
    }
    if (res.hasHeader('Content-Length')) res.setHeader('Content-Length', Buffer.byteLength(changed!));
    const callback = args.find(arg => typeof arg === 'function');
    beneath.enter('end', [changed, undefined, callback]);
  }

  /**
   * Whether a write comes from the handler of a dropped response: the error's response shows no sign of having begun,
   * or has already ended, though it may be waiting.
   */
  private isLeftOver(): boolean {
    if (this.leftOver === undefined) return false;
    if (this.isHoldingWhole || this.hasEnded) return true;
    return this.leftOver.isCalling(() => {
      if (this.current !== undefined && this.areHeadersSent()) return false;
      return !this.isAnnounced && isUntouched(this.res);
    });
  }

  private flushHeaders(): void {
    const { res } = this;
    // Wrapping middleware must be notified first, because the next write will find the headers already sent.
    if (this.current === undefined) this.makeHeader();
    const attempt = this.current ?? this.begin(undefined, {});
    if (attempt.stage === Stage.passed) this.flush.call(res);
    else attempt.held.push(() => this.flush.call(res));
  }

  /** Sends nothing by itself: the hooks run with the first `write`, or with `end`, which may have the complete body. */
  writeHead(args: unknown[]): unknown {
    const { res } = this;
    if (this.hasPassed) return this.beneath.enter('writeHead', args);
    if (this.isAnnounced || (this.current !== undefined && !this.isImplicit)) throw headersSent();
    const [status, ...rest] = args;
    res.statusCode = status as number;
    const reason = applyWriteHeadArguments(res, rest);
    if (reason !== undefined) res.statusMessage = reason;
    this.isAnnounced = true;
    return res;
  }

  /** Replaces Node's method, which middleware also calls if there is no header block yet. */
  private makeHeader(): void {
    const { res } = this;
    if (this.hasPassed) {
      this.implicitHeader.call(res);
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

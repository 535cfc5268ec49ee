/**
 * Holds back what a response writes until its hooks have run: the response gets functions of its own, which hold each
 * call as long as that takes, and then call the functions that it had before.
 *
 * Whoever patches the response later is above these functions, and calls them; whoever has patched it before is beneath.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { contentOf, sizeOf } from './content';
import type { Content } from './content';
import { GATE } from './gate';
import type { Gate } from './gate';
import { setGiven } from './given-fields';
import { hide } from './hidden';
import { takeBack } from './take-back';

export interface GatedResponse extends ServerResponse {
  [GATE]?: SendGate;
  _implicitHeader(): void;
}

/** What the hooks leave of a body; undefined where it is not known as a whole. */
export type Examined = Content | undefined;

const enum Stage {
  waiting,
  passed,
  dropped,
}

/** A response on its way through the gate. */
interface Attempt {
  stage: Stage;
  /** Whether all of it has been given. */
  isWhole: boolean;
  /** Whether functions above have been called for it, and may have begun to change it. */
  isSeenAbove: boolean;
  /** The calls that wait. Those of `write` return whether there is room for more. */
  held: ((content: Examined) => unknown)[];
  heldBytes: number;
  /** Whether `write` has returned false. */
  owesDrain: boolean;
  onClose: (() => void) | undefined;
}

type Beneath = Pick<GatedResponse, 'write' | 'end' | 'writeHead' | 'flushHeaders' | '_implicitHeader'>;

export abstract class SendGate implements Gate {
  /** Whether a hook's own code is running. */
  protected isInHook = false;
  private current: Attempt | undefined;
  /** Whether `writeHead` has been called. */
  private isAnnounced = false;
  private isImplicit = false;
  /** Whether a response was dropped before its handler had ended it. */
  private hasLeftOver = false;
  /** Whether those who handle errors are being called. */
  private isFailing = false;
  private readonly sources: Readable[] = [];
  private readonly beneath: Beneath;

  constructor(private readonly res: GatedResponse) {
    const { write, end, writeHead, flushHeaders, _implicitHeader } = res;
    this.beneath = { write, end, writeHead, flushHeaders, _implicitHeader };
    Object.defineProperty(res, GATE, { value: this });
    Object.defineProperty(res, 'headersSent', SendGate.headersSent);
    hide(res, SendGate.functions);
    res.on('pipe', SendGate.notePipe);
  }

  /** The functions of every response that has a gate: closures of its own would cost more than the rest of it. */
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
   * Runs the hooks before anything of the response is sent.
   * @param isStream whether it comes in pieces, so that it can't be replaced
   * @returns the body that is to be sent
   */
  protected abstract examine(content: Examined, isStream: boolean): Examined | Promise<Examined>;
  /** Is told why the response was dropped. */
  protected abstract failed(error: unknown): void;
  /** Is told of an error that comes when the response is no longer waiting. */
  protected abstract failedLate(error: unknown): void;

  /** Whether a response is waiting. */
  get isHolding(): boolean {
    return this.current?.stage === Stage.waiting;
  }

  get isHoldingWhole(): boolean {
    return this.isHolding && this.current!.isWhole;
  }

  private get hasPassed(): boolean {
    return this.current?.stage === Stage.passed;
  }

  /** What has been given counts as sent for everyone but the hooks. */
  private areHeadersSent(): boolean {
    if (!this.isInHook && (this.isAnnounced || this.isHolding)) return true;
    return Reflect.get(Object.getPrototypeOf(this.res) as object, 'headersSent', this.res) as boolean;
  }

  sendWhole(content: Content, send: (content: Content) => void): void {
    if (this.hasPassed) send(content);
    else if (this.current !== undefined) throw alreadyGiven();
    else this.begin(content, { isWhole: true, isSeenAbove: false, held: [changed => send(changed!)] });
  }

  bypass(): void {
    if (this.isHolding) this.drop(this.current!);
    this.current = newAttempt({ stage: Stage.passed });
  }

  /** Runs the hooks. What was held passes at once, unless one of them is asynchronous. @throws what sending it throws */
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
    if (examined instanceof Promise) this.wait(attempt, content, examined);
    else this.pass(attempt, examined);
    return attempt;
  }

  private wait(attempt: Attempt, content: Examined, examined: Promise<Examined>): void {
    // Nobody is left to wait for: what is held goes where it would have gone without hooks.
    attempt.onClose = () => {
      this.passLater(attempt, content);
    };
    this.res.once('close', attempt.onClose);
    examined.then(
      result => {
        this.passLater(attempt, result);
      },
      (error: unknown) => {
        this.refuse(attempt, error);
      },
    );
  }

  private passLater(attempt: Attempt, content: Examined): void {
    if (attempt.stage !== Stage.waiting) return;
    try {
      this.pass(attempt, content);
    } catch (error) {
      this.failed(error);
    }
  }

  private pass(attempt: Attempt, content: Examined): void {
    this.settle(attempt, Stage.passed);
    let hasRoom = true;
    try {
      for (const call of attempt.held) hasRoom = call(content) !== false;
    } catch (error) {
      // Nothing has been sent: the response to this error passes the hooks as well.
      if (!this.areHeadersSent()) this.current = undefined;
      throw error;
    }
    if (attempt.owesDrain && hasRoom && !this.res.writableEnded) this.res.emit('drain');
  }

  private refuse(attempt: Attempt, error: unknown): void {
    if (attempt.stage === Stage.waiting) {
      this.drop(attempt);
      this.current = undefined;
      this.isFailing = true;
      this.failed(error);
      this.isFailing = false;
    } else {
      this.failedLate(error);
    }
  }

  private drop(attempt: Attempt): void {
    const { res } = this;
    this.settle(attempt, Stage.dropped);
    takeBack(res);
    // Functions above have begun to change what is dropped: to compress it, say.
    if (attempt.isSeenAbove) hide(res, SendGate.functions);
    if (attempt.isWhole) return;
    this.hasLeftOver = true;
    for (const source of this.sources) {
      source.unpipe(res);
      // Not now: whoever watches both would close the response. And a request's connection is needed.
      if (source !== res.req) res.once('close', () => source.destroy());
    }
  }

  private settle(attempt: Attempt, stage: Stage): void {
    attempt.stage = stage;
    this.isAnnounced = false;
    if (attempt.onClose !== undefined) this.res.off('close', attempt.onClose);
  }

  private write(args: unknown[]): boolean {
    const { res, beneath } = this;
    if (this.isLeftOver()) return false;
    const attempt = this.current ?? this.begin(undefined, {});
    const call = (): boolean => Reflect.apply(beneath.write, res, args) as boolean;
    if (attempt.stage === Stage.passed) return call();
    if (attempt.stage === Stage.dropped) return false;
    attempt.held.push(call);
    attempt.heldBytes += sizeOf(args);
    attempt.owesDrain ||= attempt.heldBytes >= res.writableHighWaterMark;
    return !attempt.owesDrain;
  }

  private end(args: unknown[]): ServerResponse {
    const { res, beneath, current } = this;
    if (this.isLeftOver()) return res;
    if (current === undefined) {
      const content = contentOf(res, args);
      const held = [(changed: Examined) => this.endWith(args, content, changed)];
      this.begin(content, { isWhole: true, held });
    } else if (current.stage === Stage.waiting) {
      current.isWhole = true;
      current.held.push(() => Reflect.apply(beneath.end, res, args) as unknown);
    } else {
      Reflect.apply(beneath.end, res, args);
    }
    return res;
  }

  private endWith(args: unknown[], content: Examined, changed: Examined): void {
    const { res, beneath } = this;
    if (changed === content) {
      Reflect.apply(beneath.end, res, args);
      return;
    }
    if (res.hasHeader('Content-Length')) res.setHeader('Content-Length', Buffer.byteLength(changed!));
    const callback = args.find(arg => typeof arg === 'function');
    Reflect.apply(beneath.end, res, [changed, undefined, callback]);
  }

  /**
   * Whether a handler goes on to write a response that was dropped: nothing says that the error's has begun, or it has
   * ended.
   */
  private isLeftOver(): boolean {
    const { res } = this;
    if (!this.hasLeftOver) return false;
    if (this.current !== undefined) return res.writableEnded;
    const isBegun = this.isAnnounced || this.isFailing || res.hasHeader('Content-Type');
    return !isBegun && res.statusCode === 200;
  }

  private flushHeaders(): void {
    const { res, beneath } = this;
    // Middleware above is to hear of it before: what is written next finds the headers sent.
    if (this.current === undefined) this.makeHeader();
    const attempt = this.current ?? this.begin(undefined, {});
    if (attempt.stage === Stage.passed) beneath.flushHeaders.call(res);
    else attempt.held.push(() => beneath.flushHeaders.call(res));
  }

  /** Nothing is sent by it alone: the hooks run with the first `write`, or with `end`, which may have the whole body. */
  private writeHead([status, ...rest]: unknown[]): ServerResponse {
    const { res, beneath } = this;
    if (this.hasPassed) {
      Reflect.apply(beneath.writeHead, res, [status, ...rest]);
      return res;
    }
    if (this.isAnnounced || (this.current !== undefined && !this.isImplicit)) throw alreadyGiven();
    res.statusCode = status as number;
    const reason = setGiven(res, rest);
    if (reason !== undefined) res.statusMessage = reason;
    this.isAnnounced = true;
    return res;
  }

  /** In place of Node's function, which middleware calls too where it finds no header block. */
  private makeHeader(): void {
    const { res, beneath } = this;
    if (this.hasPassed) {
      beneath._implicitHeader.call(res);
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
    ...given,
  };
}

function alreadyGiven(): Error {
  return Object.assign(
    new Error('Cannot set headers: a response has been sent, and its hooks are still running'),
    {
      code: 'ERR_HTTP_HEADERS_SENT',
    },
  );
}

/**
 * Runs the hooks of one response: gives it its own `writeHead`, `write` and `end`, and calls those that it had before.
 *
 * Functions that other code assigns to the response later wrap these; those assigned earlier are called by them. So the
 * hooks run in their place among any other middleware.
 *
 * A Ristretto application looks for the interceptor of a response when it sends a whole body: if no code has assigned
 * other functions, it calls `respond` instead of `end`, and sends header block and body in one write.
 */
import type { ServerResponse } from 'node:http';
import { COMPLETE, Decision, headersSent, isExpired } from './decision';
import { applyWriteHeadArguments, isUntouched, resetResponse, setLength } from './headers';
import type { Callback, Content, Output } from './hook';
import { bodyOfEnd, encodingOf, isContent, isPromise } from './content';
import {
  destroyInTurn,
  endWith,
  INTERCEPTOR,
  inherited,
  mask,
  methodsFor,
  methodsOf,
  sharedMethods,
} from './methods';
import type { Methods } from './methods';
import { Gate } from './gate';
import type { Guard } from './gate';
import { LeftOver } from './left-over';
import { HookList } from './hook-list';
import type { Result } from './hook-list';
import { connectOutputs } from './outputs';
import { passError } from './pass-error';

export interface InterceptedResponse extends ServerResponse {
  [INTERCEPTOR]?: Interceptor;
}

/** Sends a whole body. `isChanged` is true if it is not the one that `respond` was called with. */
type Send<Form> = (res: InterceptedResponse, content: Content, form: Form, isChanged: boolean) => void;

const enum Stage {
  /** Nothing has been sent. */
  open,
  /** `end` has been called with the whole body, and the hooks are running. */
  whole,
  /** The body is sent in chunks. */
  pieces,
  /** Calls are passed on. */
  passing,
}

export class Interceptor extends HookList {
  /** The functions that this interceptor has set on the response, and those that it had before. */
  readonly methods: Methods;
  readonly originalMethods: Methods;
  /** The next one of the same response. */
  above: Interceptor | undefined = undefined;
  private gate: Gate | undefined = undefined;
  private stage = Stage.open;
  /** The complete body, if it is known. */
  private content: Content | undefined = undefined;
  /** Whether `writeHead` is called only to run the wrappers around it. */
  private isRehearsal = false;
  /** Whether the complete body has been passed. */
  isEnded = false;
  /** Set while the response waits for a hook or for the first chunk that a hook passes on. */
  private decision: Decision | undefined = undefined;
  /** Whether one of the methods is being called. */
  private isEntered = false;
  /** Receives the chunks; undefined if no hook does. */
  private output: Output | undefined = undefined;
  /** What the outputs of the hooks write to. */
  private last: Output | undefined = undefined;
  /**
   * Whether all has been sent: further calls are ignored then, as by packages that replace `write` and `end`. For a chunk
   * after the end, Node would emit an error, which ends the process. False again when a hook of another one fails.
   */
  private isOver = false;
  /** Set if the response was dropped before its handler ended it, and whether a part of it had been sent. */
  private leftOver: LeftOver | undefined = undefined;
  private isCut = false;
  /** How many responses have been dropped. */
  private failures = 0;

  /** @param isHidden whether its methods are not enumerable: loops over the members of a response do not expect methods */
  constructor(
    res: InterceptedResponse,
    private readonly isHidden = false,
  ) {
    super(res);
    this.originalMethods = methodsOf(res);
    const first = res[INTERCEPTOR];
    if (first === undefined) {
      this.methods = sharedMethods;
      res[INTERCEPTOR] = this;
    } else {
      this.methods = methodsFor(this);
      // That of another package may have only what an application calls
      if (first.top !== undefined) first.top.above = this;
    }
    this.retake();
  }

  /** Makes its methods those of the response, in place of any that other code has assigned since. */
  retake(): void {
    const { methods } = this;
    const target = this.res as unknown as Methods;
    if (this.isHidden) {
      for (const name of ['writeHead', 'write', 'end'] as const)
        Object.defineProperty(target, name, { configurable: true, writable: true, value: methods[name] });
      return;
    }
    target.writeHead = methods.writeHead;
    target.write = methods.write;
    target.end = methods.end;
  }

  /** The last interceptor of the response. */
  get top(): Interceptor {
    return this.above === undefined ? this : this.above.top;
  }

  /** Whether no code has assigned other functions to the response since. */
  isOnTop(): boolean {
    const { methods } = this;
    const { writeHead, write, end } = this.res as unknown as Methods;
    return end === methods.end && write === methods.write && writeHead === methods.writeHead;
  }

  private decide(): Decision {
    const isHook = (): boolean => this.isInHook;
    return (this.decision = new Decision(this.res, isHook, () => this.abandon()));
  }

  private release(): void {
    this.decision?.release();
    this.decision = undefined;
  }

  /** Whether nothing has been sent, and no code has assigned other functions, so that `respond` may be called. */
  canRespond(): boolean {
    return this.stage === Stage.open && this.gate?.hasPassed !== false && this.isOnTop();
  }

  /** Adds what runs before all hooks. */
  addGate(guard: Guard): void {
    this.gate = new Gate(this.res, this, guard);
  }

  /**
   * Runs the hooks with a whole body, and then sends it, perhaps later.
   * @param form passed on to `send`
   * @throws what `send` throws
   */
  respond<Form>(content: Content, send: Send<Form>, form: Form): void {
    let body: Result;
    this.stage = Stage.whole;
    this.isEnded = true;
    try {
      this.rehearse(content);
      body = this.runWholes(content);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (isPromise(body)) this.wait(body, content, send, form);
    else this.send(body, content, send, form);
  }

  /** Runs the hooks that come before the header block is created, and the wrappers around `writeHead`. */
  private rehearse(content: Content | undefined): void {
    const { res } = this;
    this.content = content;
    if (res.headersSent) return;
    if ((res as unknown as Methods).writeHead !== this.methods.writeHead) {
      this.isRehearsal = true;
      try {
        res.writeHead(res.statusCode);
      } finally {
        this.isRehearsal = false;
      }
    }
    this.runHeads(content);
  }

  private send<Form>(body: Content, content: Content, send: Send<Form>, form: Form): void {
    const isChanged = body !== content;
    this.stage = Stage.passing;
    this.release();
    if (isChanged && !this.changeLength(body)) return;
    this.finish(() => {
      send(this.res, body, form, isChanged);
    });
  }

  /** Calls a function that sends all that is left, which may fail and cause another response. */
  private finish<T>(call: () => T): T {
    const { failures } = this;
    const result = call();
    this.isOver = this.isPassing && this.failures === failures;
    return result;
  }

  /** @returns whether the length could be changed */
  private changeLength(body: Content): boolean {
    try {
      setLength(this.res, body);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  private wait<Form>(promise: Promise<Content>, content: Content, send: Send<Form>, form: Form): void {
    mask(this.res);
    const decision = this.decide().complete();
    promise.then(
      body => {
        // Another response has been sent meanwhile
        if (this.decision !== decision) return;
        try {
          this.send(body, content, send, form);
        } catch (error) {
          this.fail(error);
        }
      },
      (error: unknown) => {
        this.fail(error, this.decision !== decision);
      },
    );
  }

  /** Handles an error that cannot be thrown to a caller. @param isLate whether another response has been sent meanwhile */
  private fail(error: unknown, isLate = false): void {
    if (!isLate) this.reopen();
    passError(this.res, error || new Error(`A response hook failed without a reason (${String(error)})`));
  }

  /** Handles an error in the middle of a response, which its handler goes on to write. */
  private failInside(error: unknown): void {
    const leftOver = new LeftOver();
    // A piped source waits for `drain`, and writes nothing more
    if (this.res.listenerCount('unpipe') === 0) {
      const isCut = inherited(this.res, 'headersSent');
      const receiver = isCut ? this.top : this;
      receiver.leftOver = leftOver;
      receiver.isCut = isCut;
    }
    leftOver.run(() => {
      this.fail(error);
    });
  }

  /** Allows another response to be sent instead of the one whose hook has failed. */
  private reopen(): void {
    const { res } = this;
    // Those above have passed on the failed response, and would ignore the other one
    this.above?.reopen();
    this.failures++;
    this.stage = Stage.passing;
    this.isEnded = false;
    this.isOver = false;
    this.release();
    this.failure = undefined;
    this.output = undefined;
    this.last = undefined;
    if (res.headersSent) return;
    this.stage = Stage.open;
    this.content = undefined;
    resetResponse(res);
    // Wrappers, such as npm's compression, have begun to change the dropped response, so bypass them
    if (!isExpired(res)) this.retake();
  }

  /**
   * Whether a call comes from the handler of a dropped response, while error handlers wait: it would be a body without its
   * beginning, sent with the status 200, or, if its headers have been sent, one that lacks what has failed.
   */
  private isLeftOver(): boolean {
    const { leftOver, res } = this;
    if (leftOver === undefined) return false;
    return leftOver.isCalling(
      () => this.isCut || (this.stage === Stage.open && !res.headersSent && isUntouched(res)),
    );
  }

  /** Whether `res.send` has been called, and its response waits for hooks of the application, which run first. */
  private isSentBeneath(): boolean {
    return this.stage === Stage.open && COMPLETE in this.res;
  }

  /** Discards a complete response that waits for hooks, so that another can be sent. @returns whether there was one */
  private abandon(): boolean {
    const isWaiting = this.isEnded && !inherited(this.res, 'headersSent');
    if (isWaiting) this.reopen();
    return isWaiting;
  }

  /** Receives a call of other code. */
  receive(name: keyof Methods, args: unknown[]): unknown {
    return this.gate === undefined ? this.enter(name, args) : this.gate[name](args);
  }

  /** Calls a method for other code, which expects no errors of hooks. */
  enter(name: keyof Methods, args: unknown[]): unknown {
    if (this.isEntered) return this[name](args);
    this.isEntered = true;
    try {
      return this[name](args);
    } catch (error) {
      const { failure } = this;
      if (failure === undefined) throw error;
      this.failure = undefined;
      this.isEntered = false;
      if (name === 'end') this.fail(failure.error);
      else this.failInside(failure.error);
      return name === 'write' ? false : this.res;
    } finally {
      this.isEntered = false;
    }
  }

  /**
   * Calls a function that writes what was held back, and handles the errors of hooks itself. Handled here, an error in the
   * `writeHead` of a chunk would be responded to in the middle of that chunk, which would follow the response.
   */
  throwErrors(call: () => void): void {
    const all: Interceptor[] = [];
    // Those of other packages and copies handle errors themselves
    for (let at = (this.res as InterceptedResponse)[INTERCEPTOR]; at !== undefined; at = at.above)
      if (at instanceof Interceptor && at !== this) all.push(at);
    // The last one that is reopened has its methods on top
    all.push(this);
    for (const each of all) each.isEntered = true;
    try {
      call();
    } catch (error) {
      // A late handler may respond before the error handlers do, and must not get the status of what has failed
      for (const each of all) each.reopen();
      throw error;
    } finally {
      for (const each of all) {
        each.isEntered = false;
        each.failure = undefined;
      }
    }
  }

  /** Replaces `writeHead`. */
  writeHead(args: unknown[]): unknown {
    const { res, originalMethods } = this;
    const isDecided = this.stage === Stage.whole || this.decision !== undefined;
    if (isDecided && !this.isRehearsal) throw headersSent();
    if (this.head === undefined || res.headersSent) {
      return this.isRehearsal ? res : originalMethods.writeHead.apply(res, args);
    }
    const [status, ...rest] = args;
    res.statusCode = status as number;
    const reason = applyWriteHeadArguments(res, rest);
    this.runHeads(this.content);
    if (this.isRehearsal) return res;
    const isChanged = res.statusCode !== status;
    return reason === undefined || isChanged
      ? originalMethods.writeHead.call(res, res.statusCode)
      : originalMethods.writeHead.call(res, status, reason);
  }

  /** Replaces `write`. */
  write(args: unknown[]): unknown {
    const { res, originalMethods } = this;
    const isPassing = this.stage === Stage.passing;
    if (this.isOver || (this.isEnded && !isPassing) || this.isLeftOver()) return false;
    if (isPassing || !isContent(args[0]) || this.isSentBeneath())
      return originalMethods.write.apply(res, args);
    if (this.stage === Stage.open) this.openPieces();
    const { output } = this;
    if (output === undefined) return originalMethods.write.apply(res, args);
    const [chunk, encoding, callback] = args;
    return this.run(() =>
      typeof encoding === 'function'
        ? output.write(chunk, undefined, encoding as Callback)
        : output.write(chunk, encoding as BufferEncoding, callback as Callback),
    );
  }

  private openPieces(): void {
    if (this.body !== undefined) {
      // The header block is created with the first chunk, so that another response can follow an error.
      this.rehearse(undefined);
      this.connect();
    }
    this.stage = this.output === undefined ? Stage.passing : Stage.pieces;
    if (this.output !== undefined && !this.res.headersSent) this.decide();
  }

  /** Connects the outputs of the hooks, the one added first next to the connection. */
  private connect(): void {
    const { res, originalMethods } = this;
    const isAbandoned = (): boolean => this.last !== last;
    const last: Output = {
      write: (...args) => {
        if (isAbandoned()) return false;
        this.release();
        return originalMethods.write.apply(res, args) as boolean;
      },
      end: (...args) => {
        if (isAbandoned()) return;
        this.stage = Stage.passing;
        this.release();
        // HTTP/2's `end` calls `write`.
        originalMethods.end.apply(res, args);
        this.isOver = this.output !== undefined;
      },
    };
    this.last = last;
    const catching = (output: Output): Output => this.catching(output);
    this.output = this.run(() => connectOutputs(res, this.takeBodies(), catching(last), catching));
  }

  /** Returns an output for hooks, which may call it later, when nothing else would catch what it throws. */
  private catching(output: Output): Output {
    const attempt = <T>(call: () => T): T | false => {
      if (this.isEntered) return call();
      try {
        return call();
      } catch (error) {
        this.failInside(error);
        return false;
      }
    };
    return {
      write: (...args) => attempt(() => output.write(...args)),
      end: (...args) => void attempt(() => output.end(...args)),
    };
  }

  /** Replaces `end`. */
  end(args: unknown[]): unknown {
    const { res, originalMethods } = this;
    const [chunk, encoding] = args;
    if (this.isOver) return false;
    if (this.isLeftOver()) {
      if (this.isCut) destroyInTurn(res);
      // What follows comes from an error handler
      this.leftOver = undefined;
      return false;
    }
    const isInvalid = Boolean(chunk) && typeof chunk !== 'function' && !isContent(chunk);
    if (this.stage === Stage.passing || isInvalid || this.isSentBeneath()) {
      return originalMethods.end.apply(res, args);
    }
    if (this.isEnded) return false;
    const callback = args.find(arg => typeof arg === 'function') as Callback | undefined;
    if (this.stage === Stage.pieces) {
      this.endPieces(chunk, encoding, callback);
      return res;
    }
    const content = bodyOfEnd(chunk, encoding);
    if (this.body === undefined && !this.isOnTop()) {
      // Other code's functions will call `writeHead` once.
      this.stage = Stage.passing;
      this.content = content;
      return this.finish(() => originalMethods.end.apply(res, args));
    }
    this.respond(content, endWith, { end: originalMethods.end, args, callback });
    return res;
  }

  private endPieces(chunk: unknown, encoding: unknown, callback: Callback | undefined): void {
    const { res } = this;
    this.isEnded = true;
    if (callback !== undefined) res.once('finish', callback);
    this.run(() => {
      if (isContent(chunk)) this.output!.end(chunk, encodingOf(encoding));
      else this.output!.end();
    });
    if (!this.isPassing) mask(res);
  }

  private get isPassing(): boolean {
    return this.stage === Stage.passing;
  }
}

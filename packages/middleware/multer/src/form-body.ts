/** Reads the body of a request, or what the application's `streamHandler` writes instead, as fast as files are stored. */
import { run } from './multer-error';
import { AsyncResource } from 'node:async_hooks';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers';
import type { Request } from './types';

export interface BodyOptions {
  highWaterMark: number | undefined;
  streamHandler: ((req: Request, parser: Writable) => unknown) | undefined;
}

/** Called in the asynchronous context of the middleware, not in that of the connection. */
export interface BodyListener {
  onChunk(chunk: Buffer): void;
  onBodyEnd(): void;
  onBodyError(error: unknown): void;
}

export class FormBody {
  private readonly scope = new AsyncResource('MULTER');
  private isPaused = false;
  /** The stream of `streamHandler`, and the callback of a write that has to wait. */
  private writable: Writable | undefined = undefined;
  private written: (() => void) | undefined = undefined;

  constructor(
    private readonly req: Request,
    private readonly options: BodyOptions,
    private readonly listener: BodyListener,
  ) {}

  start(): void {
    const { req } = this;
    req.on('aborted', this.onAborted);
    req.on('error', this.onError);
    req.on('close', this.onAborted);
    if (this.options.streamHandler !== undefined) {
      this.readThrough(this.options.streamHandler);
    } else if (req.readableEnded) {
      setImmediate(this.onEnd);
    } else if (req.destroyed) {
      setImmediate(this.onAborted);
    } else {
      req.on('data', this.onData);
      req.on('end', this.onEnd);
      req.resume();
    }
  }

  /** Reads no more for now. */
  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    if (this.writable === undefined) this.req.pause();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    if (this.writable === undefined) this.req.resume();
    const { written } = this;
    this.written = undefined;
    written?.();
  }

  /** Ends reading, and calls the next handler as if the middleware had called it at once. */
  finish(next: () => void): void {
    this.stop();
    this.scope.runInAsyncScope(next);
  }

  private stop(): void {
    const { req } = this;
    req.off('aborted', this.onAborted);
    req.off('error', this.onError);
    req.off('close', this.onAborted);
    req.off('data', this.onData);
    req.off('end', this.onEnd);
    if (this.writable !== undefined) req.unpipe(this.writable);
  }

  /** Discards the rest of the body: clients read the response only after they have sent everything. */
  discard(discarded: () => void): void {
    this.stop();
    const { req, scope } = this;
    const done = (): void => {
      req.off('end', done);
      req.off('error', done);
      req.off('close', done);
      scope.runInAsyncScope(discarded);
    };
    if (req.readableEnded || req.destroyed) {
      done();
      return;
    }
    req.on('end', done);
    req.on('error', done);
    req.on('close', done);
    req.resume();
  }

  private readThrough(streamHandler: (req: Request, parser: Writable) => unknown): void {
    const { highWaterMark } = this.options;
    const writable = new Writable({
      ...(highWaterMark === undefined ? {} : { highWaterMark }),
      write: (chunk: Buffer, _encoding, callback) => {
        this.onData(chunk);
        if (this.isPaused) this.written = callback;
        else callback();
      },
      final: callback => {
        callback();
        this.onEnd();
      },
    });
    writable.on('error', this.onError);
    this.writable = writable;
    run(() => streamHandler(this.req, writable), this.onError);
  }

  private readonly onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, this.req.readableEncoding ?? 'utf8') : chunk;
    this.scope.runInAsyncScope(this.listener.onChunk, this.listener, bytes);
  };

  private readonly onEnd = (): void => {
    this.scope.runInAsyncScope(this.listener.onBodyEnd, this.listener);
  };

  private readonly onAborted = (): void => {
    // A request also closes after its body has been read.
    if (!this.req.readableEnded) this.onError(new Error('Request aborted'));
  };

  private readonly onError = (error: unknown): void => {
    const reason = this.req.readableAborted ? new Error('Request aborted') : error;
    this.scope.runInAsyncScope(this.listener.onBodyError, this.listener, reason);
  };
}

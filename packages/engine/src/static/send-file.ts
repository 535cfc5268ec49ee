/**
 * Sends a file as the response to a request and reports the outcome: the basis of `res.sendFile` and `res.download`.
 */
import { AsyncResource } from 'node:async_hooks';
import { sep } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as warn from '../dev/warn';
import { shown } from '../shown';
import type { SendFileOptions } from '../types/files';
import type { FileVersion } from '../version';
import { isOver, onClosed } from '../serving/closing';
import { FileResponse } from './file-response';
import { filePolicy } from './file-options';
import { decodePath, locate } from './resolve';

const warnings = deferred(() => require('../dev/warn') as typeof warn, reportsMistakes);

/**
 * Called once. Without an error, the response is complete; with one, nothing was sent or the client has disconnected.
 */
export type Ended = (error?: NodeJS.ErrnoException) => void;

/** The file to send, and how. */
export interface Order {
  /** Absolute, or relative to `options.root`, or else to the working directory. */
  path: string;
  /** Whether the path comes from a URL and must be decoded. */
  isEncoded: boolean;
  options: SendFileOptions;
  /** Whether `ended` is also called when the response has completed or the client disconnects. */
  isWatched: boolean;
  version: FileVersion;
  ended: Ended;
}

/**
 * Sends a file.
 * @throws TypeError if an option is invalid
 */
export function sendFile(req: IncomingMessage, res: ServerResponse, order: Order): void {
  new OrderedFile(req, res, order).start();
}

class OrderedFile extends FileResponse {
  /** The asynchronous context of the caller; the events of the connection occur in another one. */
  private readonly context = new AsyncResource('OrderedFile');
  private isDone = false;
  private state: 'new' | 'looking' | 'sending' = 'new';
  private unwatch: (() => void) | undefined;
  private socket: Socket | null = null;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    private readonly order: Order,
  ) {
    super(req, res, filePolicy(order.options, order.version));
  }

  start(): void {
    if (isOver(this.res)) {
      // Deferred, because callers do not expect the callback before this call returns.
      setImmediate(() => {
        if (this.res.writableEnded) this.failAfterHeaders();
        else this.abort();
      });
      return;
    }
    this.state = 'looking';
    if (this.order.isWatched) {
      this.unwatch = onClosed(this.req, this.res, this.abort);
      this.res.on('finish', this.finished);
      // Of pipelined requests, only the first has the socket; the others only learn that it closed.
      this.socket = this.res.socket;
      this.socket?.on('error', this.socketFailed);
    }
    const path = this.order.isEncoded ? decodePath(this.order.path) : this.order.path;
    const file = path === undefined ? 400 : locate(path, this.policy.root, this.policy.dotfiles);
    if (file === 404 && this.policy.root === undefined) this.warnOfHidden(path!);
    if (typeof file === 'number') this.fail(file);
    else this.send(file, this.order.path.endsWith('/'));
  }

  /** An installation below `.pnpm` or `.nvm` makes every file a 404. */
  private warnOfHidden(path: string): void {
    const { app } = this.req as { app?: { settings?: Parameters<typeof reportsMistakes>[0] } };
    const name = path.split(sep).find(each => /^\.[^.]/.test(each));
    if (name === undefined || !reportsMistakes(app?.settings)) return;
    const message =
      `The file ${shown(path)} is a 404, because ${shown(name)} in its path begins with a dot. Pass its directory as ` +
      "root, of which hidden names are allowed: res.sendFile(name, { root: __dirname }), or { dotfiles: 'allow' }.";
    warnings().warnOnce('RISTRETTO_HIDDEN_FILE', message);
  }

  protected override addFields(): void {
    this.state = 'sending';
    const { headers } = this.order.options;
    if (!headers) return;
    for (const name of Object.keys(headers)) this.res.setHeader(name, headers[name] as string);
  }

  protected override foundDirectory(): void {
    this.done(Object.assign(new Error('EISDIR, read'), { code: 'EISDIR' }));
  }

  protected override failed(error: Error): void {
    // Error handlers would destroy the connection of another response that has been sent meanwhile
    if (this.state === 'looking' && this.res.writableEnded) this.abort();
    else this.done(error);
  }

  protected override broken(error: Error): void {
    this.done(error);
  }

  private readonly finished = (): void => {
    if (this.state === 'sending') this.done();
    else this.abort();
  };

  /**
   * The connection was closed; a response that was already complete has been reported. Deferred, as in Express, so that
   * listeners of the request are called first.
   */
  private readonly abort = (): void => {
    setImmediate(() => this.done(requestAborted()));
  };

  /** The connection is about to close because of this error. */
  private readonly socketFailed = (error: NodeJS.ErrnoException): void => {
    this.done(error.code === 'ECONNRESET' ? requestAborted() : error);
  };

  private done(error?: NodeJS.ErrnoException): void {
    if (this.isDone) return;
    this.isDone = true;
    this.unwatch?.();
    this.res.off('finish', this.finished);
    this.socket?.off('error', this.socketFailed);
    this.context.runInAsyncScope(this.order.ended, undefined, error);
  }
}

function requestAborted(): NodeJS.ErrnoException {
  return Object.assign(new Error('Request aborted'), { code: 'ECONNABORTED' });
}

/** A response of server-sent events: each is written in one chunk, and comments keep an idle connection open. */
import { Buffer } from 'node:buffer';
import { ServerResponse } from 'node:http';
import { cutOff, isOver, onClosed } from '../../serving/closing';
import { endOnStop } from '../../serving/long-lived';
import { noteOpen } from '../../serving/process-state';
import { formatComment, formatEvent } from '../../protocol/event-stream';
import type { EventFields } from '../../protocol/event-stream';
import { sizeOption, timerDuration } from '../../amount';
import { stringify } from '../../protocol/json';
import type { JsonReplacer } from '../../protocol/json';
import { checkNames } from '../../report/option-checks';
import type { EventStream, EventStreamOptions, ServerSentEvent } from '../../types/events';
import { reportLate } from '../../router/rejection';
import type { Response } from '../../types/internals';

const CALLER = 'res.sse()';
const OPTIONS = ['heartbeat', 'maxBacklog'] satisfies (keyof EventStreamOptions)[];
const HEARTBEAT = '15s';
const MAX_BACKLOG = '1mb';

const { flush: NATIVE_FLUSH } = ServerResponse.prototype as { flush?: unknown };

const FIELDS = new Set(['event', 'data', 'id', 'retry']);

/** Sends the header block and returns the object that sends events. */
export function openEventStream(res: Response, options: EventStreamOptions = {}): EventStream {
  checkNames(CALLER, options, OPTIONS);
  const { heartbeat = HEARTBEAT } = options;
  const beat = heartbeat === false ? 0 : timerDuration(`the heartbeat of ${CALLER}`, heartbeat, 1);
  const limit = sizeOption(CALLER, 'maxBacklog', options.maxBacklog ?? MAX_BACKLOG);
  res.setHeader('Content-Type', 'text/event-stream');
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-cache');
  // Without this, nginx buffers the events.
  res.setHeader('X-Accel-Buffering', 'no');
  res.removeHeader('Content-Length');
  const stream = new EventResponse(res, limit);
  stream.begin(beat);
  return stream;
}

const nothing = (): void => undefined;

class EventResponse implements EventStream {
  readonly lastEventId: string;
  private isClosed = false;
  private timer: Partial<NodeJS.Timeout> | undefined;
  /** Pending while the client reads too slowly; resolved on `drain`. */
  private room: Promise<boolean> | undefined;
  /** Bytes whose `write` has not called back: `writableLength` has none of those that a compressor holds. */
  private unwritten = 0;
  /** Whether `write` calls back: wrappers may ignore the callback. */
  private callsBack = false;
  private wake: () => void = nothing;
  private readonly releases: (() => void)[] = [];

  constructor(
    private readonly res: Response,
    private readonly limit: number,
  ) {
    this.lastEventId = decode(res.req.get('Last-Event-ID') ?? '');
  }

  get closed(): boolean {
    return this.isClosed || isOver(this.res);
  }

  begin(heartbeat: number): void {
    const { res } = this;
    if (isOver(res)) return;
    if (res.req.method === 'HEAD') {
      this.close();
      return;
    }
    noteOpen('eventStreams', 1);
    this.releases.push(() => {
      noteOpen('eventStreams', -1);
    });
    // Added once, not for each wait: compression middleware forwards `drain` and cannot remove a listener.
    res.on('drain', this.drained);
    this.releases.push(onClosed(res.req, res, this.stop), () => res.off('drain', this.drained));
    if (heartbeat > 0) this.timer = setInterval(this.beat, heartbeat);
    // Only the connection should keep the process running.
    this.timer?.unref?.();
    res.flushHeaders();
    this.releases.push(endOnStop(res, this.close));
  }

  send(event: string | ServerSentEvent): Promise<boolean> {
    return this.write(formatEvent(typeof event === 'string' ? { data: event } : this.fieldsOf(event)));
  }

  comment(text = ''): Promise<boolean> {
    return this.write(formatComment(text));
  }

  readonly close = (): void => {
    this.stop();
    if (!isOver(this.res)) this.res.end();
  };

  private fieldsOf(event: ServerSentEvent): EventFields {
    const given: unknown = event;
    if (typeof given !== 'object' || given === null) {
      throw new TypeError(`Expected an event to be a string or an object, got ${String(given)}`);
    }
    const unknown = Object.keys(given).find(name => !FIELDS.has(name));
    if (unknown !== undefined) {
      throw new TypeError(
        `Expected the properties event, data, id and retry, got ${unknown}; to send an object, use { data: object }`,
      );
    }
    const { data, retry, ...others } = event;
    if (retry !== undefined) {
      const time = typeof retry === 'string' ? timerDuration('the retry of an event', retry, 0) : retry;
      Object.assign(others, { retry: time });
    }
    return { ...others, data: data === undefined || typeof data === 'string' ? data : this.jsonOf(data) };
  }

  private jsonOf(data: unknown): string {
    const { settings } = this.res.app;
    const text = stringify(
      data,
      settings['json replacer'] as JsonReplacer | undefined,
      undefined,
      settings['json escape'],
    );
    if (text === undefined) throw new TypeError(`Expected data that can be sent as JSON, got ${typeof data}`);
    return text;
  }

  private write(text: string): Promise<boolean> {
    const { res } = this;
    if (this.closed) return Promise.resolve(false);
    if (res.writableLength > this.limit || (this.callsBack && this.unwritten > this.limit)) {
      this.stop();
      cutOff(res);
      return Promise.resolve(false);
    }
    this.timer?.refresh?.();
    const bytes = Buffer.byteLength(text);
    this.unwritten += bytes;
    const written = (): void => {
      this.unwritten -= bytes;
      this.callsBack = true;
    };
    // Wrappers of `write` often return nothing; only false means that a `drain` will follow.
    if ((res.write(text, written) as unknown) === false) this.room ??= this.waitForRoom();
    flush(res);
    return this.room ?? Promise.resolve(true);
  }

  private waitForRoom(): Promise<boolean> {
    return new Promise(resolve => {
      this.wake = () => {
        this.room = undefined;
        resolve(!this.closed);
      };
    });
  }

  private readonly drained = (): void => {
    this.wake();
  };

  private readonly beat = (): void => {
    if (this.room !== undefined) return;
    try {
      void this.comment();
    } catch (error) {
      // A wrapper of `write` has failed. Nothing catches this in a timer.
      this.stop();
      reportLate(error, this.res.req);
      cutOff(this.res);
    }
  };

  private readonly stop = (): void => {
    this.isClosed = true;
    clearInterval(this.timer as NodeJS.Timeout | undefined);
    for (const release of this.releases.splice(0)) release();
    this.wake();
  };
}

/** Browsers send the header in UTF-8, which Node decodes as Latin-1. Other clients, such as Node, send Latin-1. */
export function decode(field: string): string {
  const text = Buffer.from(field, 'latin1').toString();
  return text.includes('\ufffd') ? field : text;
}

/** Makes compression middleware send what it has buffered. */
function flush(res: Response): void {
  const { flush: own } = res as { flush?: () => void };
  // Older versions of Node have a method of this name, which prints a warning.
  if (typeof own === 'function' && own !== NATIVE_FLUSH) own.call(res);
}

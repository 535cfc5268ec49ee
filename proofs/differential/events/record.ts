/** Records a running program: events, calls and callbacks in their order, with the state of the messages. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const REQUEST_FLAGS = [
  'complete',
  'aborted',
  'readableEnded',
  'readableAborted',
  'destroyed',
  'closed',
] as const;
const RESPONSE_FLAGS = [
  'headersSent',
  'writableEnded',
  'writableFinished',
  'finished',
  'destroyed',
  'closed',
] as const;

type Loose = Record<string, unknown>;

function flags(message: object, names: readonly string[]): string[] {
  return names.filter(name => Boolean((message as Loose)[name]));
}

/** Returns the state of the request and its response as one line. */
export function stateOf(req: IncomingMessage, res: ServerResponse): string {
  const { statusCode, writableLength, errored } = res as unknown as Loose;
  const request = flags(req, REQUEST_FLAGS);
  if (req.errored) request.push(`errored ${brief(req.errored)}`);
  const response = [`${typeof statusCode} ${text(statusCode)}`, ...flags(res, RESPONSE_FLAGS)];
  if (Number(writableLength) > 0) response.push('pending');
  if (errored) response.push(`errored ${brief(errored)}`);
  if (res.socket === null) response.push('no socket');
  return `req{${request.join(' ')}} res{${response.join(' ')}}`;
}

function text(value: unknown): string {
  try {
    return String(value);
  } catch (error) {
    return `(${brief(error)})`;
  }
}

/** Returns a short text for a value. For an error it is the name and code, because messages may differ. */
export function brief(value: unknown): string {
  if (value instanceof Error) {
    const { code, status } = value as Error & { code?: unknown; status?: unknown };
    return [value.name, code, status].filter(part => part !== undefined).join(' ');
  }
  if (typeof value === 'function') return 'function';
  if (Buffer.isBuffer(value)) return `buffer ${brief(value.toString('latin1'))}`;
  if (value instanceof Uint8Array) return `bytes ${brief(Buffer.from(value).toString('latin1'))}`;
  if (typeof value === 'string')
    return value.length > 60
      ? `${JSON.stringify(value.slice(0, 30))}… ${value.length}`
      : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(brief).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return 'object';
  return String(value);
}

/** The recorded lines of one program. */
export class Recorder {
  readonly lines: string[] = [];
  private readonly numbers = new WeakMap<object, number>();
  private readonly pairs: [IncomingMessage, ServerResponse][] = [];
  private open = true;

  /** Assigns a number to the request and its response. */
  number(req: IncomingMessage, res: ServerResponse): void {
    this.pairs.push([req, res]);
    this.numbers.set(req, this.pairs.length);
    this.numbers.set(res, this.pairs.length);
  }

  /** Returns the name of a request or a response in the lines. */
  name(message: object): string {
    return `#${this.numbers.get(message) ?? '?'}`;
  }

  add(line: string): void {
    if (this.open) this.lines.push(line);
  }

  /** Records something about a message, with the state of the request and the response. */
  event(message: object, what: string): void {
    const pair = this.pairs[(this.numbers.get(message) ?? 0) - 1];
    this.add(`${this.name(message)} ${what}${pair ? ` ${stateOf(...pair)}` : ''}`);
  }

  /** Records a call of a replaced function. */
  call(message: object, label: string, args: string): void {
    // A framework sets its prototypes when the messages are created, or when the application receives the request.
    if (!this.numbers.has(message) && !label.startsWith('beneath server')) return;
    const text = `calls ${label}(${args.replace(/"(?:Express|Ristretto)"/, '"(name)"')})`;
    // A header may be set again to the same value, and how often a big body is written depends on timing.
    if (this.lines.at(-1)?.startsWith(`${this.name(message)} ${text} `)) return;
    this.event(message, text);
  }

  /** Records the state of all messages. */
  instant(what: string): void {
    for (const [index, pair] of this.pairs.entries()) this.add(`#${index + 1} ${what} ${stateOf(...pair)}`);
  }

  /** Stops recording: what happens later does not belong to the program. */
  close(): string[] {
    this.open = false;
    return this.lines;
  }
}

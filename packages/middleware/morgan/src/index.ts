/** Logs requests: the interface of morgan 1. Formats are compiled once, and a request gets only the hooks its format needs. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers';
import { inspect } from 'node:util';
import { addResponseHook } from '@ristretto/response-hooks';
import depd = require('depd');
import { addressOf, safe, HOOKED, tokens } from './tokens.js';
import type { Request, Response, Timed, Token } from './tokens.js';

const deprecate = depd('morgan');

/** Milliseconds between two writes of the option `buffer`. */
const BUFFER_DURATION = 1000;

type Handler<Req extends IncomingMessage, Res extends ServerResponse> = (
  req: Req,
  res: Res,
  callback: (err?: Error) => void,
) => void;

/** Any format function. It may return an object for a stream in object mode. */
type Format = (indexer: never, req: Request, res: Response) => unknown;

/** The known facts about a compiled format: the names of its tokens. */
const namesOf = new WeakMap<Format, string[]>();

/** Whether a built-in token was replaced, so that nothing is known about it. */
let isReplaced = false;

/** Returns a function that creates a line in a format. */
function compile(format: unknown): Format {
  if (typeof format !== 'string') throw new TypeError('argument format must be a string');
  // Between two tokens there is text, which may be empty.
  const parts = format.split(/:([-\w]{2,})(?:\[([^\]]+)\])?/);
  const texts = parts.filter((_, index) => index % 3 === 0);
  const names = parts.filter((_, index) => index % 3 === 1);
  const args = parts.filter((_, index) => index % 3 === 2) as (string | undefined)[];
  const first = texts[0]!;
  const line = (indexer: Record<string, (...args: unknown[]) => unknown>, req: Request, res: Response) => {
    let result = first;
    for (let index = 0; index < names.length; index++) {
      const token = indexer[names[index]!];
      if (typeof token !== 'function')
        throw new TypeError(
          `morgan: there is no token :${names[index]!}; define it with morgan.token('${names[index]!}', fn)`,
        );
      const arg = args[index];
      const value = arg === undefined ? token.call(indexer, req, res) : token.call(indexer, req, res, arg);
      result += `${(value as string) || '-'}${texts[index + 1]!}`;
    }
    return result;
  };
  namesOf.set(line, names);
  return line;
}

const DEVELOPMENT = ':method :url :status :response-time ms - :res[content-length]';
const isColored = !process.env.NO_COLOR;

/** The format `dev`, with a color for each class of status. */
const inColor = [0, 32, 36, 33, 31].map(color =>
  compile(
    isColored
      ? `\x1b[0m${DEVELOPMENT.replace(':status', `\x1b[${color}m:status\x1b[0m`)}\x1b[0m`
      : DEVELOPMENT,
  ),
);

function developmentFormatLine(indexer: never, req: Request, res: Response): unknown {
  const status = tokens.status!(req, res) === undefined ? 0 : res.statusCode;
  const index = status >= 500 ? 4 : status >= 400 ? 3 : status >= 300 ? 2 : status >= 200 ? 1 : 0;
  return inColor[index]!(indexer, req, res);
}
namesOf.set(developmentFormatLine, ['response-time']);

const FORMATS = {
  combined:
    ':remote-addr - :remote-user [:date[clf]] ":method :url HTTP/:http-version" :status :res[content-length] ":referrer" ":user-agent"',
  common:
    ':remote-addr - :remote-user [:date[clf]] ":method :url HTTP/:http-version" :status :res[content-length]',
  default:
    ':remote-addr - :remote-user [:date] ":method :url HTTP/:http-version" :status :res[content-length] ":referrer" ":user-agent"',
  short:
    ':remote-addr :remote-user :method :url HTTP/:http-version :status :res[content-length] - :response-time ms',
  tiny: ':method :url :status :res[content-length] - :response-time ms',
  dev: developmentFormatLine,
};

/** Returns the function of a format, which may be a name, a string, or already a function. */
function formatOf(given: unknown): Format {
  if (typeof given === 'function') return given as Format;
  const members = morgan as unknown as Record<string, unknown>;
  const found = members[given as string] || given || members.default;
  return typeof found === 'function' ? (found as Format) : compile(found);
}

/** Returns an object that collects lines, and writes them together to a stream. */
function buffered(stream: Output, duration: number): Output {
  let lines: unknown[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    stream.write(lines.join(''));
    lines = [];
  };
  return {
    write(line) {
      timer ??= setTimeout(flush, duration);
      lines.push(line);
    },
  };
}

interface Output {
  writableObjectMode?: boolean;
  write(line: unknown): unknown;
}

function recordStart(message: Timed): void {
  message._startAt = process.hrtime();
  message._startTime = new Date();
}

/** Shared by all responses. */
const headHook = { head: (res: Response) => recordStart(res) };

/** Calls a function when a response has been sent, or can no longer be. */
function onceFinished(res: Response, log: () => void): void {
  if (res.writableFinished || res.socket?.destroyed) {
    setImmediate(log);
    return;
  }
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    log();
  };
  res.on('finish', once);
  res.on('close', once);
}

/** Options as a JavaScript program may pass them. */
interface Given {
  format?: unknown;
  buffer?: unknown;
  immediate?: unknown;
  skip?: ((req: never, res: never) => unknown) | false | undefined;
  stream?: Output | undefined;
}

/**
 * Returns middleware that writes a line for each request.
 * @param format the name of a format, a text with tokens, or a function that returns the line
 * @param options `stream`, `skip` and `immediate`
 * @throws {TypeError} if the format is none of these
 * @example app.use(morgan('combined', { skip: (req, res) => res.statusCode < 400 }));
 */
function morgan<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
  format: string | morgan.FormatFn<Req, Res>,
  options?: morgan.Options<Req, Res>,
): Handler<Req, Res> {
  const { given, settings } = argumentsOf(format, options);
  if (given === undefined) deprecate('undefined format: specify a format');
  const formatLine = formatOf(given) as (indexer: unknown, req: Request, res: Response) => unknown;
  const { immediate, buffer } = settings;
  const skip = (settings.skip || false) as false | ((req: Request, res: Response) => unknown);
  if (buffer) deprecate('buffer option');
  const target: Output = settings.stream || process.stdout;
  const stream = buffer ? buffered(target, typeof buffer === 'number' ? buffer : BUFFER_DURATION) : target;
  const names = namesOf.get(formatLine);
  const isOurs = skip === false && names?.every(name => name in tokens);
  const isHooked = !isOurs || names?.some(name => HOOKED.has(name));
  const isOurStream = stream === (process.stdout as Output);

  function log(req: Request, res: Response): void {
    if (skip !== false && skip(req, res)) return;
    const line = formatLine(morgan, req, res);
    if (line == null) return;
    if (typeof line === 'object' && stream.writableObjectMode) stream.write(line);
    else stream.write(`${line as string}\n`);
  }

  /** Nothing catches what is thrown after the response: a token such as `req => req.user.id` would end the process. */
  function logLater(req: Request, res: Response): void {
    try {
      log(req, res);
    } catch (error) {
      // It throws for anything else, such as null or an error of another realm
      // eslint-disable-next-line no-restricted-syntax -- the check of `emitWarning`
      process.emitWarning(error instanceof Error ? error : inspect(error));
    }
  }

  function logger(req: Request, res: Response, next: () => void): void {
    req._startAt = undefined;
    req._startTime = undefined;
    req._remoteAddress = addressOf(req);
    res._startAt = undefined;
    res._startTime = undefined;
    recordStart(req);
    if (immediate) {
      log(req, res);
    } else {
      if ((isHooked || isReplaced) && !res.headersSent) addResponseHook(res, headHook);
      if (isOurs && isOurStream && !isReplaced) {
        onceFinished(res, () => logLater(req, res));
      } else {
        // Functions of the application can read its AsyncLocalStorage, as the request's handlers can.
        const resource = new AsyncResource('morgan');
        onceFinished(res, () => resource.runInAsyncScope(logLater, undefined, req, res));
      }
    }
    next();
  }
  return logger;
}

/** Returns format and options, which older programs pass as one object. */
function argumentsOf(format: unknown, options: unknown): { given: unknown; settings: Given } {
  if (format === null || typeof format !== 'object') return { given: format, settings: options ?? {} };
  const settings = format as Given;
  const given = settings.format || 'default';
  const shown = typeof given === 'string' ? JSON.stringify(given) : 'format';
  deprecate(`morgan(options): use morgan(${shown}, options) instead`);
  return { given, settings };
}

function format(name: string, fmt: unknown): typeof morgan {
  (morgan as unknown as Record<string, unknown>)[name] = fmt;
  return morgan;
}

function token(name: string, fn: unknown): typeof morgan {
  if (name in tokens) isReplaced = true;
  (morgan as unknown as Record<string, unknown>)[name] = typeof fn === 'function' ? safely(fn as Token) : fn;
  return morgan;
}

/** Returns a token of the application whose text stays within its place in the line. */
function safely(fn: Token): unknown {
  return function tokenValue(this: unknown, ...args: Parameters<Token>): unknown {
    return safe(fn.apply(this, args));
  };
}

Object.assign(morgan, { compile, format, token }, FORMATS, tokens);
deprecate.property(morgan as never, 'default', 'default format: use combined format');

declare namespace morgan {
  /** Returns the line of a request, or nothing to write none. */
  type FormatFn<
    Req extends IncomingMessage = IncomingMessage,
    Res extends ServerResponse = ServerResponse,
  > = (tokens: TokenIndexer<Req, Res>, req: Req, res: Res) => string | undefined | null;

  type TokenCallbackFn<
    Req extends IncomingMessage = IncomingMessage,
    Res extends ServerResponse = ServerResponse,
  > = (req: Req, res: Res, arg?: string | number | boolean) => string | undefined;

  /** The tokens by name. */
  // eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- Programs may augment it
  interface TokenIndexer<
    Req extends IncomingMessage = IncomingMessage,
    Res extends ServerResponse = ServerResponse,
  > {
    [tokenName: string]: TokenCallbackFn<Req, Res>;
  }

  interface Morgan<Req extends IncomingMessage, Res extends ServerResponse> {
    (format: string | FormatFn<Req, Res>, options?: Options<Req, Res>): Handler<Req, Res>;
    token(name: string, callback: TokenCallbackFn<Req, Res>): Morgan<Req, Res>;
    format(name: string, fmt: string | FormatFn<Req, Res>): Morgan<Req, Res>;
    compile(format: string): FormatFn<Req, Res>;
  }

  /** Defines a token, which formats name as `:name` or `:name[arg]`. */
  function token<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
    name: string,
    callback: TokenCallbackFn<Req, Res>,
  ): Morgan<Req, Res>;

  /** Defines a format. */
  function format<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
    name: string,
    fmt: string | FormatFn<Req, Res>,
  ): Morgan<Req, Res>;

  /** Returns the function of a format. */
  function compile<
    Req extends IncomingMessage = IncomingMessage,
    Res extends ServerResponse = ServerResponse,
  >(format: string): FormatFn<Req, Res>;

  /** Where lines are written. */
  interface StreamOptions {
    write(str: string): void;
  }

  interface Options<Req extends IncomingMessage, Res extends ServerResponse> {
    /** @deprecated Write lines together, every second or every given number of milliseconds. */
    buffer?: boolean | undefined;
    /** Write the line when the request arrives, without values from the response. @default false */
    immediate?: boolean | undefined;
    /** Returns true to skip the line. */
    skip?(req: Req, res: Res): boolean;
    /** @default process.stdout */
    stream?: StreamOptions | undefined;
  }
}

// Node.js finds the names for `import { token } from` by reading this text; the last line replaces the value.
module.exports = { compile, format, token };

export = morgan;

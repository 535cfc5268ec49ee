/** `web.logger()`: a line for each request, by the package morgan, with the options as 3.x takes them. */
import type * as http from 'node:http';
import type { Handler, Request } from './connect';

type Line = string | null | undefined;
type Token = (req: Request, res: http.ServerResponse, argument?: string) => Line;
type Formatter = (tokens: logger.Tokens, req: Request, res: http.ServerResponse) => Line;
interface Stream {
  write(line: string): unknown;
}
interface Morgan {
  (format: string | Formatter, options: object): Handler;
  token(name: string, token: Token): unknown;
  format(name: string, format: string | Formatter): unknown;
  combined: string;
}

const morgan = require('morgan') as Morgan;

/** How long lines are kept, where `buffer` does not say, in milliseconds. */
const BUFFER_TIME = 1000;

/**
 * Middleware that writes a line for each request that is answered.
 *
 * @param options `format`, `stream`, `immediate`, `buffer` and `skip`; or only the format: one of `'default'`,
 *   `'combined'`, `'common'`, `'short'`, `'tiny'` and `'dev'`, a line with tokens, or a function
 * @throws TypeError for a format or a stream that is none
 * @example app.use(web.logger('dev'));
 */
function logger(options?: string | Formatter | logger.Options): Handler {
  const given = typeof options === 'object' ? options : { format: options };
  const { buffer, immediate, skip, stream = process.stdout } = given;
  const target = buffer ? new LineBuffer(stream, typeof buffer === 'number' ? buffer : BUFFER_TIME) : stream;
  return morgan(formatOf(given.format), { immediate, skip, stream: target });
}

/** What 3.x calls default is the combined format. */
function formatOf(format: unknown): string | Formatter {
  if (format === undefined || format === null || format === 'default') return 'combined';
  if (typeof format === 'string' || typeof format === 'function') return format as string | Formatter;
  throw new TypeError(`logger(): expected a format string or a function, got ${typeof format}`);
}

/** Keeps lines and writes them together. */
class LineBuffer {
  private lines = '';

  constructor(
    private readonly stream: Stream,
    private readonly delay: number,
  ) {}

  write(line: string): void {
    // Not unref'd: a process that has nothing else to do still writes its last lines.
    if (this.lines === '') setTimeout(() => this.flush(), this.delay);
    this.lines += line;
  }

  private flush(): void {
    this.stream.write(this.lines);
    this.lines = '';
  }
}

const { default: _renamed, ...tokens } = Object.getOwnPropertyDescriptors(morgan) as PropertyDescriptorMap;
for (const [name, descriptor] of Object.entries(tokens)) {
  if (descriptor.enumerable) Object.defineProperty(logger, name, descriptor);
}
Object.assign(logger, {
  default: morgan.combined,
  /** Adds a token; `:name` in formats. */
  token(name: string, token: Token): typeof logger {
    morgan.token(name, token);
    return logger;
  },
  /** Names a format. */
  format(name: string, format: string | Formatter): typeof logger {
    morgan.format(name, format);
    return logger;
  },
});

declare namespace logger {
  /** What a format that is a function makes its line of: each token by its name. */
  type Tokens = Record<string, Token>;

  /** Adds a token, which is `:name` in formats. */
  let token: (name: string, token: Token) => typeof logger;
  /** Names a format. */
  let format: (name: string, format: string | Formatter) => typeof logger;
  /** Makes a function of a format. */
  let compile: (format: string) => Formatter;

  interface Options {
    /** The name of a format, a line with tokens, or a function. @default 'default' */
    format?: string | Formatter | undefined;
    /** Where lines go. @default `process.stdout` */
    stream?: Stream | undefined;
    /** Writes the line when the request comes, not when it is answered. @default false */
    immediate?: boolean | undefined;
    /** Writes several lines together, this many milliseconds after the first; true stands for 1000. @default false */
    buffer?: boolean | number | undefined;
    /** Which requests have no line. @default none */
    skip?: ((req: Request, res: http.ServerResponse) => boolean) | undefined;
  }
}

export = logger;

/** `web.logger()`: logs a line for each request, with the package @ristretto/morgan and the options of 3.x. */
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

const morgan = require('@ristretto/morgan') as Morgan;

/** How long lines are buffered if `buffer` is not a number, in milliseconds. */
const BUFFER_TIME = 1000;

/**
 * Create middleware that logs a line for each request after its response.
 * @param options `format`, `stream`, `immediate`, `buffer` and `skip`; or only the format: one of `'default'`,
 * `'combined'`, `'common'`, `'short'`, `'tiny'` and `'dev'`, a line with tokens, or a function
 * @throws TypeError for an invalid format or stream
 * @example app.use(web.logger('dev'));
 */
function logger(options?: string | Formatter | logger.Options): Handler {
  const given = typeof options === 'object' ? options : { format: options };
  const { buffer, immediate, skip, stream = process.stdout } = given;
  const target = buffer ? new LineBuffer(stream, typeof buffer === 'number' ? buffer : BUFFER_TIME) : stream;
  return morgan(formatOf(given.format), { immediate, skip, stream: target });
}

/** Returns the format for morgan: the default of 3.x is the combined format. */
function formatOf(format: unknown): string | Formatter {
  if (format === undefined || format === null || format === 'default') return 'combined';
  if (typeof format === 'string' || typeof format === 'function') return format as string | Formatter;
  throw new TypeError(`logger(): expected a format string or a function, got ${typeof format}`);
}

/** Buffers lines and writes them together. */
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
  /** Defines a token, `:name` in formats. */
  token(name: string, token: Token): typeof logger {
    morgan.token(name, token);
    return logger;
  },
  /** Defines a named format. */
  format(name: string, format: string | Formatter): typeof logger {
    morgan.format(name, format);
    return logger;
  },
});

declare namespace logger {
  /** The tokens by name, as passed to a format that is a function. */
  type Tokens = Record<string, Token>;

  /** Define a token, `:name` in formats. */
  let token: (name: string, token: Token) => typeof logger;
  /** Define a named format. */
  let format: (name: string, format: string | Formatter) => typeof logger;
  /** Compile a format to a function. */
  let compile: (format: string) => Formatter;

  interface Options {
    /** The name of a format, a line with tokens, or a function. @default 'default' */
    format?: string | Formatter | undefined;
    /** The stream that lines are written to. @default `process.stdout` */
    stream?: Stream | undefined;
    /** Writes the line when the request arrives instead of after the response. @default false */
    immediate?: boolean | undefined;
    /** Writes several lines together, this many milliseconds after the first; true means 1000. @default false */
    buffer?: boolean | number | undefined;
    /** Which requests are not logged. @default none */
    skip?: ((req: Request, res: http.ServerResponse) => boolean) | undefined;
  }
}

export = logger;

/** Logs errors that no handler dealt with: all of them go through here. */
import { inspect } from 'node:util';
import { isPromise } from '../realms';

/** The argument of an error logger. */
interface Entry {
  /** What happened, as a constant text. */
  message: string;
  error: unknown;
  /** Undefined if the error belongs to no request. */
  req?: unknown;
  res?: unknown;
  /** The id of the request that has opened the WebSocket whose error it is, if it has one. */
  requestId?: unknown;
}

type ErrorLogger = (entry: Entry) => unknown;

/** The part of an application that logs errors. */
export interface Logging {
  get?: (name: string) => unknown;
  settings?: Readonly<Record<string, unknown>>;
}

type Format = (app: Logging | undefined, error: unknown, req: unknown) => unknown;

let format: Format = (_app, error) => error;

/** Sets the function that formats errors for the standard error: applications know how, and handlers of routers log too. */
export function formatErrors(by: Format): void {
  format = by;
}

/**
 * Converts the setting `error logger` to a function.
 * @throws TypeError if it cannot log errors
 */
export function compileErrorLogger(value: unknown): ErrorLogger | undefined {
  if (value === undefined || value === null || value === false) return undefined;
  if (typeof value === 'function') return value as ErrorLogger;
  const logger = value as { error?: (fields: object, message: string) => unknown };
  if (typeof logger.error !== 'function') {
    throw new TypeError(
      `The setting 'error logger' must be a function or an object with a method error(), got ${inspect(value)}`,
    );
  }
  // This is the argument order of pino
  return ({ message, error, ...rest }) => logger.error!({ err: error, ...rest }, message);
}

/**
 * Logs an error with the application's logger, or else to the standard error, except in the `test` environment.
 * @param app the application whose own or inherited settings are used
 * @param text returns what to write to the standard error
 */
export function logError(
  app: Logging | undefined,
  entry: Entry,
  text = (): unknown => format(app, entry.error, entry.req),
): void {
  const logger = app?.get?.('error logger fn') as ErrorLogger | undefined;
  const writeError = (): void => {
    if ((app?.get?.('env') ?? process.env.NODE_ENV) !== 'test') write(text());
  };
  const writeBoth = (failure: unknown): void => {
    write(failure);
    writeError();
  };
  if (logger === undefined) {
    writeError();
    return;
  }
  try {
    const logged = logger(entry);
    // Its rejection would end the process
    if (isPromise(logged)) logged.then(undefined, writeBoth);
  } catch (thrown) {
    writeBoth(thrown);
  }
}

function write(text: unknown): void {
  // eslint-disable-next-line no-console -- the default log
  console.error(text);
}

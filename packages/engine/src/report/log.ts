/** Logs errors that no handler dealt with: all of them go through here. */
import { inspect } from 'node:util';

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

type ErrorLogger = (entry: Entry) => void;

/** The part of an application that returns its logger, if it has one. */
interface Logging {
  get?: (name: string) => unknown;
}

/**
 * Converts the setting `error logger` to a function.
 * @throws TypeError if it cannot log errors
 */
export function compileErrorLogger(value: unknown): ErrorLogger | undefined {
  if (value === undefined || value === null || value === false) return undefined;
  if (typeof value === 'function') return value as ErrorLogger;
  const logger = value as { error?: (fields: object, message: string) => void };
  if (typeof logger.error !== 'function') {
    throw new TypeError(
      `The setting 'error logger' must be a function or an object with a method error(), got ${inspect(value)}`,
    );
  }
  // This is the argument order of pino
  return ({ message, error, ...rest }) => {
    logger.error!({ err: error, ...rest }, message);
  };
}

/**
 * Logs an error with the application's logger, or else to the standard error.
 * @param app the application whose own or inherited setting is used
 * @param text returns what to write to the standard error, or undefined for nothing
 */
export function logError(app: Logging | undefined, entry: Entry, text: () => unknown): void {
  const logger = app?.get?.('error logger fn') as ErrorLogger | undefined;
  if (logger !== undefined) {
    try {
      logger(entry);
      return;
    } catch (thrown) {
      write(thrown);
    }
  }
  const written = text();
  if (written !== undefined) write(written);
}

function write(text: unknown): void {
  // eslint-disable-next-line no-console -- the default log
  console.error(text);
}

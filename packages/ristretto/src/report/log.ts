/** The log of the framework: errors that no handler took. All of them go through here. */
import { inspect } from 'node:util';

/** What an error logger is called with. */
interface Entry {
  /** What has happened: a constant text. */
  message: string;
  error: unknown;
  /** Undefined where the error belongs to no request. */
  req?: unknown;
  res?: unknown;
}

type ErrorLogger = (entry: Entry) => void;

/** The application that is asked for its logger, if there is one. */
interface Logging {
  get?: (name: string) => unknown;
}

/**
 * Makes a function of the setting `error logger`.
 * @throws TypeError where it can't log errors
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
  // as pino wants it
  return ({ message, error, ...rest }) => {
    logger.error!({ err: error, ...rest }, message);
  };
}

/**
 * Logs an error: by the application's logger, or else to the standard error.
 * @param app whose setting counts, its own or inherited
 * @param text makes what is written to the standard error; undefined for nothing
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

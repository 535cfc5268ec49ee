/** Formats errors for standard error: from handlers, from WebSockets, and from handlers that had already called `next()`. */
import { inspect } from 'node:util';
import { deferred } from '../deferred';
import { explainsErrors } from '../report/development';
import type * as errorPage from '../dev/error-page/explain';
import type { Logging } from '../report/log';
import { versionOf } from '../version';

const UNREADABLE = 'The error cannot be read';

const errorPages = deferred(() => require('../dev/error-page/explain') as typeof errorPage, explainsErrors);

/**
 * Returns what is written to standard error: in development, its text with a folded stack and hints; otherwise the error
 * itself, with its cause and its properties, or its text.
 * @param app undefined for a router that runs without one
 */
export function toLog(app: Logging | undefined, error: unknown, req: unknown): unknown {
  const isExplained = explainsErrors(app?.settings);
  const isWhole = app === undefined || versionOf(app).application.logsWholeErrors;
  if (isWhole && !isExplained) {
    try {
      inspect(error);
      return error;
    } catch {
      return UNREADABLE;
    }
  }
  const explain = (): string => errorPages().explainInLog(error, req, isWhole);
  // Uses the stack, or else the error as a string, or else its inspected properties
  for (const read of [...(isExplained ? [explain] : []), () => stackOrText(error), () => inspect(error)]) {
    try {
      return read();
    } catch {
      // Try the next one
    }
  }
  return UNREADABLE;
}

function stackOrText(error: unknown): string {
  const { stack } = Object(error) as { stack?: unknown };
  const text = stack || String(error);
  return typeof text === 'string' ? text : inspect(text);
}

/** What an error says about its answer, made safe: one that can't be answered as it is must not end the process. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

/** What the final handler reads of an error. */
interface Answerable {
  status?: unknown;
  statusCode?: unknown;
  headers?: unknown;
  stack?: unknown;
}

/**
 * The error itself if the final handler can answer it, else one that it can, with the same status as far as there is
 * one. Errors come from anywhere: their header fields may be those of some upstream server, their getters may throw.
 */
export function presentable(err: unknown): unknown {
  try {
    const { status, statusCode, headers, stack } = Object(err) as Answerable;
    // Both are made into text.
    if (!stack) String(err);
    if (areSendable(headers)) return err;
    return Object.assign(new Error('The header fields of the error are malformed'), {
      ...{ status, statusCode },
      stack: `${String(stack)}\n(answered without its header fields, which are malformed)`,
    });
  } catch {
    return new Error('The error can not be read');
  }
}

function areSendable(headers: unknown): boolean {
  if (!headers || typeof headers !== 'object') return true;
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one as string);
    }
    return true;
  } catch {
    return false;
  }
}

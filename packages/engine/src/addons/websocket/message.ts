/** Reads messages of a route with a schema: JSON, validated. */
import type { SocketMessageError } from '../../types/websocket';
import { makeIssue } from '../validation/issues';
import type { Check, Outcome } from '../validation/schema';
import { isPromise } from '../validation/schema';

/** RFC 6455, section 7.4.1. */
const UNSUPPORTED = 1003;
const INVALID = 1007;

type Read = { value: unknown } | { error: SocketMessageError };

/** Returns the output of the schema, or an error; a promise of it if the schema is asynchronous. */
export function readMessage(data: Buffer, isBinary: boolean, check: Check): Read | Promise<Read> {
  if (isBinary) return { error: errorOf(UNSUPPORTED, 'Expected text, got a binary message') };
  let input: unknown;
  try {
    input = JSON.parse(data.toString());
  } catch {
    return { error: errorOf(INVALID, 'Expected JSON') };
  }
  const outcome = check(input);
  if (isPromise(outcome)) return Promise.resolve(outcome).then(settled => resultOf(settled, input));
  return resultOf(outcome, input);
}

function resultOf(outcome: Outcome, input: unknown): Read {
  if (outcome.issues === undefined) return { value: outcome.value };
  const issues = outcome.issues.map(issue => {
    const { path, message } = makeIssue('body', issue, input, false);
    return { path, message };
  });
  const [first] = issues;
  return { error: errorOf(INVALID, `Invalid message: ${first?.path ?? ''} ${first?.message ?? ''}`, issues) };
}

function errorOf(
  code: 1003 | 1007,
  message: string,
  issues: SocketMessageError['issues'] = [],
): SocketMessageError {
  return Object.assign(new Error(message), { code, issues });
}

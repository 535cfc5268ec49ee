/**
 * Lists in query strings and forms. One with a single element, `tag=a`, looks like a text there: where a schema rejects the text, the
 * list is tried, which the client could as well have sent (`tag[]=a`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestPart } from '../../types/validation';
import { keysOf } from './issues';
import { isPromise } from './schema';
import type { Check, Outcome } from './schema';

type Later = Outcome | PromiseLike<Outcome>;

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Whether the values of a part are texts, and lists of texts. */
export function hasTexts(name: RequestPart, headers: IncomingHttpHeaders): boolean {
  return name === 'query' || (name === 'body' && FORM.test(headers['content-type'] ?? ''));
}

/** Validates a part whose values are texts. */
export function checkTexts(check: Check, input: unknown): Later {
  return then(check(input), outcome => {
    const rejected = rejectedTexts(input, outcome);
    if (rejected.length === 0) return outcome;
    return then(check(withLists(input, rejected)), second => {
      const wrong = new Set(second.issues?.map(issue => keysOf(issue)[0]));
      const lists = rejected.filter(name => !wrong.has(name));
      if (lists.length === rejected.length) return second;
      return lists.length === 0 ? outcome : check(withLists(input, lists));
    });
  });
}

function then(outcome: Later, next: (outcome: Outcome) => Later): Later {
  return isPromise(outcome) ? outcome.then(next) : next(outcome);
}

/** Returns the names of the texts that the schema rejects. */
function rejectedTexts(input: unknown, { issues = [] }: Outcome): string[] {
  const values = Object(input) as Record<string, unknown>;
  const names = issues.map(keysOf).filter(keys => keys.length === 1 && typeof keys[0] === 'string');
  return [...new Set(names.map(([name]) => name as string))].filter(
    name => Object.hasOwn(values, name) && typeof values[name] === 'string',
  );
}

function withLists(input: unknown, names: readonly string[]): object {
  const values = input as Record<string, unknown>;
  return { ...values, ...Object.fromEntries(names.map(name => [name, [values[name]]])) };
}

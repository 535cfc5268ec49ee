/** Reads the facts about a thrown value: each once, without ever throwing. */
import { isError } from '../../realms';
import { inspect } from 'node:util';
import { parseStack } from '../stack';
import type { Frame } from '../stack';
import type { Origin } from '../../router/dev/watch-handlers';

/** The facts about an error that are shown. */
export interface ErrorFacts {
  /** Such as `TypeError`; empty if the value is not an error. */
  name: string;
  message: string;
  /** The stack as text; empty if there is none. */
  stack: string;
  frames: Frame[];
  /** Other own properties, such as `code`, `path` or the SQL of a query. */
  details: Record<string, unknown>;
  /** Its property `status`. */
  status?: unknown;
  /** The errors that caused or are contained in this one. */
  causes: { relation: string; error: ErrorFacts }[];
  /** How the program passed it on, if known. */
  how?: Origin['how'] | undefined;
  /** Whether the response had been sent before. */
  isLate?: boolean;
}

/** Longer texts are truncated. */
const LONGEST_MESSAGE = 10_000;
const LONGEST_STACK = 100_000;
/** The maximum number of errors in a chain of causes. */
const MOST_ERRORS = 12;

/** Properties that the page shows elsewhere, or that only the framework uses. */
const KNOWN = new Set([
  'name',
  'message',
  'stack',
  'cause',
  'errors',
  'expose',
  'headers',
  'status',
  'statusCode',
]);

/** Reads a property of any value; undefined if reading it throws. */
export function readProperty(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Truncates a text and appends how much is missing. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}

/** Reads an error and its causes. @param origin where it came from: shown if no call in its stack is the program's */
export function readError(thrown: unknown, origin?: Origin): ErrorFacts {
  const facts = read(thrown, new Set());
  if (origin === undefined) return facts;
  const { how, isLate, handled } = origin;
  const located = { ...withPlace(facts, origin), how, isLate };
  if (handled === undefined) return located;
  return {
    ...located,
    causes: [...facts.causes, { relation: 'While handling', error: readError(handled.error) }],
  };
}

/** Adds the place as the first call of the stack. */
function withPlace(facts: ErrorFacts, { what, place }: Origin): ErrorFacts {
  if (place === undefined || facts.frames.some(({ origin }) => origin === undefined)) return facts;
  const { name, message } = facts;
  const { head } = parseStack(facts.stack || (name === '' ? message : `${name}: ${message}`), message);
  const calls = [
    `${what} (${place.file}:${place.line}:${place.column})`,
    ...facts.frames.map(({ text }) => text),
  ];
  const stack = [head, ...calls.map(call => `    at ${call}`)].join('\n');
  return { ...facts, stack, frames: parseStack(stack, message).frames };
}

function read(thrown: unknown, seen: Set<unknown>): ErrorFacts {
  seen.add(thrown);
  const full = cutText(readProperty(thrown, 'message'), Infinity);
  const given = cut(full, LONGEST_MESSAGE);
  // Truncate the message first: the frames follow it
  const stack = cut(
    cutText(readProperty(thrown, 'stack'), Infinity).replace(full, () => given),
    LONGEST_STACK,
  );
  const { head, frames } = parseStack(stack, given);
  // A value with neither is not an error: a string, an object, null.
  const isError = stack !== '' || given !== '';
  const name = isError ? nameOf(thrown, head) : '';
  const message = isError ? given || withoutName(head, name) : describe(thrown);
  return {
    name,
    message,
    stack,
    frames,
    details: detailsOf(thrown),
    status: readProperty(thrown, 'status'),
    causes: causesOf(thrown, seen),
  };
}

function cutText(value: unknown, length: number): string {
  return typeof value === 'string' ? cut(value, length) : '';
}

/** Falls back to the class name at the start of the stack if `name` is not set. */
function nameOf(thrown: unknown, head: string): string {
  const name = cutText(readProperty(thrown, 'name'), 200);
  return name || (/^([\w$.]+)(?=:|$)/.exec(head)?.[1] ?? 'Error');
}

function withoutName(head: string, name: string): string {
  if (head === name) return '';
  return cut(head.startsWith(`${name}: `) ? head.slice(name.length + 2) : head, LONGEST_MESSAGE);
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return cut(thrown, LONGEST_MESSAGE);
  try {
    return cut(inspect(thrown, { depth: 2, customInspect: false, maxArrayLength: 20 }), LONGEST_MESSAGE);
  } catch {
    return 'The error cannot be read';
  }
}

function detailsOf(thrown: unknown): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  if (typeof thrown !== 'object' || thrown === null) return details;
  try {
    for (const name of Object.keys(thrown)) {
      const value = readProperty(thrown, name);
      // What a validator has found is no list of errors
      if (!KNOWN.has(name) || (name === 'errors' && !isListOfErrors(value))) details[name] = value;
    }
  } catch {
    // A proxy may throw when its keys are read
  }
  return details;
}

function causesOf(thrown: unknown, seen: Set<unknown>): ErrorFacts['causes'] {
  const cause = readProperty(thrown, 'cause');
  const errors = readProperty(thrown, 'errors');
  const related = [
    ...(cause === undefined || cause === null ? [] : [{ relation: 'Caused by', value: cause }]),
    ...(isListOfErrors(errors) ? Array.from(errors, value => ({ relation: 'Contained error', value })) : []),
  ];
  const causes: ErrorFacts['causes'] = [];
  for (const { relation, value } of related) {
    if (seen.has(value) || seen.size >= MOST_ERRORS) continue;
    causes.push({ relation, error: read(value, seen) });
  }
  return causes;
}

/** Whether the value is an array of errors; validation libraries use the name `errors` for other lists. */
function isListOfErrors(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value) && value.length <= 1000 && value.every(isError);
  } catch {
    return false;
  }
}

/** Returns an error and its causes, in the order in which they are shown. */
export function chainOf(error: ErrorFacts): { relation: string | undefined; error: ErrorFacts }[] {
  const rest = error.causes.flatMap(({ relation, error: cause }) => {
    const [first, ...deeper] = chainOf(cause);
    return [{ ...first!, relation }, ...deeper];
  });
  return [{ relation: undefined, error }, ...rest];
}

/** What was thrown, as facts: each is read once, and reading a strange value never throws. */
import { inspect } from 'node:util';
import { parseStack } from '../diagnose/stack';
import type { Frame } from '../diagnose/stack';

/** An error as it is shown. */
export interface ErrorFacts {
  /** `TypeError`; empty for what is no error. */
  name: string;
  message: string;
  /** The stack as text; empty where there is none. */
  stack: string;
  frames: Frame[];
  /** Other own properties that say something: `code`, `path`, the SQL of a query. */
  details: Record<string, unknown>;
  /** What led to this error, in which way. */
  causes: { relation: string; error: ErrorFacts }[];
}

/** Longer texts are cut. */
const LONGEST_MESSAGE = 10_000;
const LONGEST_STACK = 100_000;
/** An error with causes that have causes ends here. */
const MOST_ERRORS = 12;

/** What the page shows in another place, or what only the framework needs. */
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

/** Reads a property of whatever was thrown; undefined where it can't be read. */
export function readProperty(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Cuts a text and says that it did. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} characters more)`;
}

/** Reads an error and everything that led to it. */
export function readError(thrown: unknown): ErrorFacts {
  return read(thrown, new Set());
}

function read(thrown: unknown, seen: Set<unknown>): ErrorFacts {
  seen.add(thrown);
  const full = textOf(readProperty(thrown, 'message'), Infinity);
  const given = cut(full, LONGEST_MESSAGE);
  // the message first: behind a long one are the frames
  const stack = cut(
    textOf(readProperty(thrown, 'stack'), Infinity).replace(full, () => given),
    LONGEST_STACK,
  );
  const { head, frames } = parseStack(stack, given);
  // What has neither is no error: a string, an object, null.
  const isError = stack !== '' || given !== '';
  const name = isError ? nameOf(thrown, head) : '';
  const message = isError ? given || withoutName(head, name) : describe(thrown);
  return { name, message, stack, frames, details: detailsOf(thrown), causes: causesOf(thrown, seen) };
}

function textOf(value: unknown, length: number): string {
  return typeof value === 'string' ? cut(value, length) : '';
}

/** The name at the beginning of the stack tells of the class also where `name` was not set: not always does anybody. */
function nameOf(thrown: unknown, head: string): string {
  const name = textOf(readProperty(thrown, 'name'), 200);
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
      if (!KNOWN.has(name)) details[name] = readProperty(thrown, name);
    }
  } catch {
    // a proxy that does not want to be looked at
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

/** Libraries of validation have lists of other things under this name. */
function isListOfErrors(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value) && value.length <= 1000 && value.every(one => one instanceof Error);
  } catch {
    return false;
  }
}

/** An error and its causes, in the order in which they are shown. */
export function chainOf(error: ErrorFacts): { relation: string | undefined; error: ErrorFacts }[] {
  const rest = error.causes.flatMap(({ relation, error: cause }) => {
    const [first, ...deeper] = chainOf(cause);
    return [{ ...first!, relation }, ...deeper];
  });
  return [{ relation: undefined, error }, ...rest];
}

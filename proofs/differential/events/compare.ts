/** Finds where the outcomes of one program on two frameworks differ. */
import type { Outcome } from './program.js';

export interface Difference {
  /** 'end', 'bytes' or 'events'. */
  what: string;
  /** The first lines that differ. */
  ours: string;
  theirs: string;
}

/** The lines that are compared: everything but the framework's name and the time. */
function lines({ received }: Outcome): string[] {
  return received.flatMap((text, index) =>
    comparable(text)
      .split('\n')
      .map(line => `connection ${index + 1}: ${line}`),
  );
}

function comparable(received: string): string {
  return received
    .replace(/^Date: \w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT\r$/gm, 'Date: (now)\r')
    .replace(/^X-Powered-By: (?:Express|Ristretto)\r$/gm, 'X-Powered-By: (name)\r');
}

/**
 * Returns the first difference; undefined if there is none.
 * @param ignored text removed from each line; lines left empty are skipped
 */
export function difference(ours: Outcome, theirs: Outcome, ignored?: RegExp): Difference | undefined {
  if (ours.end !== theirs.end) return { what: 'end', ours: ours.end, theirs: theirs.end };
  // How far it got depends on timing
  if (ours.end === 'restless') return undefined;
  const without = (list: string[]): string[] =>
    ignored ? list.map(line => line.replace(ignored, '')).filter(line => line !== '') : list;
  return (
    firstOf('bytes', without(lines(ours)), without(lines(theirs))) ??
    firstOf('events', without(inOrder(ours.log)), without(inOrder(theirs.log)))
  );
}

/**
 * Returns the lines of a log. After an uncaught exception Node continues the turn some time later: from there on the
 * order depends on timing, so those lines are sorted.
 */
function inOrder(log: string[]): string[] {
  const first = log.findIndex(line => line.startsWith('uncaught '));
  return first < 0 ? log : [...log.slice(0, first + 1), ...log.slice(first + 1).sort()];
}

function firstOf(what: string, ours: string[], theirs: string[]): Difference | undefined {
  const length = Math.max(ours.length, theirs.length);
  for (let index = 0; index < length; index++) {
    const [one = '(nothing)', other = '(nothing)'] = [ours[index], theirs[index]];
    if (one !== other) return { what, ours: one, theirs: other };
  }
  return undefined;
}

/** Returns a text that is equal for differences of one kind, whatever numbers they contain. */
export function kindOf({ what, ours, theirs }: Difference): string {
  const general = (line: string): string => line.replace(/\d+/g, 'n').replace(/"[^"]*"/g, '…');
  return `${what}: ${general(ours)} | ${general(theirs)}`;
}

/** Splits the key of a nested query parameter, `a[b][0][]`, into the steps that lead to its value. */

/** A step into an array without a number: `[]`. */
export const APPEND = -1;

/** A member's name, an array index, or `APPEND`. */
export type Step = string | number;

/** Limits for a key. */
export interface KeyLimits {
  depth: number;
  strictDepth: boolean;
}

const ZERO = 0x30;
const NINE = 0x39;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * Splits a key into its steps: the name before the first bracket, then one step for each pair of brackets. Brackets
 * within brackets belong to the inner name; text between `]` and the next `[` is ignored. An unclosed bracket, and
 * anything deeper than `depth`, becomes one last name including its brackets.
 *
 * @throws RangeError for a key deeper than `depth` if `strictDepth` is on
 */
export function splitKey(key: string, limits: KeyLimits): Step[] {
  let open = key.indexOf('[');
  if (open < 0) return [key];
  if (!(limits.depth > 0)) return [wholeKey(key)];
  const steps: Step[] = [];
  if (open > 0) steps.push(key.slice(0, open));
  for (let depth = 0; open >= 0; depth++) {
    if (depth === limits.depth) {
      if (limits.strictDepth) throw tooDeep(limits.depth);
      steps.push(key.slice(open));
      return steps;
    }
    const close = closingBracket(key, open);
    if (close < 0) {
      steps.push(key.slice(open));
      return steps;
    }
    pushStep(steps, key.slice(open + 1, close));
    open = key.indexOf('[', close + 1);
  }
  return steps;
}

/** Adds the step for the content of one pair of brackets. */
function pushStep(steps: Step[], name: string): void {
  const step = name === '' ? APPEND : indexOrName(name);
  // `a[][3]` is `a[3]`: an array appended to an array by `[]` is merged into it.
  if (typeof step === 'number' && steps[steps.length - 1] === APPEND) steps.pop();
  steps.push(step);
}

/** Converts a whole key if the depth is 0: it is not split, but outer brackets still mean an array or are stripped. */
function wholeKey(key: string): Step {
  if (key.charCodeAt(0) !== OPEN || key.charCodeAt(key.length - 1) !== CLOSE) return key;
  const name = key.slice(1, -1);
  return name === '' ? APPEND : indexOrName(name);
}

/** Returns a number if the text is a canonical decimal index, otherwise the text itself. */
function indexOrName(name: string): Step {
  const first = name.charCodeAt(0);
  if (first < ZERO || first > NINE) return name;
  const index = Number.parseInt(name, 10);
  return String(index) === name ? index : name;
}

/** Returns the index of the bracket that closes the one at `open`, counting nested pairs, or -1 if it is not closed. */
function closingBracket(key: string, open: number): number {
  let level = 0;
  for (let i = open; i < key.length; i++) {
    const code = key.charCodeAt(i);
    if (code === OPEN) level++;
    else if (code === CLOSE && --level === 0) return i;
  }
  return -1;
}

function tooDeep(depth: number): RangeError {
  return new RangeError(`Input depth exceeded depth option of ${String(depth)} and strictDepth is true`);
}

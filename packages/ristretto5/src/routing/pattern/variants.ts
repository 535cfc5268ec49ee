/**
 * Expands a path with groups into its variants without groups: one for each way to include groups or leave them out.
 */
import { PathError } from './syntax';
import type { Capture, Text, Token } from './syntax';

export type FlatToken = Text | Capture;

/** The variants are tried one after the other: their number is limited, to bound the cost of a path. */
const MOST_VARIANTS = 256;

/**
 * Returns what `make` returns for each variant, in the order in which they are tried: those with the first group before
 * those without it.
 * @param make called for each variant
 * @throws PathError if there are too many
 * @example variantsOf(parse('/a{/b}'), '/a{/b}', tokens => tokens) // [[text '/a/b'], [text '/a']]
 */
export function variantsOf<T>(
  tokens: readonly Token[],
  path: string,
  make: (variant: readonly FlatToken[]) => T,
): T[] {
  const made: T[] = [];
  // Each group adds at least one variant: thousands of them would overflow the call stack
  if (countGroups(tokens) >= MOST_VARIANTS) throw tooMany(path);
  collect(tokens, 0, [], variant => {
    if (made.length === MOST_VARIANTS) throw tooMany(path);
    made.push(make(merged(variant)));
  });
  return made;
}

function tooMany(path: string): PathError {
  return new PathError('Too many path combinations', path);
}

function countGroups(tokens: readonly Token[]): number {
  return tokens.reduce(
    (sum, token) => (token.type === 'group' ? sum + 1 + countGroups(token.tokens) : sum),
    0,
  );
}

function collect(
  tokens: readonly Token[],
  from: number,
  before: readonly FlatToken[],
  take: (variant: readonly FlatToken[]) => void,
): void {
  const variant = [...before];
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.type === 'group') {
      collect(token.tokens, 0, variant, within => {
        collect(tokens, at + 1, within, take);
      });
    } else {
      variant.push(token);
    }
  }
  take(variant);
}

/** Merges adjacent texts. */
function merged(tokens: readonly FlatToken[]): FlatToken[] {
  const result: FlatToken[] = [];
  for (const token of tokens) {
    const last = result.at(-1);
    if (token.type === 'text' && last?.type === 'text') {
      result[result.length - 1] = { type: 'text', value: last.value + token.value };
    } else {
      result.push(token);
    }
  }
  return result;
}

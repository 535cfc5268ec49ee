/**
 * Paths of Express 5: any text is a valid path, or causes a TypeError whose message quotes it. Paths match as in the
 * package `router`, in few steps.
 */
import assert from 'node:assert/strict';
import Layer from 'ristretto5/lib/routing/layer';
import { work } from '@ristretto/private-engine/lib/router/pattern/matcher';
import { allowing, assertSame, outcomeOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

interface Options {
  sensitive: boolean;
  strict: boolean;
  end: boolean;
}
type AnyLayer = new (
  path: string,
  options: Options,
  fn: () => void,
) => {
  match(path: string): false | { params: object; path: string };
};

const OurLayer = Layer as unknown as AnyLayer;
const TheirLayer = require('router/lib/layer') as AnyLayer;
const ignore = (): void => undefined;

const LONGEST_PATH = 60;
/** The original backtracks: it is compared only on paths that cannot take long. */
const LONGEST_COMPARED = 24;
const MOST_NAMES = 4;
/**
 * The maximum number of steps per character of the path, character of the request path, and alternative created by
 * groups.
 */
const MOST_STEPS = 4;

/** Returns the result of matching a request path, as plain data. */
function matchOf(Kind: AnyLayer, path: string, options: Options, input: string): unknown {
  return outcomeOf(() => {
    const match = new Kind(path, options, ignore).match(input);
    return match && [match.path, Object.entries(match.params)];
  });
}

function assertRefused(path: string, error: Error): boolean {
  const { originalPath = '' } = error as Error & { originalPath?: string };
  // Trailing slashes are ignored
  assert.ok(path.startsWith(originalPath) && error.message.includes(`: ${originalPath};`));
  return error instanceof TypeError;
}

/** Builds a request path that the path may match, with one value for each parameter and two for a wildcard. */
function pathFor(path: string, value: string): string {
  return path
    .replace(/[:*](?:"[^"]*"|\w+)/g, name => (name.startsWith('*') ? `${value}/${value}` : value))
    .replace(/[{}\\]/g, '');
}

/** Asserts that matching takes few steps, and that the match is a prefix of the request path. */
function assertMatch(layer: InstanceType<AnyLayer>, path: string, input: string): void {
  const before = work.steps;
  const match = allowing(
    () => layer.match(input),
    error => error instanceof URIError && (error as Error & { status?: number }).status === 400,
  );
  if (match) assert.ok(input.startsWith(match.path));
  const steps = work.steps - before;
  const alternatives = 2 ** Math.min(8, path.split('{').length - 1);
  assert.ok(steps <= MOST_STEPS * alternatives * path.length * (input.length + 10), `${steps} steps`);
}

function assertAsOriginal(path: string, options: Options, input: string): void {
  const theirs = matchOf(TheirLayer, path, options, input);
  const ours = matchOf(OurLayer, path, options, input) as { error?: string };
  // After the original message, ours says what to write instead.
  if (ours.error !== undefined)
    ours.error = ours.error.replace(/(?<=for info)\. (?:In|Paths of) Express 5.*$/s, '');
  assertSame(ours, theirs);
}

export const target: Target = {
  cost: 2,
  characters: 'unicode',
  // In milliseconds: a path is compiled once, when it is registered; the cost of matching is counted in steps
  limit: 1000,
  seeds: [
    ...['0/users/:id\n/users/1', '1/:a-:b\n/a-b-c', '2/:a{.:b}\n/a.b', '3/f/*rest\n/f/a/b'],
    ...['3/f/*rest\n/f/%41/b%2Fc', '4/{*all}\n/x/y', '5/*a/z/*b\n/1/z/2', '6/:"a b"/\\:x\n/1/:x'],
    ...['7{/a}{/:b}\n/a/b', '0/:a--:b--:c\n/x--y--z', '0/:a.json\n/x.json', '0/*a.json/:b\n/x/y.json/z'],
    '0/*a-:b.c\n/x-y.c',
  ],
  dictionary: [
    ...words(String.raw`:a :b *a *b { } {/:c} {/*d} :" " \ \: /:a /*b - -- . / %2F %zz %C3%A9 ( ) [ ] +
      ? ! {a}{b} :__proto__ | ^ $`),
    '\n/',
  ],
  run(text) {
    const [first = '', input = ''] = partsOf(text, 2);
    const bits = first.charCodeAt(0);
    const options = { sensitive: (bits & 1) > 0, strict: (bits & 2) > 0, end: (bits & 4) === 0 };
    const path = first.slice(1, LONGEST_PATH);
    const layer = allowing(
      () => new OurLayer(path, options, ignore),
      error => assertRefused(path, error),
    );
    for (const asked of [input, pathFor(path, 'v'), pathFor(path, 'x-y.z')]) {
      if (layer) assertMatch(layer, path, asked);
      const isQuick = asked.length <= LONGEST_COMPARED && path.split(/[:*]/).length <= MOST_NAMES + 1;
      if (isQuick) assertAsOriginal(path, options, asked);
    }
  },
};

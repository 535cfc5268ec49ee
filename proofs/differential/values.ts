/** Values for generated handlers, and a function that picks options. */
import type { Step, Value } from './description.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';

export const TYPES = [
  ...words(`html json text/plain application/json text/* */* png xml .txt urlencoded
    application/vnd.api+json +json nope`),
  'text/html; charset=latin1',
];
export const URLS = [
  '/',
  '/a/b?c=d#e',
  'http://example.com/x y',
  ...words(String.raw`../up back a/é //other.test/p https://u:p@h.test:8/%41?<>"
    http://google.com\@apple.com ?q=1`),
  ...['', '/<script>', 'mailto:a@b', 'http://[::1]/'],
];
export const STATUSES: Value[] = [
  ...[200, 201, 202, 204, 205, 206, 304, 400, 401, 404, 418, 500, 503, 299, 999, '404'],
];

/** Returns a subset of the options, each with one of its values. */
export function someOptions(
  random: Random,
  all: Record<string, Value[]>,
  share = 0.25,
): Record<string, Value> {
  const chosen: Record<string, Value> = {};
  for (const [name, values] of Object.entries(all)) {
    if (random.chance(share)) chosen[name] = random.pick(values);
  }
  return chosen;
}

type Choice = [weight: number, make: () => Step];

/**
 * Returns functions that make choices for {@link Random.weighted}: calls of a member of the response or the request, or
 * of one of several members, with the arguments that `args` returns.
 */
export function callsOf(random: Random, of: 'res' | 'req') {
  return (weight: number, names: string | string[], args: () => Value[]): Choice => [
    weight,
    () => ({ [of]: typeof names === 'string' ? names : random.pick(names), args: args() }),
  ];
}

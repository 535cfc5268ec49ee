/** Random query strings, dense with characters that the extended parser treats specially. */
import type { Random } from './random.js';

const PIECES = [
  ...[
    'a',
    'b',
    '[',
    ']',
    '=',
    '=',
    '&',
    '&',
    '%',
    '+',
    '.',
    '0',
    '1',
    '2',
    '3',
    '9',
    '__proto__',
    'é',
    '%zz',
  ],
  ...[
    '[]',
    '[0]',
    '[1]',
    '[3]',
    '[21]',
    '[b]',
    'a[',
    '[__proto__]',
    '%5B',
    '%5D',
    '%C3%A9',
    'toString',
    'length',
  ],
  ...[
    '[length]',
    'a=',
    '&a',
    '&a',
    '=1',
    '%F0%9F%98%80',
    '%ED%A0%80',
    '%C0%80',
    '%E9',
    '%u0041',
    '%5',
    'constructor',
  ],
];
const NAMES = ['a', 'a', 'b', '1', 'toString', '__proto__', ''];
const STEPS = [
  '[]',
  '[0]',
  '[1]',
  '[2]',
  '[3]',
  '[4]',
  '[b]',
  '[c]',
  '[__proto__]',
  '[',
  '[[b]]',
  '[21]',
  ']',
  '[01]',
];
const VALUES = ['', '1', '2', 'x', 'x+y', '%25'];

/** Limits low enough that random queries exceed them. */
export const BOUNDS = [
  {},
  { arrayLimit: 0 },
  { arrayLimit: 1, depth: 2 },
  { arrayLimit: 2 },
  { arrayLimit: 3, depth: 1, strictDepth: true },
  { arrayLimit: 100, parameterLimit: 3 },
  { depth: 0 },
];

/** Returns random pieces that need not make sense. */
export function garbage(random: Random): string {
  return random.many(0, 20, () => random.pick(PIECES)).join('');
}

/** Returns a query of a few parameters whose keys collide. */
export function colliding(random: Random): string {
  const parameter = () => {
    const key = random.pick(NAMES) + random.many(0, 3, () => random.pick(STEPS)).join('');
    return random.chance(0.1) ? key : `${key}=${random.pick(VALUES)}`;
  };
  return random.many(1, 6, parameter).join('&');
}

/**
 * Compares two records deeply, and returns the places where they differ.
 */
import { isDeepStrictEqual } from 'node:util';

const MOST_SHOWN = 12;
const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null;

/** @typedef {{ place: string, text: string }} Difference */
/** @typedef {[left: string, right: string]} Names what the two records are of */

/** @type {Names} */
const SIDES = ['express:  ', 'ristretto:'];

/** Adds the differences below a place to the list. */
function collect(
  /** @type {any} */ left,
  /** @type {any} */ right,
  /** @type {string} */ place,
  /** @type {Difference[]} */ found,
  /** @type {Names} */ names,
) {
  if (isObject(left) && isObject(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = [Object.keys(left), Object.keys(right)];
    for (const key of new Set(keys.flat())) collect(left[key], right[key], `${place}.${key}`, found, names);
    const sameKeys = isDeepStrictEqual(keys[0]?.toSorted(), keys[1]?.toSorted());
    if (sameKeys && !isDeepStrictEqual(keys[0], keys[1]))
      found.push({ place, text: 'another order of keys' });
  } else if (!isDeepStrictEqual(left, right)) {
    const text = `\n        ${names[0]} ${JSON.stringify(left)}\n        ${names[1]} ${JSON.stringify(right)}`;
    found.push({ place, text });
  }
}

/**
 * Describes where two records differ outside the known places; empty if they do not. A known place without a difference
 * is reported too: the reason given for it no longer holds.
 *
 * @returns {string[]}
 */
export function differences(
  /** @type {unknown} */ left,
  /** @type {unknown} */ right,
  /** @type {{ places: RegExp, reason: string }[]} */ known = [],
  /** @type {Names} */ names = SIDES,
) {
  /** @type {Difference[]} */
  const found = [];
  collect(left, right, '', found, names);
  const stale = known.filter(({ places }) => !found.some(({ place }) => places.test(place)));
  const unknown = found.filter(({ place }) => !known.some(({ places }) => places.test(place)));
  const more = unknown.length > MOST_SHOWN ? [`and ${unknown.length - MOST_SHOWN} more`] : [];
  return [
    ...stale.map(({ reason }) => `no longer differs: ${reason}`),
    ...unknown.slice(0, MOST_SHOWN).map(({ place, text }) => `${place}${text}`),
    ...more,
  ];
}

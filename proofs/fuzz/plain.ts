/**
 * Checks values parsed from a request: plain objects, dense arrays and text, of limited depth, with nothing inherited.
 */
import assert from 'node:assert/strict';

/**
 * Asserts that a value consists only of those.
 * @param limits the maximum depth and array length
 */
export function assertPlain(value: unknown, limits: { depth: number; arrayLimit: number }, level = 0): void {
  if (typeof value === 'string' || value === undefined || value === null) return;
  assert.equal(typeof value, 'object');
  assert.ok(level <= limits.depth, `deeper than ${limits.depth}`);
  if (Array.isArray(value)) {
    assert.ok(value.length <= limits.arrayLimit, `an array of ${value.length}`);
    for (let at = 0; at < value.length; at++) assert.ok(at in value, 'a hole');
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    assert.ok(prototype === Object.prototype || prototype === null, 'another prototype');
    assert.ok(prototype === null || !Object.hasOwn(value!, '__proto__'), 'a member __proto__');
  }
  for (const member of Object.values(value!)) assertPlain(member, limits, level + 1);
}

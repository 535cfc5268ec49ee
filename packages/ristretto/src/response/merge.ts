/** Copies options and locals onto each other, inherited ones included. */

/**
 * Copies every enumerable property of `source`, inherited ones too (options are often made with
 * `Object.create(defaults)`), and returns `target`. The name `__proto__` is left out: it would set a prototype.
 *
 * @example merge({ a: 1 }, { b: 2 }); // { a: 1, b: 2 }
 */
export function merge<T extends object>(target: T, source: object | null | undefined): T {
  for (const key in source) {
    if (key !== '__proto__')
      (target as Record<string, unknown>)[key] = (source as Record<string, unknown>)[key];
  }
  return target;
}

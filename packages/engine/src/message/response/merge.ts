/** Merges options and locals, including inherited properties. */

/**
 * Copies every enumerable property of `source`, including inherited ones (options are often created with
 * `Object.create(defaults)`), and returns `target`. Skips the name `__proto__`, which would set a prototype.
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

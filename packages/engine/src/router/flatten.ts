/** Flattens nested arrays of handlers or paths. */

/**
 * Returns the items of `values` and of the arrays in it, at any depth, in order.
 * @example flatten([a, [b, [c]]]) // [a, b, c]
 */
export function flatten(values: ArrayLike<unknown>): unknown[] {
  const flat: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Array.isArray(value)) flat.push(...flatten(value));
    else flat.push(value);
  }
  return flat;
}

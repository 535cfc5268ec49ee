/** Assigns past an inherited accessor: the value becomes a plain own property of the object. */

/**
 * Defines a property as assignment to a plain object would.
 * @returns the value
 * @example setOwn(res, 'locals', {});
 */
export function setOwn<Value>(object: object, name: string, value: Value): Value {
  Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value });
  return value;
}

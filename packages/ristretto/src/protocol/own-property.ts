/** Assignment past an accessor: what programs set on an object that inherits one becomes a plain property of its own. */

/**
 * Defines a property as an assignment to a plain object would.
 * @returns the value
 * @example setOwn(res, 'locals', {});
 */
export function setOwn<Value>(object: object, name: string, value: Value): Value {
  Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value });
  return value;
}

/** Applications are functions, so the members of their prototypes are copied to them. */

/** Copies the members that the target lacks, including accessors and non-enumerable ones. */
export function mixin(target: object, source: object): void {
  for (const name of Object.getOwnPropertyNames(source)) {
    if (Object.hasOwn(target, name)) continue;
    Object.defineProperty(target, name, Object.getOwnPropertyDescriptor(source, name)!);
  }
}

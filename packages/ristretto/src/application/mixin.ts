/** Applications are functions: they get the members of their prototypes as their own. */

/** Copy the members that the target lacks, accessors and hidden ones included. */
export function mixin(target: object, source: object): void {
  for (const name of Object.getOwnPropertyNames(source)) {
    if (Object.hasOwn(target, name)) continue;
    Object.defineProperty(target, name, Object.getOwnPropertyDescriptor(source, name)!);
  }
}

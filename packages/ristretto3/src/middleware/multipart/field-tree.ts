/** Builds an object from form fields with names such as `pet[name]` and `tags[]`, as the query parser does. */
import { QueryTree, splitKey } from '@ristretto/private-engine/lib/protocol';

const KEY_LIMITS = { depth: 5, strictDepth: false };
/** The length of an array whose last index is 20, the greatest that a key may use; repeated names may exceed it. */
const ARRAY_LIMIT = 21;

/**
 * Builds an object from names and values. Names nested deeper than five brackets keep the rest as one key;
 * `__proto__` is left out.
 * @example fieldTree([['a[b]', '1'], ['c', '2'], ['c', '3']]); // { a: { b: '1' }, c: ['2', '3'] }
 */
export function fieldTree(
  fields: readonly (readonly [name: string, value: string])[],
): Record<string, unknown> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  const tree = new QueryTree(Math.max(ARRAY_LIMIT, fields.length));
  for (const [name, values] of byName) {
    tree.insert(splitKey(name, KEY_LIMITS), values.length === 1 ? values[0]! : values);
  }
  return tree.finish();
}

/**
 * Returns the same for values that are not text.
 * @param shown returns the part of a value that is placed in the tree
 * @returns the tree, and the values whose names do not fit into it
 */
export function objectTree<T>(
  entries: readonly (readonly [name: string, value: T])[],
  shown: (value: T) => unknown,
): { tree: Record<string, unknown>; lost: T[] } {
  // The tree only supports text, so it is built from the indices of the values, which are then replaced.
  const tree = fieldTree(entries.map(([name], index) => [name, String(index)]));
  const lost = new Set(entries.map(([, value]) => value));
  const fill = (node: unknown): unknown => {
    if (typeof node === 'string') {
      const value = entries[Number(node)]![1];
      lost.delete(value);
      return shown(value);
    }
    for (const [key, member] of Object.entries(node as object)) {
      (node as Record<string, unknown>)[key] = fill(member);
    }
    return node;
  };
  fill(tree);
  return { tree, lost: [...lost] };
}

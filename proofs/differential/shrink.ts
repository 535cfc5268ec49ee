/** Shrinks a case that differs: drops one part after another while the same thing still differs. */

/** Keys without which a description is meaningless. */
const NEEDED = new Set(
  [
    'kind method target id $ args text source flags steps requests layers handlers chain param name headers',
    'call put on later wrap of member how send stop watch where members server place connections',
    'preload options also first parsers beneath wrappers',
  ].flatMap(keys => keys.split(' ')),
);

/** Returns the paths in the data whose parts can be dropped, the biggest first. */
function droppable(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [];
  const places: (string | number)[][] = [];
  const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()].reverse() : Object.keys(value);
  for (const key of keys) {
    // A call without its arguments would be a different call, and a header must have a name and a value.
    if (path[path.length - 1] === 'args' || path[path.length - 2] === 'headers') continue;
    if (Array.isArray(value) || !NEEDED.has(String(key))) places.push([...path, key]);
  }
  for (const key of keys) places.push(...droppable((value as Record<string, unknown>)[key], [...path, key]));
  return places;
}

/** Returns a copy without the part at the path. */
function without<Description>(value: Description, path: (string | number)[]): Description {
  const copy = structuredClone(value);
  let parent: unknown = copy;
  for (const key of path.slice(0, -1)) parent = (parent as Record<string, unknown>)[key];
  const last = path[path.length - 1]!;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent as object, last);
  return copy;
}

/** Returns the smallest case found within `milliseconds`; requests that get no response make attempts slow. */
export async function shrink<Description>(
  description: Description,
  differs: (smaller: Description) => Promise<boolean>,
  milliseconds = 15_000,
): Promise<Description> {
  const deadline = Date.now() + milliseconds;
  let best = description;
  for (let changed = true; changed;) {
    changed = false;
    for (const place of droppable(best)) {
      if (Date.now() > deadline) return best;
      let smaller: Description;
      try {
        smaller = without(best, place);
      } catch {
        continue;
      }
      if (await differs(smaller).catch(() => false)) {
        best = smaller;
        changed = true;
        // The remaining paths belong to the bigger case.
        break;
      }
    }
  }
  return best;
}

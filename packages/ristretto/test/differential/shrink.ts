/** Makes a case that differs as small as it gets: drops parts one after another while the same thing still differs. */

/** Without these keys a description means nothing. */
const NEEDED = new Set(
  [
    'kind method target id $ args text source flags steps requests layers handlers chain param name headers',
    'call put on later wrap of member how send stop watch where members server place connections',
    'preload options also first parsers beneath wrappers',
  ].flatMap(keys => keys.split(' ')),
);

/** The places in the data where something can be dropped, the biggest parts first. */
function droppable(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [];
  const places: (string | number)[][] = [];
  const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()].reverse() : Object.keys(value);
  for (const key of keys) {
    // A call without its arguments is another call, and a header has a name and a value.
    if (path[path.length - 1] === 'args' || path[path.length - 2] === 'headers') continue;
    if (Array.isArray(value) || !NEEDED.has(String(key))) places.push([...path, key]);
  }
  for (const key of keys) places.push(...droppable((value as Record<string, unknown>)[key], [...path, key]));
  return places;
}

/** A copy without the part at the path. */
function without<Description>(value: Description, path: (string | number)[]): Description {
  const copy = structuredClone(value);
  let parent: unknown = copy;
  for (const key of path.slice(0, -1)) parent = (parent as Record<string, unknown>)[key];
  const last = path[path.length - 1]!;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent as object, last);
  return copy;
}

/** The smallest case found within `milliseconds`; requests that are never answered make attempts slow. */
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
        // The other places were those of the bigger case.
        break;
      }
    }
  }
  return best;
}

/** Detects changes to the built-in prototypes. */
import assert from 'node:assert/strict';

const SHARED: [string, object][] = [
  ['Object', Object.prototype],
  ['Array', Array.prototype],
  ['Function', Function.prototype],
  ['String', String.prototype],
  ['Number', Number.prototype],
  ['Boolean', Boolean.prototype],
  ['Promise', Promise.prototype],
  ['RegExp', RegExp.prototype],
  ['Map', Map.prototype],
];

/** Returns the values by name, without calling getters. */
function membersOf(shared: object): Map<string | symbol, unknown> {
  const entries = Reflect.ownKeys(shared).map((key): [string | symbol, unknown] => {
    const { value, get } = Object.getOwnPropertyDescriptor(shared, key)!;
    return [key, get ?? value];
  });
  return new Map(entries);
}

const before = SHARED.map(([, shared]) => membersOf(shared));

/** Throws if the members of a prototype have changed since this file was loaded. */
export function assertUntouched(): void {
  for (const [at, [name, shared]] of SHARED.entries()) {
    const members = before[at]!;
    const keys = Reflect.ownKeys(shared);
    if (keys.length !== members.size)
      assert.fail(`${name}.prototype has other members: ${keys.map(String).join()}`);
    for (const [key, value] of membersOf(shared)) {
      if (members.get(key) !== value) assert.fail(`${name}.prototype.${String(key)} was changed`);
    }
  }
}

/**
 * Inserts the parameters of a nested query, one after the other, into a tree of objects and arrays.
 *
 * Two kinds of containers need extra bookkeeping. An array is never made sparse: while it has holes, its members are
 * kept in a map, and it is filled, in order and without the holes, once all parameters are inserted. An object that
 * replaces an array that exceeded the limit has its highest index recorded, after which further values are appended.
 */

type Tree = Record<string, unknown>;
type Container = Tree | unknown[];
/** The value of one parameter, or the values of all parameters with the same key. */
export type Leaf = string | string[];

interface Holed {
  members: Map<number, unknown>;
  length: number;
}

export class QueryTree {
  readonly root: Tree = {};
  private readonly arrayLimit: number;
  private readonly indexLimit: number;
  private holed: Map<unknown[], Holed> | undefined = undefined;
  private highest: Map<Tree, number> | undefined = undefined;

  /**
   * @param arrayLimit the largest length of an array
   * @param indexLimit from which index on keys create an object
   */
  constructor(arrayLimit: number, indexLimit = arrayLimit) {
    this.arrayLimit = arrayLimit;
    this.indexLimit = indexLimit;
  }

  /** Inserts the value at the place that the steps lead to; if there is already a value, both are kept. */
  insert(steps: Step[], leaf: Leaf): void {
    // Values appended to an array by `[]` are merged into it: see `pushStep`.
    if (typeof leaf !== 'string' && steps[steps.length - 1] === APPEND) steps.pop();
    let container: Container = this.root;
    let key: Step = '';
    let target: unknown = this.root;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i] === APPEND ? 0 : steps[i]!;
      const inArray = typeof step === 'number' && step < this.indexLimit;
      if (typeof target === 'string') {
        this.put(container, key, this.follow(target, step, inArray, this.build(steps, i + 1, leaf)));
        return;
      }
      if (Array.isArray(target) && !inArray) {
        target = this.toObject(target);
        this.put(container, key, target);
      }
      if (step === '__proto__') return;
      if (typeof step === 'number' && !inArray) this.count(target as Tree, step);
      const parent = target as Container;
      const member = this.get(parent, step);
      if (member === undefined) {
        this.put(parent, step, this.build(steps, i + 1, leaf));
        return;
      }
      const source = i + 1 === steps.length && typeof leaf === 'string' ? leaf : undefined;
      if (Array.isArray(parent) && (typeof member === 'string' || source !== undefined)) {
        this.put(container, key, this.push(parent, this.build(steps, i + 1, leaf)));
        return;
      }
      container = parent;
      key = step;
      target = member;
    }
    const merged = this.merge(target, leaf);
    if (merged !== target) this.put(container, key, merged);
  }

  /** Fills the arrays with holes and returns the tree. */
  finish(): Tree {
    if (this.holed) {
      for (const [array, { members }] of this.holed) {
        for (const index of [...members.keys()].sort((a, b) => a - b)) array.push(members.get(index));
      }
    }
    return this.root;
  }

  /** Builds the value for the steps from `from` on, at a place that is still empty. */
  private build(steps: Step[], from: number, leaf: Leaf): unknown {
    let value: unknown = typeof leaf === 'string' ? leaf : this.bounded(leaf);
    for (let i = steps.length - 1; i >= from; i--) value = this.wrap(steps[i]!, value);
    return value;
  }

  private wrap(step: Step, value: unknown): Container {
    if (step === APPEND) return this.bounded([value]);
    if (typeof step === 'number' && step < this.indexLimit) {
      const array: unknown[] = [];
      this.put(array, step, value);
      return array;
    }
    const object: Tree = {};
    if (step !== '__proto__') object[step] = value;
    if (typeof step === 'number') this.count(object, step);
    return object;
  }

  /** Combines a string and a nested value for the same key: an array that begins with the string. */
  private follow(first: string, step: Step, inArray: boolean, value: unknown): Container {
    if (typeof step === 'string') return this.bounded([first, step === '__proto__' ? {} : { [step]: value }]);
    if (inArray && step + 2 <= this.arrayLimit) {
      const array: unknown[] = [first];
      this.put(array, step + 1, value);
      return array;
    }
    const object: Tree = { 0: first, [step + 1]: value };
    this.count(object, step + 1);
    return object;
  }

  /** Combines both values if a key names the same place twice. */
  private merge(target: unknown, leaf: Leaf): unknown {
    if (typeof leaf === 'string') {
      if (leaf === '') return target;
      if (typeof target === 'string') return this.bounded([target, leaf]);
      if (Array.isArray(target)) return this.push(target, leaf);
      const highest = this.highest?.get(target as Tree);
      if (highest === undefined) return this.bounded([target, leaf]);
      (target as Tree)[highest + 1] = leaf;
      this.count(target as Tree, highest + 1);
      return target;
    }
    if (typeof target === 'string') return this.bounded([target, ...leaf]);
    if (Array.isArray(target) && leaf.length <= this.arrayLimit) return this.pour(target, leaf);
    const object = Array.isArray(target) ? this.toObject(target) : (target as Tree);
    if (leaf.length > this.arrayLimit) this.count(object, leaf.length - 1);
    for (let i = 0; i < leaf.length; i++) {
      const value = leaf[i]!;
      object[i] = Object.hasOwn(object, i) ? this.merge(object[i], value) : value;
    }
    return object;
  }

  /** Merges values into an array: each at its own index, or at the end if that is taken. */
  private pour(target: unknown[], values: string[]): Container {
    for (let i = 0; i < values.length; i++) {
      if (this.get(target, i) === undefined) this.put(target, i, values[i]);
      else this.put(target, this.lengthOf(target), values[i]);
    }
    return this.bounded(target);
  }

  private push(target: unknown[], value: unknown): Container {
    this.put(target, this.lengthOf(target), value);
    return this.bounded(target);
  }

  /** Returns the array itself, or an object with its indexes as keys if it is longer than the limit. */
  private bounded(array: unknown[]): Container {
    const length = this.lengthOf(array);
    if (length <= this.arrayLimit) return array;
    const object = this.toObject(array);
    this.count(object, length - 1);
    return object;
  }

  private toObject(array: unknown[]): Tree {
    const object: Tree = {};
    const holed = this.holed?.get(array);
    if (holed) {
      for (const [index, value] of holed.members) object[index] = value;
      this.holed?.delete(array);
    } else {
      for (let i = 0; i < array.length; i++) object[i] = array[i];
    }
    return object;
  }

  private count(object: Tree, index: number): void {
    this.highest ??= new Map();
    this.highest.set(object, Math.max(index, this.highest.get(object) ?? 0));
  }

  private lengthOf(array: unknown[]): number {
    return this.holed?.get(array)?.length ?? array.length;
  }

  private get(container: Container, key: Step): unknown {
    if (!Array.isArray(container)) {
      const value = container[key];
      return value !== undefined && Object.hasOwn(container, key) ? value : undefined;
    }
    const holed = this.holed?.get(container);
    return holed ? holed.members.get(key as number) : container[key as number];
  }

  private put(container: Container, key: Step, value: unknown): void {
    if (!Array.isArray(container)) {
      container[key] = value;
      return;
    }
    const index = key as number;
    let holed = this.holed?.get(container);
    if (!holed) {
      if (index <= container.length) {
        container[index] = value;
        return;
      }
      holed = { members: new Map(container.entries()), length: container.length };
      container.length = 0;
      this.holed ??= new Map();
      this.holed.set(container, holed);
    }
    holed.members.set(index, value);
    holed.length = Math.max(holed.length, index + 1);
  }
}

/** A step into an array without a number: `[]`. */
const APPEND = -1;

/** A member's name, an array index, or `APPEND`. */
export type Step = string | number;

/** Limits for a key. */
export interface KeyLimits {
  depth: number;
  strictDepth: boolean;
}

const ZERO = 0x30;
const NINE = 0x39;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * Splits a key into its steps: the name before the first bracket, then one step for each pair of brackets. Brackets
 * within brackets belong to the inner name; text between `]` and the next `[` is ignored. An unclosed bracket, and
 * anything deeper than `depth`, becomes one last name including its brackets.
 * @throws RangeError for a key deeper than `depth` if `strictDepth` is on
 */
export function splitKey(key: string, limits: KeyLimits): Step[] {
  let open = key.indexOf('[');
  if (open < 0) return [key];
  if (!(limits.depth > 0)) return [wholeKey(key)];
  const steps: Step[] = [];
  if (open > 0) steps.push(key.slice(0, open));
  for (let depth = 0; open >= 0; depth++) {
    if (depth === limits.depth) {
      if (limits.strictDepth) throw tooDeep(limits.depth);
      steps.push(key.slice(open));
      return steps;
    }
    const close = closingBracket(key, open);
    if (close < 0) {
      steps.push(key.slice(open));
      return steps;
    }
    pushStep(steps, key.slice(open + 1, close));
    open = key.indexOf('[', close + 1);
  }
  return steps;
}

/** Adds the step for the content of one pair of brackets. */
function pushStep(steps: Step[], name: string): void {
  const step = name === '' ? APPEND : indexOrName(name);
  // `a[][3]` is `a[3]`: an array appended to an array by `[]` is merged into it.
  if (typeof step === 'number' && steps[steps.length - 1] === APPEND) steps.pop();
  steps.push(step);
}

/** Converts a whole key if the depth is 0: it is not split, but outer brackets still mean an array or are stripped. */
function wholeKey(key: string): Step {
  if (key.charCodeAt(0) !== OPEN || key.charCodeAt(key.length - 1) !== CLOSE) return key;
  const name = key.slice(1, -1);
  return name === '' ? APPEND : indexOrName(name);
}

/** Returns a number if the text is a canonical decimal index, otherwise the text itself. */
function indexOrName(name: string): Step {
  const first = name.charCodeAt(0);
  if (first < ZERO || first > NINE) return name;
  const index = Number.parseInt(name, 10);
  return String(index) === name ? index : name;
}

/** Returns the index of the bracket that closes the one at `open`, counting nested pairs, or -1 if it is not closed. */
function closingBracket(key: string, open: number): number {
  let level = 0;
  for (let i = open; i < key.length; i++) {
    const code = key.charCodeAt(i);
    if (code === OPEN) level++;
    else if (code === CLOSE && --level === 0) return i;
  }
  return -1;
}

function tooDeep(depth: number): RangeError {
  return new RangeError(`Input depth exceeded depth option of ${String(depth)} and strictDepth is true`);
}

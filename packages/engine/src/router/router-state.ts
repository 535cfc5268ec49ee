/**
 * The internal state of a router: its stack, and the index over it.
 *
 * `router.stack` is an accessor: until outside code has read it, outside code cannot have changed it, and the index is
 * trusted without a check. After that, a walk compares each part of the stack that it passes with what the index holds.
 */
import type { StackLayer } from './stack-layer';
import { RouteIndex } from './route-index';
import { STATE } from './symbols';
import type { Version } from '../version';

/** If fewer layers than this can be found by their paths, a plain walk is faster than the index. */
const WORTH_INDEXING = 8;

export class RouterState {
  stack: StackLayer[] = [];
  /** Whether outside code has read or replaced the stack. */
  exposed = false;
  private index: RouteIndex | undefined = undefined;

  /** @param dialect what the version of the API does differently */
  constructor(readonly dialect: Version['router']) {}

  /** Adds a layer at the end. */
  push(layer: StackLayer): void {
    this.stack.push(layer);
    this.index = undefined;
  }

  /** Replaces the stack with another array. */
  replace(stack: StackLayer[]): void {
    this.stack = stack;
    this.index = undefined;
  }

  /** Returns the index over `stack`, or undefined if a plain walk is faster. */
  currentIndex(): RouteIndex | undefined {
    if (this.stack.length < WORTH_INDEXING) return undefined;
    this.index ??= RouteIndex.over(this.stack, this.dialect.layers);
    return this.index.found >= WORTH_INDEXING ? this.index : undefined;
  }

  /**
   * Whether the index of a running walk is still valid for the positions `from` (inclusive) to `to` (exclusive). If
   * not, it is dropped, and the next walk builds another.
   */
  confirms(index: RouteIndex, stack: StackLayer[], from: number, to: number): boolean {
    if (this.index !== index || this.stack !== stack) return false;
    if (!this.exposed || index.describes(stack, from, to)) return true;
    this.index = undefined;
    return false;
  }
}

/**
 * A router as its accessors see it: the state may be inherited, because tools make routers the prototype of functions.
 */
interface Stateful {
  [STATE]: RouterState;
}

/** The descriptor of `router.stack`. */
const stackProperty: PropertyDescriptor & ThisType<Stateful> = {
  configurable: true,
  enumerable: true,
  get() {
    const state = this[STATE];
    state.exposed = true;
    return state.stack;
  },
  set(stack: StackLayer[]) {
    // On an object that inherits from a router, as programs make to run a part of its stack, it must not change the router's
    const state = Object.hasOwn(this, STATE) ? this[STATE] : giveState(this, this[STATE].dialect);
    state.exposed = true;
    state.replace(stack);
  },
};

/** Gives a router, or an object that inherits from one, a stack of its own. */
export function giveState(router: object, dialect: Version['router']): RouterState {
  const state = new RouterState(dialect);
  Object.defineProperty(router, STATE, { value: state });
  Object.defineProperty(router, 'stack', stackProperty);
  return state;
}

/**
 * Lets functions be routers that inherit from a prototype of routers, but were not made by its constructor: programs
 * make them as Express itself does, with an array of their own as `stack`.
 */
export function shareState(prototype: object, dialect: Version['router']): void {
  Object.defineProperty(prototype, STATE, {
    configurable: true,
    get(this: object) {
      if (this === prototype) return undefined;
      const stack: unknown = Object.getOwnPropertyDescriptor(this, 'stack')?.value;
      const state = giveState(this, dialect);
      if (Array.isArray(stack)) {
        state.replace(stack as StackLayer[]);
        state.exposed = true;
      }
      return state;
    },
  });
}

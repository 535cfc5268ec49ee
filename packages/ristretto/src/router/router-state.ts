/**
 * What a router keeps beside its public properties: its stack, and the index over it.
 *
 * `router.stack` is an accessor: as long as nobody outside has read it, nobody outside can have changed it, and the
 * index may be trusted without a look. Once it was read, the index is compared with the stack before each use.
 */
import type Layer = require('./layer');
import { RouteIndex } from './route-index';
import { STATE } from './symbols';

/** Below this many layers a plain walk is quicker than the index. */
const WORTH_INDEXING = 8;

export class RouterState {
  stack: Layer[] = [];
  /** Whether someone outside has read or replaced the stack. */
  exposed = false;
  private index: RouteIndex | undefined;

  /** Adds a layer at the end. */
  push(layer: Layer): void {
    this.stack.push(layer);
    this.index = undefined;
  }

  /** The index over `stack`, made anew where it is out of date; undefined where a plain walk is better. */
  currentIndex(): RouteIndex | undefined {
    const { stack } = this;
    if (stack.length < WORTH_INDEXING) return undefined;
    const { index } = this;
    if (index !== undefined && (!this.exposed || index.describes(stack))) return index;
    return (this.index = RouteIndex.over(stack));
  }

  /** Whether an index that a running walk holds still tells the truth about `stack`. */
  isCurrent(index: RouteIndex, stack: Layer[]): boolean {
    return this.index === index && this.stack === stack && (!this.exposed || index.describes(stack));
  }
}

/** A router as seen by its accessors: the state may be inherited, since tools make routers the prototype of functions. */
interface Stateful {
  [STATE]: RouterState;
}

/** The descriptor of `router.stack`. */
export const stackProperty: PropertyDescriptor & ThisType<Stateful> = {
  configurable: true,
  enumerable: true,
  get() {
    const state = this[STATE];
    state.exposed = true;
    return state.stack;
  },
  set(stack: Layer[]) {
    const state = this[STATE];
    state.exposed = true;
    state.stack = stack;
  },
};

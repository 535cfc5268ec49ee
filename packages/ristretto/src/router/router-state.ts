/**
 * What a router keeps beside its public properties: its stack, and the index over it.
 *
 * `router.stack` is an accessor: as long as nobody outside has read it, nobody outside can have changed it, and the
 * index may be trusted without a look. Once it was read, a walk compares each part of the stack that it passes over with
 * what the index knows of it.
 */
import type Layer = require('./layer');
import { RouteIndex } from './route-index';
import type { LayerKind } from './route-index';
import { STATE } from './symbols';

/** Where fewer layers than this can be found by their paths, a plain walk is quicker than the index. */
const WORTH_INDEXING = 8;

export class RouterState {
  stack: Layer[] = [];
  /** Whether someone outside has read or replaced the stack. */
  exposed = false;
  private index: RouteIndex | undefined = undefined;

  /** @param kind what the layers are, if they are not those of this package */
  constructor(private readonly kind?: LayerKind) {}

  /** Adds a layer at the end. */
  push(layer: Layer): void {
    this.stack.push(layer);
    this.index = undefined;
  }

  /** Takes another array as the stack. */
  replace(stack: Layer[]): void {
    this.stack = stack;
    this.index = undefined;
  }

  /** The index over `stack`; undefined where a plain walk is better. */
  currentIndex(): RouteIndex | undefined {
    if (this.stack.length < WORTH_INDEXING) return undefined;
    this.index ??= RouteIndex.over(this.stack, this.kind);
    return this.index.found >= WORTH_INDEXING ? this.index : undefined;
  }

  /**
   * Whether an index that a running walk holds still tells the truth about a part of the stack, from one position to
   * before another. One that does not is given up: the next walk makes another.
   */
  confirms(index: RouteIndex, stack: Layer[], from: number, to: number): boolean {
    if (this.index !== index || this.stack !== stack) return false;
    if (!this.exposed || index.describes(stack, from, to)) return true;
    this.index = undefined;
    return false;
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
    state.replace(stack);
  },
};

/**
 * A duplex stream whose state is created when it is first used as a stream. Most virtual sockets are never used
 * as one, and creating the state takes longer than the rest of a small request.
 */
import { Duplex } from 'node:stream';

const OPTIONS = { decodeStrings: false, autoDestroy: false };

/** Called as with `util.inherits`: on an existing object. */
const construct = Duplex as unknown as (this: object, options: object) => void;

const STATES = ['_readableState', '_writableState'] as const;

const Lazy = function () {
  // Its state is created later
} as unknown as typeof Duplex;

Lazy.prototype = Object.create(Duplex.prototype) as Duplex;
for (const name of STATES) {
  Object.defineProperty(Lazy.prototype, name, {
    configurable: true,
    get(this: Record<string, unknown>) {
      construct.call(this, OPTIONS);
      return this[name];
    },
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

class Eager extends Duplex {
  constructor() {
    super(OPTIONS);
  }
}

/** If `Duplex` can only be called with `new`, the state is created immediately. */
export const LazyDuplex = (canMakeLater() ? Lazy : Eager) as new () => Duplex;

function canMakeLater(): boolean {
  try {
    const sample = Object.create(Duplex.prototype) as Duplex;
    construct.call(sample, OPTIONS);
    return STATES.every(hasState, sample);
  } catch {
    return false;
  }
}

function hasState(this: object, name: string): boolean {
  return Object.hasOwn(this, name);
}

/** Whether the object has been used as a stream. */
export function isInUse(stream: Duplex): boolean {
  return Object.hasOwn(stream, STATES[0]);
}

/** A small deterministic random source: the same seed gives the same cases on every machine and Node version. */

/** Returns the words of a text, as a list to pick from. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns a fraction in [0, 1), with mulberry32. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** Returns true with this probability. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.between(0, list.length - 1)];
    if (value === undefined && list.length === 0) throw new Error('nothing to pick from');
    return value as T;
  }

  /** Returns `low` to `high` values, generated one after another. */
  many<T>(low: number, high: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.between(low, high) }, (_, index) => make(index));
  }

  /** Calls one of the makers, with a probability in proportion to its weight. */
  weighted<T>(makers: readonly (readonly [number, () => T])[]): T {
    let left = this.fraction() * makers.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of makers) {
      left -= weight;
      if (left < 0) return make();
    }
    return makers[makers.length - 1]![1]();
  }

  /** Returns a seed for another case. */
  seed(): number {
    return Math.floor(this.fraction() * 4294967296);
  }
}

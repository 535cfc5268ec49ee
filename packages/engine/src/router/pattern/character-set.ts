/**
 * The characters that one atom of an expression matches: `a`, `[^/]`, `\d`, `.`. The native engine is run once for each
 * of the first 256 characters, and again for each rarer one, so that no rule of case folding is duplicated.
 */

/** The size of a set's table, which covers the characters that the path of an HTTP request can have. */
const TABLE_SIZE = 256;

/** What stands after the last code unit of a text; no set has it. */
export const END = 0x1_00_00;

/** A set of UTF-16 code units. */
export class CharacterSet {
  /** Has a 1 for each of the first 256 code units that is in the set. */
  readonly table = new Uint8Array(TABLE_SIZE);
  private readonly expression: RegExp;

  private constructor(atom: string, ignoreCase: boolean) {
    this.expression = new RegExp(`^(?:${atom})$`, ignoreCase ? 'i' : '');
    for (let code = 0; code < TABLE_SIZE; code++) {
      if (this.expression.test(String.fromCharCode(code))) this.table[code] = 1;
    }
  }

  private static readonly known = new Map<string, CharacterSet>();

  /** Returns the set of an atom, created once and shared, because patterns use the same few. */
  static of(atom: string, ignoreCase: boolean): CharacterSet {
    const key = (ignoreCase ? 'i' : '-') + atom;
    let set = CharacterSet.known.get(key);
    if (!set) CharacterSet.known.set(key, (set = new CharacterSet(atom, ignoreCase)));
    return set;
  }

  /** Whether the code unit is in the set; false for `END`. */
  has(code: number): boolean {
    if (code < TABLE_SIZE) return this.table[code] === 1;
    return code !== END && this.expression.test(String.fromCharCode(code));
  }
}

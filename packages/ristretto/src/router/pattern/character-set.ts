/**
 * The characters that one atom of an expression matches: `a`, `[^/]`, `\d`, `.`. Node's own engine is asked
 * once for each of the first 256 characters, and again for each rarer one; so no rule of case folding is written twice.
 */

/** How many characters a set holds a table for: those that an HTTP request's path can have. */
const TABLE_SIZE = 256;

/** A set of UTF-16 code units. */
export class CharacterSet {
  /** 1 for each of the first 256 code units that is in the set. */
  readonly table = new Uint8Array(TABLE_SIZE);
  private readonly expression: RegExp;

  private constructor(atom: string, ignoreCase: boolean) {
    this.expression = new RegExp(`^(?:${atom})$`, ignoreCase ? 'i' : '');
    for (let code = 0; code < TABLE_SIZE; code++) {
      if (this.expression.test(String.fromCharCode(code))) this.table[code] = 1;
    }
  }

  private static readonly known = new Map<string, CharacterSet>();

  /** The set of an atom, made once and shared: patterns use the same few. */
  static of(atom: string, ignoreCase: boolean): CharacterSet {
    const key = (ignoreCase ? 'i' : '-') + atom;
    let set = CharacterSet.known.get(key);
    if (!set) CharacterSet.known.set(key, (set = new CharacterSet(atom, ignoreCase)));
    return set;
  }

  /** Whether the code unit is in the set; false for NaN, which is what there is behind a string's end. */
  has(code: number): boolean {
    if (code < TABLE_SIZE) return this.table[code] === 1;
    return code >= TABLE_SIZE && this.expression.test(String.fromCharCode(code));
  }
}

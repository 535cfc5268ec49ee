/** Finds the first syntax error in a text that should be JSON (RFC 8259). */

/** What was expected, the position, and the path of the value being read. */
interface Mistake {
  at: number;
  expected: string;
  path: string;
}

/** A string without the closing quote. */
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const SPACE = /[ \t\n\r]*/y;

/** Returns what is wrong with a text and where; undefined if it is JSON. */
export function mistakeIn(text: string): string | undefined {
  const mistake = new Reader(text).findMistake();
  if (mistake === undefined) return undefined;
  const before = text.slice(0, mistake.at).split('\n');
  const found = mistake.at < text.length ? `got ${JSON.stringify(text[mistake.at])}` : 'the text ends';
  const where = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  return `expected ${mistake.expected} in ${mistake.path} at ${where}, ${found}.`;
}

class Reader {
  private at = 0;
  private path = 'body';

  constructor(private readonly text: string) {}

  /** Returns the first mistake; undefined if there is none. */
  findMistake(): Mistake | undefined {
    const expected = this.value() ?? (this.hasNext() ? 'the end' : undefined);
    return expected === undefined ? undefined : { at: this.at, expected, path: this.path };
  }

  /** Reads a value. Like the methods below, returns what was expected if the text has something else. */
  private value(): string | undefined {
    this.skip(SPACE);
    if (this.take('{')) return this.members('}', () => this.member());
    if (this.take('[')) return this.elements();
    return this.skip(SCALAR) ? undefined : this.string('a value');
  }

  private string(expected: string): string | undefined {
    if (!this.skip(STRING)) return expected;
    if (this.take('"')) return undefined;
    // The scan has stopped at the end, a control character, or a backslash
    return this.at === this.text.length ? 'a closing quote' : 'a valid escape sequence';
  }

  private elements(): string | undefined {
    const { path } = this;
    let index = 0;
    return this.members(']', () => {
      this.path = `${path}[${index++}]`;
      const expected = this.value();
      if (expected === undefined) this.path = path;
      return expected;
    });
  }

  private member(): string | undefined {
    const { at, path } = this;
    const mistake = this.string('a name in double quotes');
    if (mistake !== undefined) return mistake;
    const name = JSON.parse(this.text.slice(at, this.at)) as string;
    this.skip(SPACE);
    if (!this.take(':')) return `':' after "${name}"`;
    this.path = /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
    const expected = this.value();
    if (expected === undefined) this.path = path;
    return expected;
  }

  /** Reads the comma-separated members between brackets. */
  private members(end: string, read: () => string | undefined): string | undefined {
    this.skip(SPACE);
    if (this.take(end)) return undefined;
    for (;;) {
      this.skip(SPACE);
      const expected = read();
      if (expected !== undefined) return expected;
      this.skip(SPACE);
      if (this.take(end)) return undefined;
      if (!this.take(',')) return `',' or '${end}'`;
    }
  }

  private hasNext(): boolean {
    this.skip(SPACE);
    return this.at < this.text.length;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** Skips text that matches the expression, and returns whether there was any. */
  private skip(expression: RegExp): boolean {
    expression.lastIndex = this.at;
    const match = expression.exec(this.text);
    if (match !== null) this.at = expression.lastIndex;
    return match !== null;
  }
}

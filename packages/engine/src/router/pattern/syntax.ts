/**
 * Parses the source of a regular expression (one that Node has accepted, without flags except `i`) to a tree. There is
 * no tree for back references and look-behind, which a program cannot match in linear time.
 */

/** A part of an expression. */
export type Node =
  /** One code unit of the set that the atom's source describes. */
  | { type: 'atom'; source: string }
  | { type: 'assertion'; is: Assertion }
  | { type: 'sequence'; nodes: Node[] }
  | { type: 'choice'; nodes: Node[] }
  /** A capture group, counted from 0. */
  | { type: 'group'; index: number; node: Node }
  | { type: 'repeat'; node: Node; min: number; max: number; greedy: boolean; groups: GroupRange }
  | { type: 'look'; negative: boolean; node: Node; groups: GroupRange };

/** What can be asserted about a position. */
export type Assertion = 'start' | 'end' | 'boundary' | 'inside';

/** The capture groups within a node: from the first up to, but not including, the second. */
export type GroupRange = readonly [from: number, to: number];

/** A whole expression. */
export interface Tree {
  node: Node;
  groupCount: number;
}

const QUANTIFIER = /([*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
const HEXADECIMAL = /\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z])/iy;
const OCTAL = /\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/y;
const NUMBER = /\\([1-9]\d*)/y;
const NAMED_GROUP = /\?<[^=!>][^>]*>/y;

const ASSERTIONS: Record<string, Assertion | undefined> = {
  '^': 'start',
  $: 'end',
  '\\b': 'boundary',
  '\\B': 'inside',
};

/** Returns the number of capture groups of a valid expression. */
function countGroups(source: string): number {
  return new RegExp(`${source}|`).exec('')!.length - 1;
}

/**
 * Returns the source of a look-ahead on one character: combined with the atom after it, as in `(?!/|-).`, it is an atom
 * again.
 */
function conditionOn(node: Node | undefined): string | undefined {
  if (node?.type !== 'look') return undefined;
  const sources: string[] = [];
  for (const choice of node.node.type === 'choice' ? node.node.nodes : [node.node]) {
    if (choice.type !== 'atom') return undefined;
    sources.push(choice.source);
  }
  return `(?${node.negative ? '!' : '='}${sources.join('|')})`;
}

class Parser {
  supported = true;
  private position = 0;
  private groups = 0;
  private readonly hasNames: boolean;

  constructor(
    private readonly source: string,
    private readonly groupCount: number,
  ) {
    this.hasNames = /\(\?<[^=!]/.test(source);
  }

  choice(): Node {
    const nodes: Node[] = [this.sequence()];
    while (this.skip('|')) nodes.push(this.sequence());
    return nodes.length === 1 ? nodes[0]! : { type: 'choice', nodes };
  }

  private sequence(): Node {
    const nodes: Node[] = [];
    while (this.supported && this.position < this.source.length && !'|)'.includes(this.peek())) {
      const node = this.term();
      const condition = node.type === 'atom' ? conditionOn(nodes.at(-1)) : undefined;
      if (node.type === 'atom' && condition)
        nodes.splice(-1, 1, { type: 'atom', source: condition + node.source });
      else nodes.push(node);
    }
    return nodes.length === 1 ? nodes[0]! : { type: 'sequence', nodes };
  }

  /** Parses an atom or assertion with its quantifier, if it has one. */
  private term(): Node {
    const from = this.groups;
    const node = this.atom();
    const quantifier = this.take(QUANTIFIER);
    if (!quantifier) return node;
    const [, sign = '', least, comma, most, lazy] = quantifier;
    let min = sign === '+' ? 1 : 0;
    let max = sign === '?' ? 1 : Infinity;
    if (least !== undefined) {
      min = Number(least);
      max = comma === undefined ? min : most ? Number(most) : Infinity;
    }
    return { type: 'repeat', node, min, max, greedy: !lazy, groups: [from, this.groups] };
  }

  private atom(): Node {
    if (this.skip('(')) return this.group();
    const characterClass = this.take(CLASS);
    if (characterClass) return { type: 'atom', source: characterClass[0] };
    const text = this.peek() === '\\' ? this.escape() : this.next();
    const assertion = ASSERTIONS[text];
    if (assertion) return { type: 'assertion', is: assertion };
    // A brace or bracket that opens nothing is literal
    return { type: 'atom', source: '{}]'.includes(text) ? `\\${text}` : text };
  }

  /** Parses the text after an opening parenthesis, including the closing one. */
  private group(): Node {
    const first = this.groups;
    if (this.skip('?:')) return this.closed(this.choice());
    if (this.skip('?=')) return { type: 'look', negative: false, ...this.look(first) };
    if (this.skip('?!')) return { type: 'look', negative: true, ...this.look(first) };
    // It is look-behind, or something newer than this parser
    if (this.peek() === '?' && !this.take(NAMED_GROUP)) this.supported = false;
    this.groups++;
    return { type: 'group', index: first, node: this.closed(this.choice()) };
  }

  private look(first: number): { node: Node; groups: GroupRange } {
    const node = this.closed(this.choice());
    return { node, groups: [first, this.groups] };
  }

  private closed(node: Node): Node {
    this.skip(')');
    return node;
  }

  /** Returns the text of an escape, in a form that has the same meaning on its own. */
  private escape(): string {
    NUMBER.lastIndex = this.position;
    const number = NUMBER.exec(this.source)?.[1];
    // A number above that of the last group is an octal code, and if no group has a name, `\k` is a `k`
    const isReference = number !== undefined && Number(number) <= this.groupCount;
    if (isReference || (this.hasNames && this.source.startsWith('\\k', this.position)))
      this.supported = false;
    const whole = this.take(HEXADECIMAL) ?? this.take(OCTAL);
    if (whole) return whole[0];
    this.position++;
    // A backslash before a `c` that names no control character is literal
    return this.peek() === 'c' ? '\\\\' : `\\${this.next()}`;
  }

  private take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    const match = expression.exec(this.source);
    if (match) this.position += match[0].length;
    return match;
  }

  private skip(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  private peek(): string {
    return this.source.charAt(this.position);
  }

  private next(): string {
    return this.source.charAt(this.position++);
  }
}

/**
 * Returns the tree of an expression, or undefined if it has a construct that only the native engine supports.
 *
 * @param source the source of a valid expression
 */
export function parseExpression(source: string): Tree | undefined {
  const groupCount = countGroups(source);
  const parser = new Parser(source, groupCount);
  const node = parser.choice();
  return parser.supported ? { node, groupCount } : undefined;
}

/**
 * Matches the common patterns: static text, parameters that match a whole segment (the last ones may be optional), and
 * possibly a `*` at the end. Such a path is matched in one pass over its characters, without an expression and without
 * backtracking.
 *
 * `/users/:id` is the list `/ u s e r s <parameter>`, where each character is stored with its other case, if that
 * matches too, and a parameter includes the slash before it. What may follow is the list's `Tail`.
 */
import type { PatternSource } from './source';
import type { ParameterToken, Token } from './tokens';
import type { PathPattern, PatternKey, PatternOptions, PatternShape } from './types';

const SLASH = 0x2f;
export const PARAMETER = -1;
const OPTIONAL = -2;
const STAR = -3;
/** All of the rest, which must not be empty. */
export const REST = -4;
/** A step for a character has the code of its other case above this many bits. */
const OTHER_CASE = 7;
const CODE = 0x7f;

/**
 * ASCII except for characters with a special meaning in a regular expression: text that the expression would match
 * literally.
 */
const LITERAL = /^[^$(-+?[-^{-}\u0080-\uffff]*$/;

export const enum Tail {
  /** The path ends here. */
  exact,
  /** The path ends here or after a slash. */
  slash,
  /** The path ends here or continues with a slash. */
  prefix,
  /** As `prefix`; the slash is part of the match if it is the last character, or if another slash follows. */
  slashPrefix,
  /** As `prefix`; the slash is part of the match if it is the last character. */
  lastSlashPrefix,
  /** Anything may follow. */
  open,
}

/** The steps of the walk, and the data for the index. */
export interface Plan {
  steps: number[];
  tail: Tail;
  shape: PatternShape | undefined;
}

function tailOf(options: PatternOptions, trailingSlash: boolean): Tail {
  if (options.end !== false) return options.strict ? Tail.exact : Tail.slash;
  if (!options.strict) return Tail.slashPrefix;
  return trailingSlash ? Tail.open : Tail.prefix;
}

/** Returns the code of a character; if matching is case-insensitive, the bits above it hold the code of its other case. */
export function characterStep(character: string, sensitive: boolean): number {
  const code = character.charCodeAt(0);
  if (sensitive) return code | (code << OTHER_CASE);
  const lower = character.toLowerCase().charCodeAt(0);
  return lower | (character.toUpperCase().charCodeAt(0) << OTHER_CASE);
}

function isWholeSegment(token: ParameterToken, next: Token | undefined): boolean {
  if (!token.slash || token.dot || token.expression || token.star) return false;
  return next === undefined || next.text.startsWith('/');
}

/** Returns the steps of the tokens, or undefined if this walk cannot match them. */
function stepsOf(tokens: readonly Token[], sensitive: boolean): number[] | undefined {
  const steps: number[] = [];
  let optional = false;
  for (const [i, token] of tokens.entries()) {
    const last = i === tokens.length - 1;
    if (token.kind === 'parameter') {
      // Nothing required may follow an optional parameter: that could need a second attempt
      if (!isWholeSegment(token, tokens[i + 1]) || (optional && !token.optional)) return undefined;
      optional = token.optional;
      steps.push(optional ? OPTIONAL : PARAMETER);
    } else if (optional) {
      return undefined;
    } else if (token.kind === 'star' && last) {
      steps.push(STAR);
    } else if (token.kind === 'dot' || (token.kind === 'text' && LITERAL.test(token.text))) {
      for (const character of token.text) steps.push(characterStep(character, sensitive));
    } else {
      return undefined;
    }
  }
  return steps;
}

function shapeOf(body: string, tokens: readonly Token[], trailingSlash: boolean): PatternShape | undefined {
  if (body !== '' && !body.startsWith('/')) return undefined;
  if (tokens.some(token => token.kind === 'star' || (token.kind === 'parameter' && token.optional)))
    return undefined;
  const segments = body.split('/').slice(1);
  if (segments.includes('')) return undefined;
  const parameters = new Set<string>();
  for (const token of tokens) if (token.kind === 'parameter') parameters.add(token.text.slice(1));
  return { segments: segments.map(segment => (parameters.has(segment) ? null : segment)), trailingSlash };
}

/** Leaves a trailing slash to the tail, unless a strict pattern requires it. */
function withoutLastSlash(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1);
  if (last?.kind !== 'text' || !last.text.endsWith('/')) return tokens;
  const others = tokens.slice(0, -1);
  return last.text === '/' ? others : [...others, { kind: 'text', text: last.text.slice(0, -1) }];
}

function plan(path: string, tokens: readonly Token[], options: PatternOptions): Plan | undefined {
  const trailingSlash = path.endsWith('/');
  const walked = trailingSlash && !options.strict ? withoutLastSlash(tokens) : tokens;
  const steps = stepsOf(walked, options.sensitive ?? false);
  if (!steps) return undefined;
  const body = trailingSlash ? path.slice(0, -1) : path;
  return { steps, tail: tailOf(options, trailingSlash), shape: shapeOf(body, tokens, trailingSlash) };
}

/** A pattern of whole segments. */
export class SegmentPattern implements PathPattern {
  readonly index = 0;
  path: unknown = undefined;
  readonly shape: PatternShape | undefined;
  private readonly steps: readonly number[];
  private readonly tail: Tail;
  private regexp: RegExp | undefined = undefined;

  private constructor(
    private readonly source: string,
    private readonly flags: string,
    readonly keys: PatternKey[],
    { steps, tail, shape }: Plan,
  ) {
    this.steps = steps;
    this.tail = tail;
    this.shape = shape;
  }

  /**
   * Returns the pattern for the tokens of a path, or undefined if it needs more than one pass over its segments.
   *
   * @param path the pattern
   * @param tokens its tokens
   * @param options as for `parsePath`
   * @param written its expression and keys
   */
  static of(
    path: string,
    tokens: readonly Token[],
    options: PatternOptions,
    written: PatternSource,
  ): SegmentPattern | undefined {
    const planned = plan(path, tokens, options);
    if (!planned) return undefined;
    return new SegmentPattern(written.source, options.sensitive ? '' : 'i', written.keys, planned);
  }

  /** Returns the pattern for steps that another grammar's compiler has planned. */
  static planned(plan: Plan, written: PatternSource, sensitive: boolean): SegmentPattern {
    return new SegmentPattern(written.source, sensitive ? '' : 'i', written.keys, plan);
  }

  toRegExp(): RegExp {
    return (this.regexp ??= new RegExp(this.source, this.flags));
  }

  /** @param first the position in `captures` of the first key */
  match(path: string, captures: (string | undefined)[], first = 0): number {
    const { steps } = this;
    let key = first;
    const { length } = path;
    let position = 0;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      if (step >= 0) {
        const code = path.charCodeAt(position++);
        if (code !== (step & CODE) && code !== step >> OTHER_CASE) return -1;
        continue;
      }
      if (step === STAR) return this.matchRest(path, position, captures, key);
      if (step === REST) {
        captures[key] = path.slice(position);
        return position < length ? length : -1;
      }
      const start = position + 1;
      let end = start;
      if (path.charCodeAt(position) === SLASH) {
        while (end < length && path.charCodeAt(end) !== SLASH) end++;
      }
      if (end > start) {
        captures[key++] = path.slice(start, end);
        position = end;
      } else if (step === OPTIONAL) {
        captures[key++] = undefined;
      } else {
        return -1;
      }
    }
    return this.matchTail(path, position);
  }

  private matchTail(path: string, position: number): number {
    const { length } = path;
    if (this.tail === Tail.open || position === length) return position;
    if (this.tail === Tail.exact || path.charCodeAt(position) !== SLASH) return -1;
    if (this.tail === Tail.prefix) return position;
    const next = position + 1;
    if (next === length) return next;
    if (this.tail === Tail.slash) return -1;
    if (this.tail === Tail.lastSlashPrefix) return position;
    return path.charCodeAt(next) === SLASH ? next : position;
  }

  /** Matches the star, which consumes the rest, but stops at a line break. */
  private matchRest(path: string, position: number, captures: (string | undefined)[], key: number): number {
    for (let i = position; i < path.length; i++) {
      if (isLineEnd(path.charCodeAt(i))) return this.matchSlowly(path, captures, key);
    }
    captures[key] = path.slice(position);
    return path.length;
  }

  /** Matches paths that no HTTP request can have. With one star at the end, the expression is linear too. */
  private matchSlowly(path: string, captures: (string | undefined)[], key: number): number {
    const match = this.toRegExp().exec(path);
    if (!match) return -1;
    for (let i = 0; i < this.keys.length; i++) captures[key - this.keys.length + 1 + i] = match[i + 1];
    return match[0].length;
  }
}

function isLineEnd(code: number): boolean {
  if (code > 0x0d && code < 0x2028) return false;
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

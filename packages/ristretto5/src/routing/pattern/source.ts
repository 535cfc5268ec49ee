/**
 * Generates the regular expression of one variant of a path. It limits what each parameter or wildcard matches, so that
 * two captures cannot match the same text in many ways (CVE-2024-45296, CVE-2026-4923, CVE-2026-4926).
 *
 * A capture is bounded by the text next to it in its segment: in `/:from-:to` the second matches no dash, or only one.
 * If a wildcard is in the same segment, captures before it are bounded by the text after them, and captures after it by
 * the text before them. The first wildcard of a path matches anything.
 */
import { PathError } from './syntax';
import type { Capture } from './syntax';
import type { FlatToken } from './variants';

const SPECIAL = /[.+*?^${}()[\]|/\\]/g;

function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}

/** Matches as much as possible of a segment, or of the path, that does not contain the text. */
function without(text: string, inSegment: boolean): string {
  if (text.length > 1) return `(?:(?!${escaped(text)})[^${inSegment ? '\\/' : ''}])+`;
  const others = text === '/' && inSegment ? '' : escaped(text);
  return `[^${inSegment ? '\\/' : ''}${others}]+`;
}

/** The bounds of a capture. */
interface Bounds {
  /** The text between it and the previous capture, or the start. */
  before: string;
  /** The text up to the next capture. */
  after: string;
  /** Whether the same segment contains a wildcard after it, or before it. */
  beforeWildcard: boolean;
  afterWildcard: boolean;
  /** Whether it is the first capture of its segment. */
  isFirst: boolean;
  /** The text after the last wildcard before it; undefined if there is none. */
  afterLastWildcard: string | undefined;
}

function paramSource({ before, after, beforeWildcard, afterWildcard, isFirst }: Bounds): string {
  if (afterWildcard) return without(before, true);
  if (beforeWildcard) return without(after, true);
  if (isFirst) return without('', true);
  return `${without(before, true)}|${escaped(before)}`;
}

function wildcardSource({ before, afterWildcard, afterLastWildcard }: Bounds): string {
  if (afterLastWildcard === undefined) return without('', false);
  if (afterWildcard) return without(before, false);
  return `${without(afterLastWildcard, false)}|${without('', true)}`;
}

function textAt(tokens: readonly FlatToken[], at: number): string {
  const token = tokens[at];
  return token?.type === 'text' ? token.value : '';
}

/** Whether a wildcard follows in the same segment. */
function leadsToWildcard(tokens: readonly FlatToken[], at: number): boolean {
  for (let i = at + 1; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.type === 'wildcard') return true;
    if (token.type === 'text' && token.value.includes('/')) return false;
  }
  return false;
}

/**
 * Returns the source of the regular expression for a variant's text and captures, without anchors.
 * @param path used in the error message
 * @throws PathError if there is no text between two captures
 * @example writeSource([{ type: 'text', value: '/' }, { type: 'param', name: 'id' }], '/:id') // '\\/([^\\/]+)'
 */
export function writeSource(tokens: readonly FlatToken[], path: string): string {
  let source = '';
  let isFirst = true;
  let afterWildcard = false;
  let afterLastWildcard: string | undefined;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'text') {
      source += escaped(token.value);
      if (token.value.includes('/')) {
        isFirst = true;
        afterWildcard = false;
      }
      continue;
    }
    const before = textAt(tokens, at - 1);
    if (!isFirst && before === '') throw missingText(token, path);
    const after = textAt(tokens, at + 1);
    const beforeWildcard = token.type === 'param' && leadsToWildcard(tokens, at);
    const bounds = { before, after, beforeWildcard, afterWildcard, isFirst, afterLastWildcard };
    source += `(${token.type === 'param' ? paramSource(bounds) : wildcardSource(bounds)})`;
    isFirst = false;
    if (token.type === 'wildcard') {
      afterWildcard = true;
      afterLastWildcard = after;
    }
  }
  return source;
}

function missingText({ name, type }: Capture, path: string): PathError {
  return new PathError(`Missing text before "${name}" ${type}`, path);
}

/**
 * Highlights the syntax of one line of JavaScript or TypeScript. A line inside a comment may be highlighted wrongly,
 * because each line is parsed on its own.
 */
import { markup } from './html';
import type { Html } from './html';

const WORDS =
  'as async await break case catch class const continue default delete do else export extends false finally for from function get if import in instanceof interface let new null of return set static super switch this throw true try type typeof undefined var void while yield';

/** Comments, strings, numbers and words; matching takes a bounded number of steps per character. */
const TOKENS = new RegExp(
  [
    String.raw`(?<comment>\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*.*)`,
    String.raw`(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\`(?:[^\`\\]|\\.)*\`?)`,
    String.raw`(?<number>\b\d[\w.]*)`,
    String.raw`(?<keyword>(?<![\w$.])(?:${WORDS.replaceAll(' ', '|')})(?![\w$]))`,
    String.raw`(?<name>[\w$]+(?=\s{0,3}\())`,
  ].join('|'),
  'g',
);

/**
 * @param line the line as it is in the file
 * @param mark the index at which a word is marked
 */
export function highlight(line: string, mark?: number): Html[] {
  const pieces: Html[] = [];
  let end = 0;
  for (const { 0: token, index, groups } of line.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups!).find(([, text]) => text !== undefined)!;
    const before = withMark(line.slice(end, index), end, mark);
    pieces.push(markup`${before}<span class="${kind}">${withMark(token, index, mark)}</span>`);
    end = index + token.length;
  }
  return [...pieces, withMark(line.slice(end), end, mark)];
}

/** Marks the word, or else the character, that begins at an index of the line, if it is in this piece. */
function withMark(piece: string, start: number, mark = -1): Html {
  const at = mark - start;
  const word = at < 0 ? undefined : /^(?:[\w$]+|\S)/u.exec(piece.slice(at))?.[0];
  if (word === undefined) return markup`${piece}`;
  return markup`${piece.slice(0, at)}<mark>${word}</mark>${piece.slice(at + word.length)}`;
}

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

/** @param line the line as it is in the file */
export function highlight(line: string): Html[] {
  const pieces: Html[] = [];
  let end = 0;
  for (const { 0: token, index, groups } of line.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups!).find(([, text]) => text !== undefined)!;
    pieces.push(markup`${line.slice(end, index)}<span class="${kind}">${token}</span>`);
    end = index + token.length;
  }
  return [...pieces, markup`${line.slice(end)}`];
}

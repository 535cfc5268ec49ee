/** Renders a stack on the error page: the program's frames with their source, highlighted, all others folded. */
import type { Place } from '../place';
import { describeFrames } from '../stack';
import type { Frame } from '../stack';
import { excerptOf } from './excerpt';
import type { Excerpt } from './excerpt';
import { Html, markup, placeLink, shortPlace } from './html';

/** The maximum number of frames with an excerpt, for each error. */
const MOST_EXCERPTS = 8;

/** Renders the frames as a list. @param editor see `placeLink` */
export function renderFrames(frames: readonly Frame[], editor: string | undefined): Html {
  if (frames.length === 0) return markup`<p class="card plain">There is no stack.</p>`;
  // If no frame is the program's, show the nearest frame of a package, but never the framework's own source.
  const first = frames.find(isOwn) ?? frames.find(({ origin, place }) => place && !isOurs(origin));
  let excerpts = 0;
  const items = groupsOf(frames, first).map(group => {
    const [frame] = group;
    if (frame !== first && !isOwn(frame!)) return renderFolded(group, editor);
    const excerpt = frame!.place && excerpts++ < MOST_EXCERPTS ? excerptOf(frame!.place) : undefined;
    return renderFrame(frame!, excerpt, frame === first, editor);
  });
  return markup`<ol class="card frames">${items}</ol>`;
}

function isOurs(origin: string | undefined): boolean {
  return origin === 'Node.js' || origin === 'ristretto';
}

function isOwn({ origin }: Frame): boolean {
  return origin === undefined;
}

/** Groups the frames: first the one to show, then the others in order, with foreign frames in runs to fold together. */
function groupsOf(frames: readonly Frame[], first: Frame | undefined): Frame[][] {
  const groups: Frame[][] = [];
  let run: Frame[] | undefined;
  for (const frame of frames) {
    if (frame === first) {
      groups.unshift([frame]);
      run = undefined;
    } else if (isOwn(frame)) {
      groups.push([frame]);
      run = undefined;
    } else if (run === undefined) {
      run = [frame];
      groups.push(run);
    } else {
      run.push(frame);
    }
  }
  return groups;
}

function renderFolded(frames: readonly Frame[], editor: string | undefined): Html {
  const items = frames.map(frame => {
    const { place } = frame;
    return markup`<li>${nameOf(frame)} ${place && placeLink(place, editor)}</li>`;
  });
  return markup`<li><details class="folded"><summary>${describeFrames(frames)}</summary><ol>${items}</ol></details></li>`;
}

function renderFrame(
  frame: Frame,
  excerpt: Excerpt | undefined,
  isOpen: boolean,
  editor: string | undefined,
): Html {
  const { place } = frame;
  const name = markup`<span class="function">${nameOf(frame)}</span>`;
  if (place === undefined) return markup`<li class="plain">${name}</li>`;
  if (excerpt === undefined) return markup`<li class="plain">${name} ${placeLink(place, editor)}</li>`;
  const open = isOpen ? new Html(' open') : undefined;
  // A link must not be inside a summary, which acts as a button.
  const link = editor === undefined ? undefined : markup`<p class="open">${placeLink(place, editor)}</p>`;
  const title = markup`<summary>${name} <span class="place">${shortPlace(place)}</span></summary>`;
  return markup`<li><details${open}>${title}${link}${renderExcerpt(excerpt, place)}</details></li>`;
}

/** Returns the name of a frame, or `anonymous`, because its place is shown beside it. */
function nameOf({ name, text, place }: Frame): string {
  return name || (place === undefined ? text : 'anonymous');
}

function renderExcerpt({ lines }: Excerpt, place: Place): Html {
  const rows = lines.map(({ number, text, mark }) => {
    const marked = mark === undefined ? undefined : new Html(' marked');
    return markup`<span class="row${marked}"><i>${number}</i>${highlight(text, mark)}</span>`;
  });
  const label = `Source of ${shortPlace(place)}`;
  return markup`<pre class="source" tabindex="0" role="group" aria-label="${label}"><code>${rows}</code></pre>`;
}

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
 * Highlights the syntax of one line of JavaScript or TypeScript. A line inside a comment may be highlighted wrongly, because
 * each line is parsed on its own.
 * @param line the line as it is in the file
 * @param mark the index at which a word is marked
 */
function highlight(line: string, mark?: number): Html[] {
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

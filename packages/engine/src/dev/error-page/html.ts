/** HTML in template literals: interpolated values are escaped unless they are HTML themselves; also, links to places. */
import escapeHtml = require('escape-html');
import type { Place } from '../place';

/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Content = string | number | Html | readonly Html[] | undefined;

/** Creates HTML from a template literal. @example markup`<p>${message}</p>`.text */
export function markup(strings: TemplateStringsArray, ...values: Content[]): Html {
  const pieces = strings.map((text, i) => text + (i < values.length ? escaped(values[i]) : ''));
  return new Html(pieces.join(''));
}

function escaped(value: Content): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}

/** Formats a place such as `src/app.js:3:5`, relative to the working directory if below it. */
export function shortPlace({ file, line, column }: Place): string {
  const home = process.cwd();
  const isBelow = file.startsWith(home) && /^[\\/]/.test(file.slice(home.length));
  return `${isBelow ? file.slice(home.length + 1) : file}:${line}:${column}`;
}

/** @param editor a URL with `{file}`, `{line}` and `{column}`; if not set, the place is rendered as text */
export function placeLink(place: Place, editor: string | undefined): Html {
  if (editor === undefined) return markup`<span class="place">${shortPlace(place)}</span>`;
  const { file, line, column } = place;
  const values: Record<string, string> = {
    file: encodeURI(file),
    line: String(line),
    column: String(column),
  };
  const url = editor.replace(/\{(file|line|column)\}/g, (_, name: string) => values[name]!);
  return markup`<a class="place" href="${url}">${shortPlace(place)}</a>`;
}

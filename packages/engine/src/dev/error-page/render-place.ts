/** Renders positions in source files on the error page: as text, or as links that open an editor. */
import type { Place } from '../place';
import { markup } from './html';
import type { Html } from './html';

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

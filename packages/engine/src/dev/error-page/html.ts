/** HTML in template literals: interpolated values are escaped unless they are HTML themselves. */
import escapeHtml = require('escape-html');

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

/** Renders the error page as HTML. */
import type { Place } from '../place';
import { Html, markup, placeLink } from './html';
import { showDetails } from './mask';
import { chainOf, cut } from './read-error';
import type { ErrorFacts } from './read-error';
import { renderFrames } from './render-frames';
import type { RequestFacts } from './request';
import { STYLE } from './style';

/** The contents of the page. */
export interface Explanation {
  status: number;
  /** The reason phrase of the status. */
  title: string;
  error: ErrorFacts;
  hints: string[];
  request: RequestFacts;
  /** A URL with `{file}`, `{line}` and `{column}` that opens an editor. */
  editor: string | undefined;
}

/** The maximum height of the text area, in lines. */
const MOST_ROWS = 30;

const OUR_STYLE = new Html(`<style>${STYLE}</style>`);

/** Renders the page. @param report the whole explanation as text */
export function renderPage(explanation: Explanation, report: string): string {
  const { status, title, error, hints, request, editor } = explanation;
  const [firstLine] = error.message.split('\n', 1);
  const page = markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} ${error.name} ${cut(firstLine!, 120)}</title>
${OUR_STYLE}
</head>
<body>
<header>
<p class="request"><span class="status">${status} ${title}</span> <span class="mono">${request.method} ${request.url}</span> <a href="#report">As text</a></p>
<p class="kind">${error.name || kindOf(error)}</p>
<h1 tabindex="0">${error.message || 'No message'}</h1>
${hints.map(hint => markup`<p class="hint">${codeIn(hint)}</p>`)}
</header>
<main>
<div>${chainOf(error).map(link => renderError(link, editor))}${renderAsText(report)}</div>
<div>${renderRequest(request)}${renderPassed(request, editor)}</div>
</main>
<footer>This page is shown in development only. <code>app.disable('error page')</code> and <code>RISTRETTO_ERROR_PAGE=off</code> disable it.</footer>
</body>
</html>
`;
  return page.text;
}

function kindOf({ how = 'thrown' }: ErrorFacts): string {
  return how === 'rejected'
    ? 'A promise was rejected with a value that is not an Error'
    : `A value that is not an Error was ${how}`;
}

/** Formats the text in backticks as code. */
function codeIn(hint: string): Html[] {
  return hint.split('`').map((text, i) => (i % 2 === 0 ? markup`${text}` : markup`<code>${text}</code>`));
}

function renderError(
  { relation, error }: ReturnType<typeof chainOf>[number],
  editor: string | undefined,
): Html {
  const { name, message, frames, details } = error;
  const text = cut(message, 1000);
  const title =
    relation === undefined
      ? markup`<h2>Stack</h2>`
      : markup`<h2>${relation}: <span class="cause">${name || 'not an Error'}</span> ${text}</h2>`;
  return markup`<section>${title}${renderFrames(frames, editor)}${renderDetails(details)}</section>`;
}

function renderDetails(details: Record<string, unknown>): Html | undefined {
  const entries = showDetails(details);
  if (entries.length === 0) return undefined;
  return markup`<h3>Properties of the error</h3>${renderEntries(entries)}`;
}

/** @param entries names and values; an entry with an empty name is labelled as the whole value */
function renderEntries(entries: readonly [name: string, value: string][]): Html {
  const rows = entries.map(([name, value]) => {
    if (name === '') return markup`<dt>whole value</dt><dd class="mono">${value}</dd>`;
    return markup`<dt class="mono">${name}</dt><dd class="mono">${value}</dd>`;
  });
  return markup`<dl>${rows}</dl>`;
}

function renderRequest({ method, url, route, groups }: RequestFacts): Html {
  const target: [string, string][] = [
    ['method', method],
    ['URL', url],
    ['route', route || 'none'],
  ];
  const parts = [{ title: 'Target', entries: target }, ...groups].map(
    ({ title, entries }) => markup`<h3>${title}</h3>${renderEntries(entries)}`,
  );
  return markup`<section><h2>Request</h2><div class="card body">${parts}</div></section>`;
}

function renderPassed({ passed }: RequestFacts, editor: string | undefined): Html | undefined {
  if (passed.length === 0) return undefined;
  const items = passed.map(
    ({ title, place }) => markup`<li><span class="mono">${title}</span> ${renderPlace(place, editor)}</li>`,
  );
  return markup`<section><h2>What ran</h2><ol class="card passed">${items}</ol></section>`;
}

function renderPlace(place: Place | undefined, editor: string | undefined): Html | undefined {
  return place && placeLink(place, editor);
}

/** Renders the report as a text area, where Ctrl+A selects nothing else. A link to it opens and focuses it. */
function renderAsText(report: string): Html {
  const rows = Math.min(report.split('\n').length + 1, MOST_ROWS);
  const area = markup`<textarea id="report" class="raw" rows="${rows}" readonly spellcheck="false" aria-label="The whole error as text">${report}</textarea>`;
  return markup`<section><h2>As text</h2><details class="card"><summary>The whole error: select it with Ctrl+A or ⌘A to copy it</summary>${area}</details></section>`;
}

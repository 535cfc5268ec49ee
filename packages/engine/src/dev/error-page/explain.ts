/**
 * Explains an error that no handler handled, in development: on a page, as JSON, as text, and in the log. Loaded on the
 * first such error.
 */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { warnOnce } from '../warn';
import { acceptedMediaTypes } from '../../protocol/accept-media';
import { devWatch } from '../../router/observers';
import { hintsFor } from './hints';
import { renderPage } from './page';
import { explanationMembers, renderDetailed, renderJson, renderReport, renderText } from './plain';
import { maskError } from './mask';
import { readError } from './read-error';
import type { ErrorFacts } from './read-error';
import { readRequest } from './request';
import { POLICY } from './style';
import { hasOpenedLink, linkFor, mayExplain } from './viewer';

type Settings = Readonly<Record<string, unknown>>;

/** A response's body and the headers that describe it. */
export interface Explained {
  body: string;
  headers: Record<string, string>;
}

/** The kinds of bodies, by the media types in Accept that select them. */
const KINDS: [named: RegExp, kind: Kind][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/i, 'html'],
  [/^application\/(?:json|problem\+json)$/i, 'json'],
  [/^text\/plain$/i, 'text'],
];

type Kind = 'html' | 'json' | 'text';

const TYPES = {
  html: 'text/html; charset=utf-8',
  json: 'application/problem+json',
  text: 'text/plain; charset=utf-8',
};

/**
 * Creates the body of the response.
 * @param status the status of the response
 * @returns undefined if the client names none of the types or may not see an explanation: it gets the page of Express
 */
export function explain(
  req: IncomingMessage,
  settings: Settings,
  thrown: unknown,
  status: number,
): Explained | undefined {
  const kind = kindFor(req);
  if (kind === undefined || !mayExplain(req, settings)) return undefined;
  if (kind === 'html' && !hasOpenedLink(req)) {
    const message = `A browser got the page of Express for an error. To get explanations with source lines in it, open ${linkFor(req)}`;
    warnOnce('RISTRETTO_ERROR_PAGE_LINK', message, null);
    return undefined;
  }
  const error = maskError(factsOf(thrown, req));
  const title = STATUS_CODES[status] ?? '';
  const shown = { status, title, error, hints: hintsFor(error, req) };
  const headers: Record<string, string> = { 'Content-Type': TYPES[kind], 'Cache-Control': 'no-store' };
  if (kind === 'json') return { body: renderJson(shown), headers };
  if (kind === 'text') return { body: `${renderText(shown)}\n`, headers };
  const template = settings['error page'];
  const editor = typeof template === 'string' ? template : undefined;
  const explanation = { ...shown, request: readRequest(req), editor };
  const body = renderPage(explanation, renderReport(explanation));
  return { body, headers: { ...headers, 'Content-Security-Policy': POLICY } };
}

/** Returns the members to add to problem details: none if the client may not see an explanation. */
export function explanationOf(req: IncomingMessage, settings: Settings, thrown: unknown): object {
  if (!mayExplain(req, settings)) return {};
  const error = maskError(factsOf(thrown, req));
  return explanationMembers({ error, hints: hintsFor(error, req) });
}

function factsOf(thrown: unknown, req: unknown): ErrorFacts {
  return readError(thrown, devWatch()?.originOf(req, thrown));
}

/** Returns the kind that the client prefers. Wildcards do not count, because `curl` and `fetch` send them. */
function kindFor({ headers }: IncomingMessage): Kind | undefined {
  // A script of another site must not see sources, even if the application lets it read responses.
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate')
    return undefined;
  for (const type of acceptedMediaTypes(headers.accept)) {
    const found = KINDS.find(([named]) => named.test(type));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/**
 * Returns the text for the log: the folded stacks of the error and its causes, and the hints.
 * @param withDetails whether the other properties of the errors follow their stacks
 */
export function explainInLog(thrown: unknown, req: unknown, withDetails: boolean): string {
  const error = factsOf(thrown, req);
  return renderText({ error, hints: hintsFor(error, req) }, withDetails ? renderDetailed : undefined);
}

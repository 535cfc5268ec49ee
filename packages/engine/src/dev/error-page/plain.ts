/** Renders the explanation of an error as JSON, as text, for the log, and as a report to paste elsewhere. */
import { foldFrames, foldStack } from '../stack';
import { showDetails } from './mask';
import type { Explanation } from './page';
import { chainOf, cut } from './read-error';
import type { ErrorFacts } from './read-error';

/** A longer report is truncated. */
const LONGEST_REPORT = 100_000;

type Shown = Pick<Explanation, 'status' | 'title' | 'error' | 'hints'>;

/** Renders problem details (RFC 9457), with the folded stack as an array of lines. */
export function renderJson({ status, title, error, hints }: Shown): string {
  const problem = { type: 'about:blank', title, status, detail: error.message };
  return `${JSON.stringify({ ...problem, ...explanationMembers({ error, hints }) }, null, 2)}\n`;
}

/** The members of problem details that explain an error. */
export function explanationMembers({ error, hints }: Pick<Shown, 'error' | 'hints'>): object {
  const [, ...causes] = chainOf(error);
  return {
    detail: error.message,
    name: error.name || undefined,
    hints: hints.length === 0 ? undefined : hints,
    stack: callsOf(error),
    causes: causes.length === 0 ? undefined : causes.map(({ error: cause }) => describe(cause)),
  };
}

function describe(error: ErrorFacts): object {
  return { name: error.name || undefined, detail: error.message, stack: callsOf(error) };
}

function callsOf({ frames }: ErrorFacts): string[] | undefined {
  return frames.length === 0 ? undefined : foldFrames(frames);
}

/**
 * Renders the stacks of the error and its causes, and the hints.
 * @param render renders one of the errors; by default, as its folded stack
 */
export function renderText({ error, hints }: Pick<Shown, 'error' | 'hints'>, render = renderFolded): string {
  const errors = chainOf(error).map(({ relation, error: one }) => {
    return relation === undefined ? render(one) : `${relation}: ${render(one)}`;
  });
  return [...errors, ...hints.map(hint => `Hint: ${hint}`)].join('\n');
}

function renderFolded(error: ErrorFacts): string {
  return foldStack(error.stack, error.message) || headOf(error);
}

/** Renders the folded stack, and the error's other properties. */
export function renderDetailed(error: ErrorFacts): string {
  return withDetails(renderFolded(error), error);
}

function withDetails(text: string, { details }: ErrorFacts): string {
  return [text, ...showDetails(details).map(([name, value]) => `    ${name}: ${value}`)].join('\n');
}

/** Renders a report to paste elsewhere: the request, all frames of the error and its causes, their properties, the hints. */
export function renderReport({ status, title, error, hints, request }: Explanation): string {
  const { method, url, route } = request;
  const head = `${method} ${url} (route: ${route || 'none'})\n${status} ${title}, Node.js ${process.version}`;
  return cut(`${head}\n\n${renderText({ error, hints }, renderWhole)}`, LONGEST_REPORT);
}

function renderWhole(error: ErrorFacts): string {
  return withDetails(error.stack || headOf(error), error);
}

function headOf({ name, message }: ErrorFacts): string {
  return name === '' ? message : `${name}: ${message}`;
}

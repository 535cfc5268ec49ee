/** Renders the explanation of an error as JSON, as text, and for the log. */
import { foldStack } from '../diagnose/stack';
import type { Explanation } from './page';
import { chainOf } from './read-error';
import type { ErrorFacts } from './read-error';

type Shown = Pick<Explanation, 'status' | 'title' | 'error' | 'hints'>;

/** Renders problem details (RFC 9457), with the stack as an array of lines. */
export function renderJson({ status, title, error, hints }: Shown): string {
  const [, ...causes] = chainOf(error);
  const problem = {
    type: 'about:blank',
    title,
    status,
    detail: error.message,
    name: error.name || undefined,
    hints: hints.length === 0 ? undefined : hints,
    stack: callsOf(error),
    causes: causes.length === 0 ? undefined : causes.map(({ error: cause }) => describe(cause)),
  };
  return `${JSON.stringify(problem, null, 2)}\n`;
}

function describe(error: ErrorFacts): object {
  return { name: error.name || undefined, detail: error.message, stack: callsOf(error) };
}

function callsOf({ frames }: ErrorFacts): string[] | undefined {
  return frames.length === 0 ? undefined : frames.map(({ text }) => text);
}

/** Renders the folded stacks of the error and its causes, and the hints. */
export function renderText({ error, hints }: Pick<Shown, 'error' | 'hints'>): string {
  const stacks = chainOf(error).map(({ relation, error: one }) => {
    const text = foldStack(one.stack, one.message) || headOf(one);
    return relation === undefined ? text : `${relation}: ${text}`;
  });
  return [...stacks, ...hints.map(hint => `Hint: ${hint}`)].join('\n');
}

function headOf({ name, message }: ErrorFacts): string {
  return name === '' ? message : `${name}: ${message}`;
}

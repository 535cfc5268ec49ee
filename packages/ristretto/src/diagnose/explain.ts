/** Adds explanations to errors in development. */

/**
 * Adds lines below an error's message. The first line stays unchanged, because programs and tools may compare it.
 * @param own matches what to remove from the stack
 */
export function explainError(error: Error, lines: readonly string[], own = /$^/): void {
  const { message } = error;
  const said = [message, ...lines].join('\n  ');
  explainStack(error, lines, own);
  error.message = said;
}

/** Adds the lines to the stack only, for errors whose message is sent to clients. */
export function explainStack(error: Error, lines: readonly string[], own = /$^/): void {
  const { message, stack } = error;
  if (typeof stack !== 'string') return;
  error.stack = stack.replace(message, () => [message, ...lines].join('\n  ')).replace(own, '');
}

/** Errors that say more in development than in production. */

/**
 * Adds lines to what an error says, below its message, which programs and tools may compare.
 * @param own what to leave out of its stack
 */
export function explainError(error: Error, lines: readonly string[], own = /$^/): void {
  const { message } = error;
  const said = [message, ...lines].join('\n  ');
  explainStack(error, lines, own);
  error.message = said;
}

/** Adds the lines to the stack only: where the message is sent to clients, it has to stay. */
export function explainStack(error: Error, lines: readonly string[], own = /$^/): void {
  const { message, stack } = error;
  if (typeof stack !== 'string') return;
  error.stack = stack.replace(message, () => [message, ...lines].join('\n  ')).replace(own, '');
}

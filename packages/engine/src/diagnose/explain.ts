/** Adds explanations to errors in development. */

/**
 * Adds lines below an error's message. The first line stays unchanged, because programs and tools may compare it.
 * @param own matches the text to remove from the stack
 */
export function explainError(error: Error, lines: readonly string[], own = /$^/): void {
  const { message, stack } = error;
  const said = [message, ...lines].join('\n  ');
  if (typeof stack === 'string') error.stack = stack.replace(message, () => said).replace(own, '');
  error.message = said;
}

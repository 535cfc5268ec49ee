/** Adds explanations to errors in development. */

/** Adds lines below an error's message. The first line stays unchanged, because programs and tools may compare it. */
export function explainError(error: Error, lines: readonly string[]): void {
  const { message, stack } = error;
  const said = [message, ...lines].join('\n  ');
  if (typeof stack === 'string') error.stack = stack.replace(message, () => said);
  error.message = said;
}

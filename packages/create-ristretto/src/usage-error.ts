/** What the user did not get right: shown as one line, without a stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}

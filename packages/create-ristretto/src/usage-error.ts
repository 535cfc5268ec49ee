/** A mistake of the user, shown as one line without a stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}

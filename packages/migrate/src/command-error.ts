/** An error that the user can fix: it is printed as its message alone, without a stack. */
export class CommandError extends Error {
  /** @param usage arguments to pass instead: the message that is printed ends with the command that was called, and these */
  constructor(
    message: string,
    readonly usage?: string,
  ) {
    super(message);
  }
}

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

/** Makes an error about arguments one for the user, with the help. */
export function argumentError(error: unknown, help: string): CommandError {
  // Node's hint about arguments that start with a hyphen does not apply to these programs
  const [message] = (error as Error).message.split(/(?<=\.) To specify /);
  return new CommandError(`${message!}\n\n${help}`);
}

/** An error that the user can fix: it is printed as its message alone, without a stack. */
export class CommandError extends Error {}

/** The type of `next` in the framework's own code: a function that takes an error, or nothing. */

export type Next = (err?: unknown) => void;

/** How the code of the framework sees `next`: a function that takes an error, or nothing. */

export type Next = (err?: unknown) => void;

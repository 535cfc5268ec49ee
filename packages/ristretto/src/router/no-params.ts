/** The parameters of every layer whose path has none: one object for all, so that matching writes nothing. */

/** Frozen; a request gets an object of its own instead. */
export const NO_PARAMS: Record<string, never> = Object.freeze({});

/** The parameters of every layer whose path has none: one shared object, so that matching writes nothing. */

/** Frozen; a request gets its own object instead. */
export const NO_PARAMS: Record<string, never> = Object.freeze({});

/** The parameters of every layer whose path has none: one shared object, so that matching writes nothing. */

/** Shared and frozen: `Walk` replaces it with `{}` before handlers see it. */
export const NO_PARAMS: Record<string, never> = Object.freeze({});

/** The parameters of layers whose path has none. */

/** Shared and frozen, so that matching writes nothing: `Walk` replaces it before handlers see it. */
export const NO_PARAMS: Record<string, never> = Object.freeze({});

/** Creates the `{}` that handlers see instead. A literal would reserve space for four members: 56 bytes, not 24. */
export const NoParams = function () {
  /* empty at first */
} as unknown as new () => Record<string, unknown>;
NoParams.prototype = Object.prototype as Record<string, unknown>;

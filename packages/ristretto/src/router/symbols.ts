/** The symbols under which layers and routers keep what tools need not see. */

/** On a layer: its parsed path. */
export const PATTERN: unique symbol = Symbol('pattern');
/** On a layer: whether its path matches without looking. */
export const FAST: unique symbol = Symbol('fast');
/** On a layer: whether its path need only be a prefix of the request's. */
export const PREFIX: unique symbol = Symbol('prefix');
/** On a router: its stack and the index over it. */
export const STATE: unique symbol = Symbol('router state');

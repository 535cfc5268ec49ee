/** The symbols under which layers and routers keep state that tools need not see. */

/** On a layer: the function that it was created with. */
export const ORIGINAL_HANDLER: unique symbol = Symbol('given');
/** On a layer: its parsed path. */
export const PATTERN: unique symbol = Symbol('pattern');
/** On a layer: whether its path matches every path. */
export const FAST: unique symbol = Symbol('fast');
/** Paths that match every path: `'*'`, and the prefix `'/'`. */
export const enum Fast {
  none,
  star,
  slash,
}
/** On a layer: whether its path matches as a prefix. */
export const PREFIX: unique symbol = Symbol('prefix');
/** On a layer: the function whose parameter count is cached, and that count. */
export const LAST_HANDLE: unique symbol = Symbol('last handle');
export const LAST_ARITY: unique symbol = Symbol('last arity');
/** On a layer of another grammar: a function that returns the parameter names in one of its paths. */
export const NAMES: unique symbol = Symbol.for('ristretto.names');
/** On a layer of another grammar: a function that returns the variants of one of its paths, without optional parts. */
export const VARIANTS: unique symbol = Symbol.for('ristretto.variants');
/** On a router: its stack and the index over it. */
export const STATE: unique symbol = Symbol('router state');
/** On a request: its innermost walk. Copies of the framework that are installed side by side share this symbol. */
export const WALK: unique symbol = Symbol.for('ristretto.walk');

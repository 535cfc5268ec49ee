/** The symbols under which routes and routers keep what who reads `app.routes` need not see. */

/** On a route: its layer. */
export const LAYER: unique symbol = Symbol('layer');
/** On a route that was made for every method: what those of one call have in common. */
export const CALL: unique symbol = Symbol('call of all');
/** On a request that is in a router: what goes on behind it. */
export const BEHIND: unique symbol = Symbol('behind the router');
/** On a router: the function that it is as middleware. */
export const MIDDLEWARE: unique symbol = Symbol('middleware');

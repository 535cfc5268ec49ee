/** The symbols for the internal properties of routes and routers, hidden from programs that read `app.routes`. */

/** On a route: its layer. */
export const LAYER: unique symbol = Symbol('layer');
/** On a route created by `all`: an object shared by the routes of one call. */
export const CALL: unique symbol = Symbol('call of all');
/** On a router: its middleware function. */
export const MIDDLEWARE: unique symbol = Symbol('middleware');

/** The open interfaces that applications and plugins extend by declaration merging. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

declare global {
  // The namespace is what every plugin and application on npm augments, so its name is part of the interface.
  namespace Express {
    /**
     * Members that an application adds to every request.
     * @example declare global { namespace Express { interface Request { user?: User } } }
     */
    interface Request {}
    /** Members that an application adds to every response. */
    interface Response {}
    /** Names that an application keeps in `res.locals` and `app.locals`. */
    interface Locals {}
    /** Members that an application adds to every application object. */
    interface Application {}
  }
}

/** The names known to be in `res.locals` and `app.locals`. */
export interface Locals extends Express.Locals {}

/** What `res.locals` and `app.locals` may hold besides. */
// any: views take everything
export type AnyLocals = Record<string, any>;

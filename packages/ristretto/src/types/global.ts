/** The open interfaces that applications and plugins extend by declaration merging. */

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

declare module 'express-serve-static-core' {
  /** The names known to be in `res.locals` and `app.locals`. */
  interface Locals extends Express.Locals {}
}

export type { Locals } from 'express-serve-static-core';

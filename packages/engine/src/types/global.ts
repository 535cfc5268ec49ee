/** The open interfaces that applications and plugins extend by declaration merging. */

declare global {
  // npm packages and applications augment this namespace, so its name is part of the API.
  namespace Express {
    /**
     * The members that an application adds to every request.
     * @example declare global { namespace Express { interface Request { user?: User } } }
     */
    interface Request {}
    /** The members that an application adds to every response. */
    interface Response {}
    /** The variables that an application stores in `res.locals` and `app.locals`. */
    interface Locals {}
    /** The members that an application adds to every application object. */
    interface Application {}
  }
}

declare module 'express-serve-static-core' {
  /** The known variables in `res.locals` and `app.locals`. */
  interface Locals extends Express.Locals {}
}

export type { Locals } from 'express-serve-static-core';

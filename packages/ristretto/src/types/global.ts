/** The open interfaces that applications and plugins extend by declaration merging. */

declare global {
  // The namespace is what every plugin and application on npm augments, so its name is part of the interface.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    /**
     * Members that an application adds to every request.
     * @example declare global { namespace Express { interface Request { user?: User } } }
     */
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface Request {}
    /** Members that an application adds to every response. */
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface Response {}
    /** Names that an application keeps in `res.locals` and `app.locals`. */
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface Locals {}
    /** Members that an application adds to every application object. */
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface Application {}
  }
}

/** The names known to be in `res.locals` and `app.locals`. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Locals extends Express.Locals {}

/** What `res.locals` and `app.locals` may hold besides. */
// any: views take everything
export type AnyLocals = Record<string, any>;

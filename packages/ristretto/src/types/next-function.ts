/** `next`: how a handler passes control on. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/** Passes control on. */
export interface NextFunction {
  /**
   * To the next handler, or with an error to the next error handler.
   * @example if (!req.user) return next(new Error('who are you?'));
   */
  // any: whatever is not undefined counts as an error
  (err?: any): void;
  /** Past the other handlers of this route, or out of this router, behind the place where it is mounted. */
  (deferToNext: 'route' | 'router'): void;
}

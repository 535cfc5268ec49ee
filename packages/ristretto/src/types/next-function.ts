/** `next`: how a handler passes control on. */

/** Passes control on. */
export interface NextFunction {
  /**
   * To the next handler, or with an error to the next error handler.
   * @example if (!req.user) return next(new Error('who are you?'));
   */
  // any: whatever is not undefined counts as an error
  (err?: any): void;
  /** Out of this router, behind the place where it is mounted. */
  (deferToNext: 'router'): void;
  /** Past the other handlers of this route. */
  (deferToNext: 'route'): void;
}

/** `next`: how a handler passes control on. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

declare module 'express-serve-static-core' {
  /** Passes control on. */
  interface NextFunction {
    /**
     * To the next handler, or with an error to the next error handler.
     * @example if (!req.user) return next(new Error('who are you?'));
     */
    // any: whatever is not undefined counts as an error
    (err?: any): void;
    /**
     * Skips the other handlers of this route, or leaves this router and continues after the place where it is
     * mounted.
     */
    (deferToNext: 'route' | 'router'): void;
  }
}

export type { NextFunction } from 'express-serve-static-core';

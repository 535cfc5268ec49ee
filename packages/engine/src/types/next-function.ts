/** The type of `next`, with which a handler passes control on. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

declare module 'express-serve-static-core' {
  /** Passes control to another handler. */
  interface NextFunction {
    /**
     * Call the next handler or, with an error, the next error handler.
     * @example if (!req.user) return next(new Error('who are you?'));
     */
    // Any: every value except undefined counts as an error
    (err?: any): void;
    /** Skip the remaining handlers of this route, or leave this router and continue after its mount point. */
    (deferToNext: 'route' | 'router'): void;
  }
}

export type { NextFunction } from 'express-serve-static-core';

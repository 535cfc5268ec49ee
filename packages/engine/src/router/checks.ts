/** The checks for programming mistakes that versions run in development, from dev/ and router/dev/. */
import { deferred } from '../deferred';
import type * as handlers from '../dev/handler-arguments';
import type * as paths from '../dev/path-syntax';
import type * as query from '../dev/lost-query-changes';
import type * as settings from '../dev/setting-names';
import { reportsMistakes } from '../report/development';
import type * as stack from './dev/check-stack';

type Checks = typeof handlers & typeof paths & typeof query & typeof settings & typeof stack;

/** Returns the checks. Call it only if `reportsMistakes`: production does not load them. */
export const checks = deferred(
  (): Checks => ({
    ...(require('../dev/handler-arguments') as typeof handlers),
    ...(require('../dev/path-syntax') as typeof paths),
    ...(require('../dev/lost-query-changes') as typeof query),
    ...(require('../dev/setting-names') as typeof settings),
    ...(require('./dev/check-stack') as typeof stack),
  }),
  reportsMistakes,
);

/** The checks for programming mistakes that versions run in development, from dev/ and router/dev/. */
import { deferred } from '../deferred';
import type * as handlers from '../dev/handlers';
import type * as paths from '../dev/paths';
import type * as query from '../dev/query';
import type * as settings from '../dev/settings';
import { reportsMistakes } from '../report/development';
import type * as stack from './dev/check-stack';

type Checks = typeof handlers & typeof paths & typeof query & typeof settings & typeof stack;

/** Returns the checks. Call it only if `reportsMistakes`: production does not load them. */
export const checks = deferred(
  (): Checks => ({
    ...(require('../dev/handlers') as typeof handlers),
    ...(require('../dev/paths') as typeof paths),
    ...(require('../dev/query') as typeof query),
    ...(require('../dev/settings') as typeof settings),
    ...(require('./dev/check-stack') as typeof stack),
  }),
  reportsMistakes,
);

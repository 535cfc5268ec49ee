/** `web.describe`: describes routes for `web.openapi`, beyond what schemas express. */
import { checkNames, checkOption } from '../report/options';
import type { NextFunction } from '../types/core';
import type { DescribeHandler, RouteDescription } from '../types/description';

const CALLER = 'web.describe()';
const NAMES = [
  'summary',
  'description',
  'operationId',
  'tags',
  'deprecated',
  'hidden',
  'security',
  'externalDocs',
  'body',
  'responses',
  'errors',
] satisfies (keyof RouteDescription)[];

/**
 * Creates middleware that does nothing but carry a description: of its route, or of all routes that follow in its router.
 * @throws TypeError for an unknown name, and for errors that are not statuses
 * @example router.use(web.describe({ tags: ['users'], errors: [401, 403] }));
 */
export function describe(description: RouteDescription): DescribeHandler {
  checkNames(CALLER, description ?? null, NAMES);
  const { errors = [] } = description;
  const areStatuses = Array.isArray(errors) && errors.every(isErrorStatus);
  checkOption(areStatuses, CALLER, 'errors', 'an array of statuses from 400 to 599', errors);
  const middleware = function describe(_req: unknown, _res: unknown, next: NextFunction): void {
    next();
  };
  return Object.defineProperty(middleware, '~description', { value: description }) as DescribeHandler;
}

function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
}

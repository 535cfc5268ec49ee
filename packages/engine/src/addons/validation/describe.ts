/** `web.describe`: describes routes for `web.openApi`, beyond what schemas express. */
import { checkNames, checkOption } from '../../report/option-checks';
import type { NextFunction } from '../../types/core';
import type { DescribeHandler, RouteDescription } from '../../types/description';

const CALLER = 'web.describe()';

type Kind = readonly [wanted: string, test: (value: unknown) => boolean];
const TEXT: Kind = ['a string', value => typeof value === 'string'];
const FLAG: Kind = ['true or false', value => typeof value === 'boolean'];
const OBJECT: Kind = [
  'an object',
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
];

function listOf(what: string, test: (value: unknown) => boolean): Kind {
  return [`an array of ${what}`, value => Array.isArray(value) && value.every(test)];
}

const KINDS: Readonly<Record<keyof RouteDescription, Kind>> = {
  summary: TEXT,
  description: TEXT,
  operationId: TEXT,
  tags: listOf('strings', TEXT[1]),
  deprecated: FLAG,
  hidden: FLAG,
  security: listOf('objects', OBJECT[1]),
  externalDocs: OBJECT,
  body: OBJECT,
  responses: OBJECT,
  errors: listOf('statuses from 400 to 599', isErrorStatus),
};

/**
 * Creates middleware that does nothing but carry a description: of its route, or of all routes that follow in its router.
 * @throws TypeError for an unknown name, and for values of the wrong type
 * @example router.use(web.describe({ tags: ['users'], errors: [401, 403] }));
 */
export function describe(description: RouteDescription): DescribeHandler {
  checkNames(CALLER, description ?? null, Object.keys(KINDS));
  for (const [name, value] of Object.entries(description)) {
    const [wanted, test] = KINDS[name as keyof RouteDescription];
    checkOption(value === undefined || test(value), CALLER, name, wanted, value);
  }
  const middleware = function describe(_req: unknown, _res: unknown, next: NextFunction): void {
    next();
  };
  return Object.defineProperty(middleware, '~description', { value: description }) as DescribeHandler;
}

function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
}

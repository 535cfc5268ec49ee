/** Checks the arguments of `web.validate` when the middleware is created. */
import type { RouteDescription } from '../types/description';
import type { Schemas, ValidateOptions } from '../types/validation';
import { shown } from '../report/shown';

/** The options with their defaults. */
export interface Settled {
  status: 400 | 422;
  values: boolean;
  maxIssues: number;
  timeout: number;
  checkResponse: boolean | undefined;
}

const SCHEMAS = [
  'params',
  'query',
  'headers',
  'cookies',
  'body',
  'response',
  'describe',
] satisfies (keyof Schemas)[];
const DESCRIPTION = [
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
] satisfies (keyof RouteDescription)[];
const OPTIONS = [
  'status',
  'values',
  'maxIssues',
  'timeout',
  'checkResponse',
] satisfies (keyof ValidateOptions)[];

/** The longest delay that Node's timers support. */
const LONGEST = 2 ** 31 - 1;

/** @throws TypeError unless it is an object with at least one known name and no unknown ones */
export function readSchemas(schemas: Schemas): void {
  readNames(schemas, SCHEMAS, 'schemas');
  if (Object.keys(schemas).length === 0) {
    throw new TypeError(`web.validate() needs at least one schema: ${SCHEMAS.join(', ')}`);
  }
  if (schemas.describe !== undefined) readNames(schemas.describe, DESCRIPTION, 'parts of describe');
}

/** @throws TypeError for an invalid option */
export function readOptions(options: ValidateOptions): Settled {
  readNames(options, OPTIONS, 'options');
  const { status = 400, values = false, maxIssues = 100, timeout = 10_000, checkResponse } = options;
  require_(status === 400 || status === 422, 'status', '400 or 422', status);
  require_(typeof values === 'boolean', 'values', 'true or false', values);
  require_(Number.isInteger(maxIssues) && maxIssues > 0, 'maxIssues', 'a positive integer', maxIssues);
  require_(timeout > 0 && timeout <= LONGEST, 'timeout', 'milliseconds', timeout);
  const isSwitch = checkResponse === undefined || typeof checkResponse === 'boolean';
  require_(isSwitch, 'checkResponse', 'true or false', checkResponse);
  return { status, values, maxIssues, timeout, checkResponse };
}

function require_(isRight: boolean, name: keyof ValidateOptions, wanted: string, value: unknown): void {
  if (!isRight) throw new TypeError(`web.validate(): ${name} must be ${wanted}, got ${shown(value)}`);
}

function readNames(given: unknown, known: readonly string[], kind: string): void {
  if (typeof given !== 'object' || given === null || '~standard' in given) {
    throw new TypeError(
      `web.validate(): expected the ${kind} as an object with ${known.join(', ')}, got ${shown(given)}`,
    );
  }
  const unknown = Object.keys(given).find(name => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`web.validate(): ${shown(unknown)} is not one of the ${kind} ${known.join(', ')}`);
  }
}

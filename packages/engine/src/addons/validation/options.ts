/** Checks the arguments of `web.validate` when the middleware is created. */
import { timerDuration } from '../../amount';
import { checkNames, checkOption } from '../../report/options';
import { shown } from '../../shown';
import type { Schemas, ValidateOptions } from '../../types/validation';

/** The options with their defaults. */
export interface Settled {
  status: 400 | 422;
  includeValues: boolean;
  maxIssues: number;
  /** In milliseconds. */
  timeout: number;
  onInvalid: ValidateOptions['onInvalid'];
}

const CALLER = 'web.validate()';
const SCHEMAS = ['params', 'query', 'headers', 'cookies', 'body', 'response'] satisfies (keyof Schemas)[];
const OPTIONS = [
  'status',
  'includeValues',
  'maxIssues',
  'timeout',
  'onInvalid',
] satisfies (keyof ValidateOptions)[];

/** @throws TypeError unless it is an object with at least one known name and no unknown ones */
export function readSchemas(schemas: Schemas): void {
  if (typeof schemas !== 'object' || (schemas as unknown) === null || '~standard' in schemas) {
    throw new TypeError(
      `${CALLER}: expected the schemas as an object with ${SCHEMAS.join(', ')}, got ${shown(schemas)}`,
    );
  }
  checkNames(CALLER, schemas, SCHEMAS, 'schema');
  if (Object.keys(schemas).length === 0) {
    throw new TypeError(`${CALLER} needs at least one schema: ${SCHEMAS.join(', ')}`);
  }
}

/** @throws TypeError for an invalid option */
export function readOptions(options: ValidateOptions): Settled {
  checkNames(CALLER, options, OPTIONS);
  const { status = 400, includeValues = false, maxIssues = 100, timeout = '10s', onInvalid } = options;
  checkOption(status === 400 || status === 422, CALLER, 'status', '400 or 422', status);
  checkOption(typeof includeValues === 'boolean', CALLER, 'includeValues', 'true or false', includeValues);
  const isCount = Number.isInteger(maxIssues) && maxIssues > 0;
  checkOption(isCount, CALLER, 'maxIssues', 'a positive integer', maxIssues);
  const isFunction = onInvalid === undefined || typeof onInvalid === 'function';
  checkOption(isFunction, CALLER, 'onInvalid', 'a function', onInvalid);
  const milliseconds = timerDuration(`the timeout of ${CALLER}`, timeout, 1);
  return { status, includeValues, maxIssues, timeout: milliseconds, onInvalid };
}

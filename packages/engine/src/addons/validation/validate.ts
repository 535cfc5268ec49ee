/**
 * `web.validate`: middleware that validates a request with schemas and replaces its parts with their output.
 *
 * If every schema is synchronous, so is the middleware: it creates no promises and calls `next` synchronously.
 */
import type { ServerResponse } from 'node:http';
import { deferred } from '../../deferred';
import { reportsMistakes } from '../../report/development';
import { httpError } from '../../protocol/errors';
import type * as warn from '../../dev/warn';
import type * as checkParams from '../../router/dev/check-params';
import { routeName } from '../../router/matched-path';
import { isPromise as isAnyPromise } from '../../realms';
import { reasonToError } from '../../router/rejection';
import type { NextFunction } from '../../types/core';
import type { Request, Response } from '../../types/internals';
import type {
  RequestPart,
  Schemas,
  StandardIssue,
  ValidateHandler,
  ValidateOptions,
  ValidationError,
} from '../../types/validation';
import { keysOf, makeIssue } from './issues';
import { checkTexts, hasTexts } from './lists';
import { PARTS, readPart, writePart } from './parts';
import type * as responses from './responses';
import { checkOf, isPromise } from './schema';
import type { Check, Outcome } from './schema';
import { timerDuration } from '../../amount';
import { FLAG, FUNCTION, READ, checkNames, checkOptions } from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import { shown } from '../../shown';

/** The options with their defaults. */
export interface ResolvedOptions {
  status: 400 | 422;
  includeValues: boolean;
  maxIssues: number;
  /** In milliseconds. */
  timeout: number;
  onInvalid: ValidateOptions['onInvalid'];
}

const CALLER = 'web.validate()';
const SCHEMAS = ['params', 'query', 'headers', 'cookies', 'body', 'response'] satisfies (keyof Schemas)[];
const OPTIONS = {
  status: ['400 or 422', value => value === 400 || value === 422],
  includeValues: FLAG,
  maxIssues: ['a positive integer', value => Number.isInteger(value) && (value as number) > 0],
  timeout: READ,
  onInvalid: FUNCTION,
} satisfies Kinds<ValidateOptions>;

/** @throws TypeError unless it is an object with at least one known name and no unknown ones */
function readSchemas(schemas: Schemas): void {
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
export function readOptions(options: ValidateOptions): ResolvedOptions {
  checkOptions(CALLER, options, OPTIONS);
  const { status = 400, includeValues = false, maxIssues = 100, timeout = '10s', onInvalid } = options;
  const milliseconds = timerDuration(`the timeout of ${CALLER}`, timeout, 1);
  return { status, includeValues, maxIssues, timeout: milliseconds, onInvalid };
}

const warnings = deferred(() => require('../../dev/warn') as typeof warn, reportsMistakes);
const parameters = deferred(
  () => require('../../router/dev/check-params') as typeof checkParams,
  reportsMistakes,
);

interface PartCheck {
  name: RequestPart;
  check: Check;
}

/** The result of validating one part. */
interface Checked {
  name: RequestPart;
  input: unknown;
  outcome: Outcome;
}

/**
 * Creates middleware that validates a request. If all parts match, they are replaced by the output of their schemas;
 * otherwise none is replaced, and the error handlers receive a `ValidationError`.
 * @throws TypeError for a schema that does not implement Standard Schema, an unknown part, or an invalid option
 */
export function validate<S extends Schemas>(schemas: S, options: ValidateOptions = {}): ValidateHandler<S> {
  readSchemas(schemas);
  const settled = readOptions(options);
  // An undefined schema is a mistake, for example because of a cyclic import: the part would not be validated.
  const checks = PARTS.filter(name => name in schemas).map(name => ({
    name,
    check: checkOf(schemas[name], name),
  }));
  const guard =
    'response' in schemas
      ? (require('./responses') as typeof responses).responseGuard(schemas.response!)
      : undefined;
  const middleware = function validate(req: Request, res: Response, next: NextFunction): void {
    guard?.(res, next);
    checkRequest(checks, settled, { req, res, next });
  };
  Object.defineProperties(middleware, {
    '~schemas': { value: schemas },
    '~status': { value: settled.status },
  });
  return middleware as ValidateHandler<S>;
}

interface Call {
  req: Request;
  res: Response;
  next: NextFunction;
}

/** Validates all parts. Errors thrown by a schema or the application reach the error handlers through the router. */
function checkRequest(checks: readonly PartCheck[], options: ResolvedOptions, call: Call): void {
  const done: Checked[] = [];
  const pending: Promise<Checked>[] = [];
  for (const { name, check } of checks) {
    const input = readPart(call.req, name);
    const outcome = hasTexts(name, call.req.headers) ? checkTexts(check, input) : check(input);
    if (isPromise(outcome)) {
      const late = Promise.resolve(outcome).then(settled => ({ name, input, outcome: settled }));
      // If a later part throws, nothing waits for this one, and its rejection would end the process.
      late.catch(() => undefined);
      pending.push(late);
    } else {
      done.push({ name, input, outcome });
    }
  }
  if (pending.length === 0) passOnResults(done, options, call);
  else wait(done, pending, options, call);
}

/** Waits for asynchronous schemas, until the client disconnects or the timeout passes. */
function wait(
  done: Checked[],
  pending: readonly Promise<Checked>[],
  options: ResolvedOptions,
  call: Call,
): void {
  const { res, next } = call;
  let isOver = false;
  const once = (act: () => void) => (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    (res as ServerResponse).off('close', leave);
    act();
  };
  const leave = once(() => undefined);
  const timer = setTimeout(
    once(() => {
      next(
        httpError(503, `Validation took longer than ${options.timeout} ms`, { type: 'validation.timeout' }),
      );
    }),
    options.timeout,
  );
  (res as ServerResponse).once('close', leave);
  Promise.all(pending).then(
    late => {
      once(() => {
        try {
          passOnResults([...done, ...late], options, call);
        } catch (reason) {
          next(reasonToError(reason));
        }
      })();
    },
    (error: unknown) => {
      once(() => {
        next(error);
      })();
    },
  );
}

function passOnResults(checked: readonly Checked[], options: ResolvedOptions, { req, next }: Call): void {
  if (checked.some(({ outcome }) => outcome.issues !== undefined)) {
    const error = validationError(checked, options);
    if (reportsMistakes((req as Partial<Request>).app?.settings)) {
      parameters().checkExpected(req, unmetParameters(checked));
      warnOfTexts(req, checked);
    }
    // A function that returns nothing may have changed the error. After any other empty value, `next` would let the request pass.
    const pass = (replaced: unknown): void => next(replaced || error);
    const replaced = options.onInvalid?.(error, req);
    if (isAnyPromise(replaced)) replaced.then(pass, (reason: unknown) => next(reasonToError(reason)));
    else pass(replaced);
    return;
  }
  for (const { name, input, outcome } of checked) {
    writePart(req, name, input, (outcome as { value: unknown }).value);
  }
  next();
}

/** Warns of a schema that expects numbers or booleans of a query or of parameters, which are strings. */
function warnOfTexts(req: Request, checked: readonly Checked[]): void {
  for (const { name, input, outcome } of checked) {
    if (name !== 'query' && name !== 'params') continue;
    for (const issue of outcome.issues ?? []) {
      const [key, ...others] = keysOf(issue);
      const [, wanted] = /\b(number|boolean)\b/.exec(issue.message.toLowerCase()) ?? [];
      const value: unknown =
        others.length > 0 || key === undefined ? undefined : Reflect.get(Object(input), key);
      if (wanted === undefined || typeof value !== 'string' || !isText(value, wanted)) continue;
      const message = `${routeName(req)}: the schema expects ${name}.${String(key)} to be a ${wanted}, and got a string. All values there are strings: coerce them, as z.coerce.${wanted}() does.`;
      warnings().warnOnce('RISTRETTO_UNCOERCED', message, null);
    }
  }
}

/** Whether a coercing schema would have accepted the text. */
function isText(value: string, wanted: string): boolean {
  return wanted === 'boolean' ? /^(?:true|false)$/.test(value) : /^-?\d+(?:\.\d+)?$/.test(value);
}

/** Returns the names of the parameters that do not match their schema. */
function unmetParameters(checked: readonly Checked[]): PropertyKey[] {
  const issues = checked.find(({ name }) => name === 'params')?.outcome.issues ?? [];
  return issues.flatMap(issue => keysOf(issue).slice(0, 1));
}

function validationError(checked: readonly Checked[], options: ResolvedOptions): ValidationError {
  const found = checked.flatMap(({ name, input, outcome }) =>
    (outcome.issues ?? []).slice(0, options.maxIssues).map(issue => ({ name, input, issue })),
  );
  const total = checked.reduce((sum, { outcome }) => sum + (outcome.issues?.length ?? 0), 0);
  const issues = found
    .slice(0, options.maxIssues)
    .map(({ name, input, issue }: { name: RequestPart; input: unknown; issue: StandardIssue }) =>
      makeIssue(name, issue, input, options.includeValues),
    );
  const omitted = total - issues.length;
  const [first] = issues;
  const more = total > 1 ? ` (and ${total - 1} more)` : '';
  const message =
    first === undefined
      ? 'The request is not valid'
      : `${first.location}${first.path}: ${first.message}${more}`;
  const properties = { type: 'validation.failed', issues, omitted };
  return httpError(options.status, message, properties) as ValidationError;
}

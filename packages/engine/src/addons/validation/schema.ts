/** Standard Schema, version 1: checks that an object is a schema, and provides its validation function. */
import { shown } from '../../shown';
import type { StandardResult, StandardSchema } from '../../types/validation';

export type Outcome = StandardResult<unknown>;
/** Validates a value. */
export type Check = (value: unknown) => Outcome | PromiseLike<Outcome>;

/**
 * Returns the validation function of a schema. It throws if the schema returns neither a value nor issues: otherwise,
 * the `false` of a function written by hand would count as valid. It always throws or rejects with a reason.
 * @param name the purpose of the schema, for error messages
 * @param caller the function that needs it
 * @throws TypeError if it is not a schema
 */
export function checkOf(schema: unknown, name: string, caller = 'web.validate()'): Check {
  const standard = isObject(schema) ? (schema as Partial<StandardSchema>)['~standard'] : undefined;
  if (!isObject(standard) || typeof (standard as { validate?: unknown }).validate !== 'function') {
    throw new TypeError(
      `${caller} needs a schema for ${name}: an object with '~standard' (https://standardschema.dev), such as those ` +
        `of zod 4, valibot and arktype. Got ${shown(schema)}`,
    );
  }
  const { version } = standard as { version: unknown };
  if (version !== 1) {
    throw new TypeError(
      `${caller} supports version 1 of Standard Schema. The schema for ${name} has version ${shown(version)}`,
    );
  }
  const checked = (outcome: Outcome): Outcome => {
    if (isObject(outcome) && ('value' in outcome || outcome.issues !== undefined)) return outcome;
    throw new TypeError(
      `${caller}: the schema for ${name} returned ${shown(outcome)}. Expected { value } or { issues }`,
    );
  };
  return value => {
    let outcome: ReturnType<Check>;
    try {
      outcome = standard!.validate(value);
    } catch (reason) {
      return fail(reason);
    }
    return isPromise(outcome) ? outcome.then(checked, fail) : checked(outcome);
  };
}

/** Without a reason, `next` would take the failure of a schema for permission. */
function fail(reason: unknown): never {
  const error: unknown = reason || new Error(`A schema failed without a reason (${String(reason)})`);
  throw error;
}

/** Schemas may be functions, as in arktype. */
function isObject(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

export function isPromise(outcome: Outcome | PromiseLike<Outcome>): outcome is PromiseLike<Outcome> {
  return isObject(outcome) && typeof (outcome as { then?: unknown }).then === 'function';
}

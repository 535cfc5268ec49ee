/** Handwritten Standard Schema (version 1) schemas, the same as libraries produce. */
import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
} from '@ristretto/private-engine/lib/types/validation';

type Check<Output> = (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;

export function schema<Output, Input = Output>(validate: Check<Output>): StandardSchema<Input, Output> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

/** A number, also if given as text. */
export function number(): StandardSchema<unknown, number> {
  return schema<number, unknown>(value =>
    value !== '' && Number.isFinite(Number(value))
      ? { value: Number(value) }
      : { issues: [{ message: `expected a number, got ${JSON.stringify(value)}` }] },
  );
}

export function text(): StandardSchema<string> {
  return schema<string>(value =>
    typeof value === 'string' ? { value } : { issues: [{ message: 'expected text' }] },
  );
}

type OutputOf<Schema> = Schema extends StandardSchema<unknown, infer Output> ? Output : never;

/** An object with exactly these members; others are removed. */
export function object<Members extends Record<string, StandardSchema>>(
  members: Members,
): StandardSchema<{ [Name in keyof Members]: OutputOf<Members[Name]> }> {
  return schema<{ [Name in keyof Members]: OutputOf<Members[Name]> }>(value => {
    const issues: StandardIssue[] = [];
    const output: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(members)) {
      const given = (Object(value) as Record<string, unknown>)[name];
      const result = member['~standard'].validate(given) as StandardResult<unknown>;
      if (result.issues === undefined) output[name] = result.value;
      else issues.push(...result.issues.map(issue => ({ ...issue, path: [name, ...(issue.path ?? [])] })));
    }
    return issues.length > 0
      ? { issues }
      : { value: output as { [Name in keyof Members]: OutputOf<Members[Name]> } };
  });
}

type Convert = (options: { target: string }) => unknown;

/**
 * A schema that accepts everything and provides JSON Schema as the standard defines it: for both directions, or one for
 * each.
 */
export function described(input: object | Convert, output = input): StandardSchema {
  const made = schema<unknown>(value => ({ value }));
  const convert =
    (json: object | Convert): Convert =>
    options =>
      typeof json === 'function' ? (json as Convert)(options) : json;
  Object.assign(made['~standard'], { jsonSchema: { input: convert(input), output: convert(output) } });
  return made;
}

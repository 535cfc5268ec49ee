/**
 * Gets the JSON Schema of a schema from its library: through Standard JSON Schema, or through the library's own API.
 */
import { requireWith } from '../../modules';
import type { JsonObject } from '../../types/description';
import type { OpenApiOptions } from '../../types/openapi';
import type { StandardSchema } from '../../types/validation';
import { isObject } from './json-schema';

/** The values that a schema accepts (input), or those it produces (output). */
export type Direction = 'input' | 'output';

/** https://standardschema.dev/json-schema */
interface StandardJsonSchema {
  vendor: string;
  jsonSchema?: Record<Direction, Converter>;
}

type Converter = (options: { target: string; libraryOptions?: object }) => object;

const TARGET = { target: 'draft-2020-12' };

/**
 * Returns the JSON Schema of a schema as a separate copy.
 * @throws the error of the library, or an Error if the library does not support JSON Schema
 */
export function convert(
  schema: StandardSchema,
  direction: Direction,
  own: OpenApiOptions['toJSONSchema'],
): JsonObject {
  const converted = own?.(schema, direction) ?? byStandard(schema, direction) ?? byLibrary(schema, direction);
  if (converted === undefined) {
    throw new Error('the library does not support JSON Schema');
  }
  // Throws if the schema is a circular object.
  const data: unknown = JSON.parse(JSON.stringify(converted));
  if (!isObject(data)) throw new Error('its JSON Schema is not an object');
  return data;
}

function byStandard(schema: StandardSchema, direction: Direction): object | undefined {
  const { jsonSchema, vendor } = schema['~standard'] as StandardJsonSchema;
  const convertTo = jsonSchema?.[direction];
  try {
    return convertTo?.(TARGET);
  } catch (error) {
    if (vendor !== 'zod') throw error;
    return withDates(convertTo!, direction, error);
  }
}

interface ZodType {
  _zod: { def: { type: string; coerce?: boolean } };
}

/**
 * Converts a schema of zod that has dates, which zod rejects. They are sent as text, and read from text if they are coerced.
 * @throws the first error if there is anything else that zod rejects, or zod is older than 4.6 and does not ask
 */
function withDates(convertTo: Converter, direction: Direction, error: unknown): object {
  let isAsked = false;
  const unrepresentable = ({ zodSchema }: { zodSchema: ZodType }): 'throw' | object => {
    isAsked = true;
    const { type, coerce } = zodSchema._zod.def;
    const isText = type === 'date' && (direction === 'output' || coerce === true);
    return isText ? { type: 'string', format: 'date-time' } : 'throw';
  };
  const converted = convertTo({ ...TARGET, libraryOptions: { unrepresentable } });
  if (!isAsked) throw error;
  return converted;
}

/** The APIs that libraries had before the standard, or have in addition to it. */
function byLibrary(schema: StandardSchema, direction: Direction): object | undefined {
  if (schema['~standard'].vendor === 'valibot') {
    const { toJsonSchema } = load('@valibot/to-json-schema') as {
      toJsonSchema(schema: unknown, options: object): object;
    };
    return toJsonSchema(schema, { ...TARGET, typeMode: direction });
  }
  // Versions of arktype that don't support Standard Schema yet
  const { toJsonSchema } = schema as { toJsonSchema?: () => object };
  return toJsonSchema?.call(schema);
}

function load(name: string): unknown {
  let load;
  try {
    load = requireWith(name);
  } catch {
    throw new Error(`the package ${name} is not installed: npm install ${name}`);
  }
  return load(name);
}

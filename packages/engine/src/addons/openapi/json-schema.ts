/**
 * Reads and rewrites JSON Schema (draft 2020-12), but only where schemas are allowed: in `default`, `enum` and
 * examples, `$ref` is data.
 *
 * https://json-schema.org/draft/2020-12/json-schema-core
 */
import type { JsonObject } from '../../types/description';

/** Keywords whose value is a schema. */
const ONE = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** Keywords whose value is an array of schemas. */
const MANY = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Keywords whose value is an object of schemas. */
const NAMED = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a copy in which each direct subschema is replaced. */
export function mapChildren(schema: JsonObject, replace: (child: JsonObject) => JsonObject): JsonObject {
  const one = (value: unknown): unknown => (isObject(value) ? replace(value) : value);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (ONE.has(keyword)) return [keyword, one(value)];
    if (MANY.has(keyword) && Array.isArray(value)) return [keyword, value.map(one)];
    if (NAMED.has(keyword) && isObject(value)) return [keyword, mapValues(value, one)];
    return [keyword, value];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Also works for a member named `__proto__`. */
function mapValues(object: JsonObject, replace: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, replace(value)]));
}

/** Returns all references in a schema, including nested ones. */
export function referencesIn(schema: JsonObject): string[] {
  const found: string[] = typeof schema.$ref === 'string' ? [schema.$ref] : [];
  mapChildren(schema, child => {
    found.push(...referencesIn(child));
    return child;
  });
  return found;
}

/** The definitions within a schema, by name. */
export type Definitions = ReadonlyMap<string, JsonObject>;

/** Splits a schema into the definitions in `$defs` and the rest, without keywords that only whole documents have. */
export function takeApart(schema: JsonObject): { root: JsonObject; definitions: Definitions } {
  const { $schema: _, $id: _id, $defs, definitions, ...root } = schema;
  const named = [$defs, definitions].flatMap(group => (isObject(group) ? Object.entries(group) : []));
  return {
    root,
    definitions: new Map(named.filter(([, value]) => isObject(value)) as [string, JsonObject][]),
  };
}

/** Splits a reference into the name of its definition, undefined for the root, and the pointer within it. */
export function readReference(reference: string): { name: string | undefined; rest: string } {
  const match = /^#\/(?:\$defs|definitions)\/([^/]*)(.*)$/s.exec(reference);
  if (match === null) return { name: undefined, rest: reference.slice(1) };
  return { name: unescaped(match[1]!), rest: match[2]! };
}

export function leadsNowhere(reference: string): Error {
  return new Error(`the reference ${reference} does not exist`);
}

/** Unescapes a token of a JSON pointer (RFC 6901, sections 3 and 6). */
export function unescaped(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

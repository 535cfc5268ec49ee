/**
 * Reads and rewrites JSON Schema (draft 2020-12) at the places where schemas stand: in `default`, `enum` and examples,
 * `$ref` is data.
 * https://json-schema.org/draft/2020-12/json-schema-core
 */
import type { JsonObject } from '../types/description';

/** Keywords with a schema. */
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
/** Keywords with an array of schemas. */
const MANY = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Keywords with schemas by name. */
const NAMED = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which each schema directly within this one is replaced. */
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

/** Also where a name is `__proto__`. */
function mapValues(object: JsonObject, replace: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, replace(value)]));
}

/** The references in a schema, those deeper within too. */
export function referencesIn(schema: JsonObject): string[] {
  const found: string[] = typeof schema.$ref === 'string' ? [schema.$ref] : [];
  mapChildren(schema, child => {
    found.push(...referencesIn(child));
    return child;
  });
  return found;
}

/** Schemas by their name within another. */
export type Definitions = ReadonlyMap<string, JsonObject>;

/** Takes a schema apart: what stands in `$defs`, and the rest without what only whole documents have. */
export function takeApart(schema: JsonObject): { root: JsonObject; definitions: Definitions } {
  const { $schema: _, $id: _id, $defs, definitions, ...root } = schema;
  const named = [$defs, definitions].flatMap(group => (isObject(group) ? Object.entries(group) : []));
  return {
    root,
    definitions: new Map(named.filter(([, value]) => isObject(value)) as [string, JsonObject][]),
  };
}

/** A reference within a document: the name of its definition, undefined for the root; and the pointer from there on. */
export function readReference(reference: string): { name: string | undefined; rest: string } {
  const match = /^#\/(?:\$defs|definitions)\/([^/]*)(.*)$/s.exec(reference);
  if (match === null) return { name: undefined, rest: reference.slice(1) };
  return { name: unescaped(match[1]!), rest: match[2]! };
}

export function leadsNowhere(reference: string): Error {
  return new Error(`the reference ${reference} does not exist`);
}

/** RFC 6901, sections 3 and 6. */
export function unescaped(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

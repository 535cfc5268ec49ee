/** Generates the types of a client from an OpenAPI document. */
import type { JsonObject } from '../types/description';
import type { OpenApiDocument } from '../types/openapi';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: JsonObject;
  description?: string;
  'x-rest'?: boolean;
}

interface Body {
  required?: boolean;
  content?: Record<string, { schema?: JsonObject }>;
}

/** The parts of an operation that a client needs. */
interface Operation {
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

type Components = Readonly<Record<string, JsonObject>>;

const SPACE = '  ';
/** Statuses of responses without a body. */
const BODILESS = ['204', '205', '304'];
const JSON_TYPE = /^application\/(?:.*\+)?json *(?:;|$)/i;
/** The types of forms, which `fetch` sets itself. */
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded'];
const LINES_TYPE = /^application\/(?:x-)?(?:ndjson|jsonl) *(?:;|$)/i;

/**
 * Returns the declarations of `Schemas` and `Client`. Functions of a path, without type parameters: for a generic function
 * of all paths, editors take seconds to complete a path.
 */
export function declarationsOf(document: OpenApiDocument): string {
  const components = document.components?.schemas ?? {};
  const schemas = Object.entries(components).map(
    ([name, schema]) => `${comment(schema)}${key(name)}: ${typeOf(schema)};`,
  );
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries<object>(item) as [string, Operation][];
    const [[, first]] = operations as [[string, Operation]];
    return `${key(patternOf(path, first))}: ${block(operations.map(one => operationType(one, components)))};`;
  });
  const bodyTypes = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries<object>(item) as [string, Operation][]).flatMap(([method, operation]) => {
      const types = bodyTypesOf(operation, components);
      const place = `${method.toUpperCase()} ${patternOf(path, operation)}`;
      return types.length === 0 ? [] : [`${quoted(place)}: [${types.map(quoted).join(', ')}],`];
    }),
  );
  const unlisted = (document['x-unlisted'] ?? []).map(
    ({ method, path, reason }) => `// Not in this client: ${method} ${oneLine(path)} (${reason})\n`,
  );
  return [
    '/** The schemas of the application, by name. */\n',
    `export interface Schemas ${block(schemas)}\n`,
    '/** A function for each method of each path. */\n',
    `export interface Client ${block(paths)}\n`,
    '/** The media types of those bodies that might be sent as another one. */\n',
    `const BODY_TYPES: Readonly<Record<string, readonly string[]>> = ${block(bodyTypes)};\n`,
    ...unlisted,
  ].join('');
}

/** Returns a path of OpenAPI as a path of Express 5. */
function patternOf(path: string, { parameters = [] }: Operation): string {
  const rest = new Set(parameters.filter(parameter => parameter['x-rest']).map(({ name }) => name));
  // A letter behind a parameter would be part of its name
  return path.replace(/\{(\w+)\}(\w?)|[\\:*]/g, (text, name?: string, letter?: string) =>
    name === undefined ? `\\${text}` : `${rest.has(name) ? '*' : ':'}${name}${letter ? `\\${letter}` : ''}`,
  );
}

function operationType([method, operation]: [string, Operation], schemas: Components): string {
  const { parameters = [], requestBody, responses } = operation;
  const groups: [name: string, location: Parameter['in']][] = [
    ['params', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ];
  const members = groups.flatMap(([name, location]) => {
    const found = parameters.filter(parameter => parameter.in === location);
    if (found.length === 0) return [];
    const isOptional = found.every(({ required }) => !required);
    const others = location === 'header' ? ['[name: string]: string | undefined;'] : [];
    return `${name}${isOptional ? '?' : ''}: ${block([...found.map(parameterType), ...others])};`;
  });
  if (requestBody !== undefined) {
    members.push(`body${requestBody.required ? '' : '?'}: ${sentType(requestBody, schemas)};`);
  }
  const isOptional = members.every(member => /^\w+\?/.test(member));
  const input = members.length > 0 ? `Common & ${block(members)}` : 'Common';
  const output = outputType(responses);
  return `${comment(operation)}${method}(input${isOptional ? '?' : ''}: ${input}): Promise<${output}>;`;
}

function parameterType(parameter: Parameter): string {
  const { name, required, description } = parameter;
  const type = `${sentParameterType(parameter)}${required ? '' : ' | undefined'}`;
  return `${comment({ description })}${key(name)}${required ? '' : '?'}: ${type};`;
}

function sentParameterType(parameter: Parameter): string {
  const type = typeOf(parameter.schema ?? {});
  if (parameter.in === 'query') return type;
  // A path is text, so a number may be passed for a segment, but not for a parameter that contains several.
  if (parameter.in === 'path') return type === 'string' && !parameter['x-rest'] ? 'string | number' : type;
  return 'string';
}

/** The type of the body of a request. */
function sentType({ content = {} }: Body, schemas: Components): string {
  const types = Object.entries(content).map(([type, { schema }]) => {
    if (JSON_TYPE.test(type)) return schema === undefined ? 'unknown' : typeOf(schema);
    if (type === 'multipart/form-data') return 'FormData';
    if (type === 'application/x-www-form-urlencoded') return 'URLSearchParams';
    const bytes = 'Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>';
    return type.startsWith('text/') || isText(resolved(schema, schemas)) ? `string | ${bytes}` : bytes;
  });
  return union(types.length > 0 ? types : ['unknown']);
}

/** The media types of a body, or patterns of them, from which the client must choose; none if it would send the right one anyway. */
function bodyTypesOf({ requestBody }: Operation, schemas: Components): string[] {
  const content = Object.entries(requestBody?.content ?? {});
  const types = content.map(([type]) => type).filter(type => !FORMS.includes(type));
  const isUsual = types[0] === 'application/json' && types.every(type => JSON_TYPE.test(type));
  const written = typeOf(resolved(content[0]?.[1].schema, schemas));
  return isUsual && /^(?:\{|Array<|\[)/.test(written) ? [] : types;
}

function resolved(schema: JsonObject | undefined, schemas: Components): JsonObject | undefined {
  const reference = /^#\/components\/schemas\/([^/]+)$/.exec(String(schema?.$ref));
  return reference ? schemas[reference[1]!] : schema;
}

function isText({ type, format, contentEncoding }: JsonObject = {}): boolean {
  return type === 'string' && format !== 'binary' && contentEncoding === undefined;
}

/** The union of the responses of an operation. Any route may respond with an error that it does not declare. */
function outputType(responses: Operation['responses']): string {
  const statuses = Object.keys(responses);
  const codes = statuses.filter(status => /^\d+$/.test(status));
  const results = codes.map(code => {
    const body = BODILESS.includes(code) ? 'undefined' : receivedType(responses[code]!);
    return `${code.startsWith('2') ? 'Ok' : 'Failed'}<${code}, ${body}>`;
  });
  const others = (all: string): string => (codes.length > 0 ? `Exclude<${all}, ${codes.join(' | ')}>` : all);
  const { '2XX': success, '4XX': client, '5XX': server, default: otherwise } = responses;
  const anySuccess = success ?? otherwise;
  if (anySuccess) results.push(`Ok<${others('Success')}, ${receivedType(anySuccess)}>`);
  const hasSchema = Boolean(otherwise?.content);
  const rest = hasSchema ? receivedType(otherwise!) : 'unknown';
  if (client) results.push(`Failed<${others('ClientFailure')}, ${receivedType(client)}>`);
  if (server) results.push(`Failed<${others('ServerFailure')}, ${receivedType(server)}>`);
  const excluded = [
    client && 'ClientFailure',
    server && 'ServerFailure',
    ...codes.filter(code => !code.startsWith('2')),
  ];
  const names = excluded.filter(name => name !== undefined);
  results.push(`Failed<${names.length > 0 ? `Exclude<Failure, ${names.join(' | ')}>` : 'Failure'}, ${rest}>`);
  return union(results);
}

/** The type of the body of a response. */
function receivedType({ content }: Body): string {
  if (content === undefined) return 'unknown';
  return union(
    Object.entries(content).map(([type, { schema }]) => {
      const value = schema === undefined ? 'unknown' : typeOf(schema);
      if (JSON_TYPE.test(type)) return value;
      if (LINES_TYPE.test(type)) return `AsyncGenerator<${value}, void>`;
      if (type === 'text/event-stream') return `AsyncGenerator<ServerEvent<${value}>, void>`;
      return type.startsWith('text/') ? 'string' : 'ReadableStream<Uint8Array>';
    }),
  );
}

/** Converts a JSON Schema (draft 2020-12). What it can't express accepts more values, never fewer. */
function typeOf(schema: unknown): string {
  if (schema === false) return 'never';
  if (!isObject(schema)) return 'unknown';
  const parts = [
    typeof schema.$ref === 'string' ? referenceType(schema.$ref) : undefined,
    'const' in schema ? JSON.stringify(schema.const) : undefined,
    Array.isArray(schema.enum) ? union(schema.enum.map(value => JSON.stringify(value))) : undefined,
    alternatives(schema.anyOf),
    alternatives(schema.oneOf),
    Array.isArray(schema.allOf) ? intersection(schema.allOf.map(typeOf)) : undefined,
  ].filter(part => part !== undefined);
  const isExact = 'const' in schema || Array.isArray(schema.enum);
  const own = isExact ? undefined : ownType(schema);
  return intersection(own === undefined ? parts : [...parts, own]);
}

function alternatives(list: unknown): string | undefined {
  return Array.isArray(list) ? union(list.map(typeOf)) : undefined;
}

/** The type that `type` names, undefined if there is none. */
function ownType(schema: JsonObject): string | undefined {
  const { type, properties, items, prefixItems, additionalProperties } = schema;
  if (Array.isArray(type))
    return union(type.map(one => ownType({ ...schema, type: one as unknown }) ?? 'unknown'));
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' || (type === undefined && (items ?? prefixItems) !== undefined))
    return arrayType(schema);
  const isObjectType = properties ?? additionalProperties ?? schema.patternProperties;
  return type === 'object' || (type === undefined && isObjectType) ? objectType(schema) : undefined;
}

function arrayType({ prefixItems, items, minItems }: JsonObject): string {
  if (!Array.isArray(prefixItems)) return `Array<${typeOf(items)}>`;
  const rest = items === false ? [] : [`...Array<${typeOf(items)}>`];
  // Libraries that leave out `minItems` require all items
  const least = typeof minItems === 'number' ? minItems : prefixItems.length;
  const first = prefixItems.map((item, i) => (i < least ? typeOf(item) : `(${typeOf(item)})?`));
  return `[${[...first, ...rest].join(', ')}]`;
}

function objectType({ properties, required, additionalProperties, patternProperties }: JsonObject): string {
  const names: unknown[] = Array.isArray(required) ? required : [];
  // Converted once: nested schemas would be converted twice at each level
  const entries = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    start: `${comment(schema)}${key(name)}`,
    optional: names.includes(name) ? '' : '?',
    type: typeOf(schema),
  }));
  const members = entries.map(({ start, optional, type }) => `${start}${optional}: ${type};`);
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  const others = union(
    [...patterns, ...(isObject(additionalProperties) ? [additionalProperties] : [])].map(typeOf),
  );
  const index = `{ [name: string]: ${others === '' ? 'unknown' : others} }`;
  if (members.length === 0)
    return additionalProperties === false && patterns.length === 0 ? 'Record<string, never>' : index;
  if (others === '') return block(members);
  if (others === 'unknown') return `${block(members)} & ${index}`;
  // An object literal fits an intersection only if each member has the type of the others
  const types = entries.flatMap(({ type, optional }) => (optional ? [type, 'undefined'] : [type]));
  return block([...members, `[name: string]: ${union([...types, others])};`]);
}

/** `#/components/schemas/User/properties/name` */
function referenceType(reference: string): string {
  const [, name, rest] = /^#\/components\/schemas\/([^/]+)(.*)$/.exec(reference) ?? [];
  if (name === undefined) return 'unknown';
  return rest === '' ? `Schemas[${quoted(name)}]` : 'unknown';
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('unknown')) return 'unknown';
  return distinct.length > 1
    ? distinct.map(type => (type.includes(' & ') ? `(${type})` : type)).join(' | ')
    : distinct.join('');
}

function intersection(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter(type => type !== 'unknown');
  if (distinct.length === 0) return 'unknown';
  return distinct.length > 1
    ? distinct.map(type => (type.includes(' | ') ? `(${type})` : type)).join(' & ')
    : distinct[0]!;
}

function block(members: readonly string[]): string {
  if (members.length === 0) return '{}';
  const lines = members.join('\n').split('\n');
  return `{\n${lines.map(line => `${SPACE}${line}\n`).join('')}}`;
}

/** The comment that editors show for a member. */
function comment(value: unknown): string {
  const { summary, description, deprecated } = Object(value) as Partial<Operation>;
  const text = [summary, description, deprecated === true ? '@deprecated' : undefined]
    .filter(part => typeof part === 'string' && part.trim() !== '')
    .join('\n\n');
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/').trim().replaceAll('\n', '\n * ')} */\n`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A string literal. JSON and TypeScript have the same escapes. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Text for a comment that ends with its line. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]/g, ' ');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

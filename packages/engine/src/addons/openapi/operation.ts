/** Creates one operation of a document: the parameters, body and responses of a route. */
import { STATUS_CODES } from 'node:http';
import type { JsonObject, ResponseDescription } from '../../types/description';
import type { OpenApiOptions } from '../../types/openapi';
import type { RequestPart, ResponseSchema, StandardSchema } from '../../types/validation';
import type { Components } from './components';
import { isObject, leadsNowhere, readReference, takeApart } from './json-schema';
import type { Contract, FileField, Route } from './operations';
import type { Template, TemplateParameter } from './path-template';

/** The input for one operation. */
interface Place {
  route: Route;
  template: Template;
  operationId: string;
  options: OpenApiOptions;
  components: Components;
  /** Runs a step that may fail for a part of the route, which is then named in the error. */
  attempt<T>(part: string, schema: StandardSchema, act: () => T): T | undefined;
}

/** OpenAPI 3.1.0, section 4.8.12.2: these headers are described elsewhere. */
const NO_PARAMETERS = ['accept', 'content-type', 'authorization'];
const SUCCESS = /^[123]/;
const LOCATIONS = { query: 'query', headers: 'header', cookies: 'cookie' } as const;

/** @returns an Operation Object; its undefined members are left out of the JSON */
export function operationOf(place: Place): JsonObject {
  const { summary, description, tags, deprecated, security, externalDocs } = place.route.description;
  const parameters = [...pathParameters(place), ...otherParameters(place)];
  return {
    tags,
    summary,
    description,
    externalDocs,
    operationId: place.operationId,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: requestBody(place),
    responses: responses(place),
    deprecated,
    security,
  };
}

/** Returns the members of all schemas of a part; of those with the same name, the first. */
function members({ route, components, attempt }: Place, part: RequestPart): Members {
  const choices = route.contracts.map(({ schemas }) => {
    const all: Members = new Map();
    for (const schema of schemas[part]) {
      attempt(part, schema, () => {
        for (const [name, member] of membersOf(components.read(schema, 'input'))) {
          if (!all.has(name)) all.set(name, member);
        }
      });
    }
    return all;
  });
  return choices.length > 1 ? either(choices) : choices[0]!;
}

/** Every parameter of the path, with or without a schema. */
function pathParameters(place: Place): JsonObject[] {
  const known = members(place, 'params');
  return place.template.parameters.map(parameter => {
    const member = known.get(parameter.schemaName);
    // In Express 5, the value of a wildcard is an array of segments; in the path, it is text
    const isPlain = member === undefined || (parameter.isRest && member.schema.type === 'array');
    const schema = isPlain ? plain(parameter) : adopted(place, 'params', parameter.name, member);
    const rest = parameter.isRest ? { 'x-rest': true } : {};
    return described(
      { name: parameter.name, in: 'path', required: true, ...rest },
      schema,
      restOf(parameter),
    );
  });
}

function plain({ pattern }: TemplateParameter): JsonObject {
  return { type: 'string', ...(pattern === undefined ? {} : { pattern }) };
}

function restOf({ isRest }: TemplateParameter): string | undefined {
  return isRest ? 'The rest of the path, slashes included.' : undefined;
}

function otherParameters(place: Place): JsonObject[] {
  return (['query', 'headers', 'cookies'] as const).flatMap(part =>
    [...members(place, part)]
      .filter(([name]) => part !== 'headers' || !NO_PARAMETERS.includes(name.toLowerCase()))
      .map(([name, member]) => {
        const schema = adopted(place, part, name, member);
        const required = member.isRequired || undefined;
        const style =
          part === 'query' && member.schema.type === 'object' ? { style: 'deepObject', explode: true } : {};
        return described({ name, in: LOCATIONS[part], required, ...style }, schema);
      }),
  );
}

/** Returns the schemas of a part, of all contracts. */
function schemasOf({ contracts }: Route, part: RequestPart): StandardSchema[] {
  return contracts.flatMap(({ schemas }) => schemas[part]);
}

function adopted(place: Place, part: RequestPart, name: string, { schema }: Member): JsonObject {
  const adopt = (): JsonObject => place.components.adopt(schema, 'input', `${place.operationId}_${name}`);
  return place.attempt(part, schemasOf(place.route, part)[0]!, adopt) ?? {};
}

/** Moves the schema's description and deprecation to the parameter, where documentation pages show them. */
function described(parameter: JsonObject, schema: JsonObject, otherwise?: string): JsonObject {
  const { description = otherwise, deprecated, ...rest } = schema;
  return { ...parameter, description, deprecated, schema: rest };
}

function requestBody(place: Place): JsonObject | undefined {
  const { contracts, description } = place.route;
  const { body } = description;
  const withBody = contracts.filter(
    ({ schemas, files, description }) => schemas.body.length + files.length > 0 || description.body,
  );
  if (withBody.length === 0) return undefined;
  return {
    description: body?.description,
    required: (body?.required ?? contracts.every(requiresBody)) || undefined,
    content: bodyContent(place, withBody),
  };
}

/** Returns the media types of the contracts, each with the schemas of the contracts that have it. */
function bodyContent(place: Place, contracts: readonly Contract[]): Record<string, JsonObject> {
  const schemas = new Map<string, (JsonObject | undefined)[]>();
  const examples = new Map<string, object>();
  for (const contract of contracts) {
    const { files, description } = contract;
    const json = bodySchema(place, contract);
    const types = description.body?.contentTypes ?? typesFor(place, contract, json);
    for (const type of new Set(types)) {
      const schema = type === FORM && files.length > 0 ? withFiles(json, files) : json;
      schemas.set(type, [...(schemas.get(type) ?? []), schema]);
      const own = description.body?.examples;
      if (own !== undefined) examples.set(type, { ...examples.get(type), ...own });
    }
  }
  return Object.fromEntries(
    [...schemas].map(([type, choices]) => [type, { schema: anyOf(choices), examples: examples.get(type) }]),
  );
}

const FORM = 'multipart/form-data';

/** The schema of a form: `req.body` does not have its files. */
function withFiles(json: JsonObject | undefined, files: readonly FileField[]): JsonObject {
  const file = { type: 'string', format: 'binary' };
  const fields = files.map(({ name, isList }) => [name, isList ? { type: 'array', items: file } : file]);
  const properties = Object.fromEntries(fields) as JsonObject;
  if (json === undefined || isObject(json.properties)) {
    return { type: 'object', ...json, properties: { ...Object(json?.properties), ...properties } };
  }
  return { allOf: [json, { type: 'object', properties }] };
}

/** The schema of the body; a body must match those of all middlewares of a contract. */
function bodySchema(
  { operationId, components, attempt }: Place,
  { schemas }: Contract,
): JsonObject | undefined {
  const all = schemas.body.flatMap((schema): JsonObject[] => {
    const use = (): JsonObject => components.use(schema, 'input', nameOf(operationId, 'Body'));
    const json = attempt('body', schema, use);
    return json === undefined ? [] : [json];
  });
  return all.length > 1 ? { allOf: all } : all[0];
}

/** Returns no schema if one of the choices is not known: it may be anything. */
function anyOf(choices: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  if (choices.includes(undefined)) return undefined;
  const distinct = [...new Map(choices.map(schema => [JSON.stringify(schema), schema])).values()];
  return distinct.length > 1 ? { anyOf: distinct } : distinct[0];
}

/** Keywords of a schema that does not accept every value. */
const SHAPES = ['type', 'properties', 'items', '$ref', 'allOf', 'anyOf', 'oneOf', 'const', 'enum'];

/**
 * Ignores parsers of text and bytes, which do not produce objects, if there are others, or if the schema wants an
 * object; ignores the others if the schema wants text.
 */
function typesFor(
  { components }: Place,
  { schemas, bodyTypes }: Contract,
  body: JsonObject | undefined,
): readonly string[] {
  const json = body && components.read(schemas.body[0]!, 'input');
  const structured = bodyTypes.filter(({ isStructured }) => isStructured);
  const others = bodyTypes.filter(({ isStructured }) => !isStructured);
  const isText = json?.type === 'string';
  const isObject = json !== undefined && !isText && SHAPES.some(name => name in json);
  const used = isObject || (structured.length > 0 && !(isText && others.length > 0)) ? structured : others;
  const types = new Set(used.flatMap(({ types }) => types));
  return types.size > 0 ? [...types] : ['application/json'];
}

function requiresBody({ schemas }: Contract): boolean {
  return schemas.body.some(schema => !acceptsNothing(schema));
}

/** Whether a request without a body is valid. */
function acceptsNothing(schema: StandardSchema): boolean {
  try {
    const outcome = schema['~standard'].validate(undefined);
    if (!('then' in outcome)) return outcome.issues === undefined;
    outcome.catch(() => undefined);
  } catch {
    // A schema that throws accepts nothing.
  }
  return false;
}

function mediaTypesOf(
  types: readonly string[],
  schema: JsonObject | undefined,
  examples: unknown,
): Record<string, JsonObject> {
  return Object.fromEntries(types.map(type => [type, { schema, examples }]));
}

function responses(place: Place): JsonObject {
  const { route, options, components } = place;
  const { responses: described = {} } = route.description;
  const codes = [
    ...new Set([
      ...route.contracts.flatMap(({ responses }) => [...responses.keys()]),
      ...Object.keys(described),
    ]),
  ];
  const { errors = [] } = route.description;
  const found: Record<string, JsonObject> = {};
  for (const code of codes) found[code] = responseOf(code, place, described[code] ?? {});
  // If only errors are described, adds the success response.
  if (!codes.some(code => /^(?:[123]|default$)/.test(code))) found.default = { description: 'The response' };
  for (const status of options.problems === false ? [] : route.problems) {
    if (!codes.includes(String(status))) found[status] = problem(components, VALIDATION_PROBLEM, INVALID);
  }
  for (const status of errors) {
    found[status] ??= problem(components, PROBLEM, STATUS_CODES[status] ?? 'An error');
  }
  return found;
}

const INVALID = 'The request does not match its description';

function problem(components: Components, json: JsonObject, description: string): JsonObject {
  const schema = components.adopt(json, 'output', 'Problem');
  const content = mediaTypesOf(['application/problem+json'], schema, undefined);
  return { description, content };
}

/** What a contract sends with a status that it or another contract declares. A contract sends only the successes it declares. */
function responsesOf({ responses }: Contract, code: string): readonly ResponseSchema[] {
  const declared = responses.get(code) ?? responses.get(`${code[0]!}XX`) ?? responses.get('default');
  if (declared !== undefined) return [declared];
  const isOther = SUCCESS.test(code) && [...responses.keys()].some(status => SUCCESS.test(status));
  return isOther ? [] : ['unchecked'];
}

function responseOf(code: string, place: Place, described: ResponseDescription): JsonObject {
  const { route, operationId, components, attempt } = place;
  const isDeclared = route.contracts.some(contract => contract.responses.has(code));
  const given = isDeclared ? route.contracts.flatMap(contract => responsesOf(contract, code)) : [];
  const choices = given.map(schema => {
    if (schema === 'unchecked') return undefined;
    const use = (): JsonObject =>
      components.use(schema, 'output', nameOf(operationId, code === 'default' ? 'Response' : code));
    return attempt(`response ${code}`, schema, use);
  });
  const json = anyOf(choices);
  const { description = STATUS_CODES[code] ?? 'The response', headers, examples } = described;
  const { contentTypes = given.length > 0 || examples ? ['application/json'] : undefined } = described;
  return { description, headers, content: contentTypes && mediaTypesOf(contentTypes, json, examples) };
}

/** Creates a name for a schema that has none. */
function nameOf(operationId: string, what: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1) + what;
}

const text = { type: 'string' };

const ISSUE: JsonObject = {
  type: 'object',
  properties: {
    location: { type: 'string', enum: ['params', 'headers', 'cookies', 'query', 'body'] },
    path: { type: 'string', description: 'A JSON Pointer into that part of the request' },
    message: text,
    value: { description: 'What was sent' },
  },
  required: ['location', 'path', 'message'],
};

/** The members of problem details (RFC 9457), which the final handler sends. */
const ofProblem = {
  type: text,
  title: text,
  status: { type: 'integer' },
  detail: text,
  code: { type: 'string', description: 'Identifies the error for programs' },
};
const required = ['type', 'title', 'status'];

const PROBLEM: JsonObject = { title: 'Problem', type: 'object', properties: ofProblem, required };

/** A body that cannot be parsed has no issues. */
const VALIDATION_PROBLEM: JsonObject = {
  title: 'ValidationProblem',
  type: 'object',
  properties: {
    ...ofProblem,
    issues: { type: 'array', items: ISSUE },
    omitted: { type: 'integer', description: 'The number of omitted issues' },
  },
  required,
};

interface Member {
  schema: JsonObject;
  isRequired: boolean;
}
type Members = Map<string, Member>;

/** The largest depth of nested schemas and references. */
const DEEPEST = 50;

/**
 * Returns the members of the objects that a JSON Schema describes, by name. For alternatives, it returns the members of
 * all of them; a member is required only if every alternative requires it.
 * @throws Error if it does not describe an object
 */
function membersOf(json: JsonObject): Members {
  const { root, definitions } = takeApart(json);

  function read(schema: JsonObject, depth: number): Members {
    if (depth > DEEPEST) throw new Error('it refers to itself');
    if (typeof schema.$ref === 'string') {
      const { name } = readReference(schema.$ref);
      const target = name === undefined ? root : definitions.get(name);
      if (target === undefined) throw leadsNowhere(schema.$ref);
      return read(target, depth + 1);
    }
    const inner = (list: unknown): Members[] =>
      Array.isArray(list) ? list.filter(isObject).map(one => read(one, depth + 1)) : [];
    const choices = [...inner(schema.anyOf), ...inner(schema.oneOf)];
    return joined([
      ownMembers(schema),
      ...inner(schema.allOf),
      ...(choices.length > 0 ? [either(choices)] : []),
    ]);
  }

  const isOther = root.type !== undefined && root.type !== 'object';
  if (isOther) throw new Error(`expected a schema for an object, got one for ${JSON.stringify(root.type)}`);
  const members = read(root, 0);
  const context = Object.fromEntries([...definitions].map(([name, schema]) => [name, schema]));
  if (definitions.size === 0) return members;
  return new Map(
    [...members].map(([name, member]) => [name, { ...member, schema: { ...member.schema, $defs: context } }]),
  );
}

function ownMembers({ properties, required }: JsonObject): Members {
  const names: unknown[] = Array.isArray(required) ? required : [];
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(
    entries.map(([name, schema]) => [
      name,
      { schema: isObject(schema) ? schema : {}, isRequired: names.includes(name) },
    ]),
  );
}

function joined(all: readonly Members[]): Members {
  const members: Members = new Map();
  for (const [name, member] of all.flatMap(one => [...one])) {
    const known = members.get(name);
    members.set(name, {
      schema: known === undefined ? member.schema : { allOf: [known.schema, member.schema] },
      isRequired: member.isRequired || known?.isRequired === true,
    });
  }
  return members;
}

function either(choices: readonly Members[]): Members {
  const names = new Set(choices.flatMap(choice => [...choice.keys()]));
  return new Map(
    [...names].map(name => {
      const found = choices.flatMap(choice => choice.get(name) ?? []);
      const schemas = [...new Map(found.map(({ schema }) => [JSON.stringify(schema), schema])).values()];
      const isRequired = found.length === choices.length && found.every(one => one.isRequired);
      return [name, { schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas }, isRequired }];
    }),
  );
}

/** Checks the options of `web.openapi` and `web.apiDocs` when the handler is made. */
import { inspect } from 'node:util';
import type { ApiDocsOptions, OpenApiOptions } from '../types/openapi';

const OF_OPENAPI = [
  'info',
  'servers',
  'securitySchemes',
  'security',
  'tags',
  'externalDocs',
  'basePath',
  'filter',
  'problems',
  'toJSONSchema',
] satisfies (keyof OpenApiOptions)[];
const OF_API_DOCS = ['title', 'connect', 'ui'] satisfies (keyof ApiDocsOptions)[];

/** The mount path of an API: no trailing slash. */
const BASE = /^(?:\/[^/]+)+$/;

/** @throws TypeError for an invalid option */
export function checkOpenApi(options: unknown): void {
  const known = checkNames<OpenApiOptions>('web.openapi()', options, OF_OPENAPI);
  const { info, basePath, filter, toJSONSchema, problems } = known;
  const isInfo = typeof info?.title === 'string' && typeof info.version === 'string';
  check(isInfo, 'web.openapi(): info', "{ title: 'Users', version: '1.0.0' } and the like", info);
  const isPath = basePath === undefined || BASE.test(basePath);
  check(isPath, 'web.openapi(): basePath', "a path such as '/api/v1'", basePath);
  for (const [name, value] of Object.entries({ filter, toJSONSchema })) {
    check(value === undefined || typeof value === 'function', `web.openapi(): ${name}`, 'a function', value);
  }
  const isSwitch = problems === undefined || typeof problems === 'boolean';
  check(isSwitch, 'web.openapi(): problems', 'true or false', problems);
}

/** @throws TypeError for an invalid option */
export function checkApiDocs(options: unknown): void {
  const { connect = [], title } = checkNames<ApiDocsOptions>('web.apiDocs()', options, OF_API_DOCS);
  check(title === undefined || typeof title === 'string', 'web.apiDocs(): title', 'text', title);
  const isList = Array.isArray(connect) && connect.every(isOrigin);
  check(isList, 'web.apiDocs(): connect', "an array of origins such as 'https://api.example.com'", connect);
}

function checkNames<Options>(caller: string, options: unknown, known: readonly string[]): Partial<Options> {
  const given = Object(options) as object;
  const unknown = Object.keys(given).find(name => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${caller} has no option ${inspect(unknown)}: use ${known.join(', ')}`);
  }
  return given;
}

function check(isRight: boolean, what: string, wanted: string, value: unknown): void {
  if (!isRight) throw new TypeError(`${what} must be ${wanted}, got ${inspect(value, { depth: 1 })}`);
}

/** Only an origin is accepted, because it becomes part of a header. */
function isOrigin(text: unknown): boolean {
  try {
    return new URL(text as string).origin === text && /^https?:/.test(text);
  } catch {
    return false;
  }
}

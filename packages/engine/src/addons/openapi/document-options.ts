/** Checks the options of `web.openApi` and `web.openApiPage` when the handler is created. */
import { checkNames, checkOption } from '../../report/option-checks';
import { isObject } from './json-schema';
import type { OpenApiPageOptions, OpenApiOptions } from '../../types/openapi';

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
const OF_OPENAPI_PAGE = ['title', 'connect', 'ui'] satisfies (keyof OpenApiPageOptions)[];

/** The mount path of an API: no trailing slash. */
const BASE = /^(?:\/[^/]+)+$/;

const OPENAPI = 'web.openApi()';
const PAGE = 'web.openApiPage()';

/** @throws TypeError for an invalid option */
export function checkOpenApi(options: unknown): void {
  checkNames(OPENAPI, options, OF_OPENAPI);
  const known = Object(options) as Partial<OpenApiOptions>;
  const { info, basePath, filter, toJSONSchema, problems } = known;
  const isInfo = typeof info?.title === 'string' && typeof info.version === 'string';
  checkOption(isInfo, OPENAPI, 'info', "{ title: 'Users', version: '1.0.0' } and the like", info);
  const { servers, tags, security, securitySchemes, externalDocs } = known;
  for (const [name, value] of Object.entries({ servers, tags, security })) {
    checkOption(value === undefined || Array.isArray(value), OPENAPI, name, 'an array', value);
  }
  for (const [name, value] of Object.entries({ securitySchemes, externalDocs })) {
    checkOption(value === undefined || isObject(value), OPENAPI, name, 'an object', value);
  }
  const isPath = basePath === undefined || (typeof basePath === 'string' && BASE.test(basePath));
  checkOption(isPath, OPENAPI, 'basePath', "a path such as '/api/v1'", basePath);
  for (const [name, value] of Object.entries({ filter, toJSONSchema })) {
    checkOption(value === undefined || typeof value === 'function', OPENAPI, name, 'a function', value);
  }
  const isSwitch = problems === undefined || typeof problems === 'boolean';
  checkOption(isSwitch, OPENAPI, 'problems', 'true or false', problems);
}

/** @throws TypeError for an invalid option */
export function checkOpenApiPage(options: unknown): void {
  checkNames(PAGE, options, OF_OPENAPI_PAGE);
  const { connect = [], title, ui } = Object(options) as Partial<OpenApiPageOptions>;
  checkOption(title === undefined || typeof title === 'string', PAGE, 'title', 'text', title);
  checkOption(ui === undefined || isObject(ui), PAGE, 'ui', 'an object of parameters', ui);
  const isList = Array.isArray(connect) && connect.every(isOrigin);
  checkOption(isList, PAGE, 'connect', "an array of origins such as 'https://api.example.com'", connect);
}

/** Only an origin is accepted, because it becomes part of a header. */
function isOrigin(text: unknown): boolean {
  try {
    return new URL(text as string).origin === text && /^https?:/.test(text);
  } catch {
    return false;
  }
}

/** What `web.openApi` and `web.openApiPage` have in common: options that are checked, and handlers that are hidden. */
import {
  FLAG,
  FUNCTION,
  LINK,
  OBJECT,
  READ,
  SECURITY,
  TEXT,
  checkOption,
  checkOptions,
  hasText,
  listOf,
  recordOf,
} from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import type { OpenApiPageOptions, OpenApiOptions } from '../../types/openapi';

/** The mount path of an API: no trailing slash. */
const BASE = /^(?:\/[^/]+)+$/;

const OF_OPENAPI = {
  info: READ,
  servers: listOf('objects with a url', hasText('url')),
  securitySchemes: recordOf('objects', OBJECT[1]),
  security: SECURITY,
  tags: listOf('objects with a name', hasText('name')),
  externalDocs: LINK,
  basePath: ["a path such as '/api/v1'", value => typeof value === 'string' && BASE.test(value)],
  filter: FUNCTION,
  problems: FLAG,
  toJSONSchema: FUNCTION,
} satisfies Kinds<OpenApiOptions>;
const OF_OPENAPI_PAGE = {
  title: ['text', TEXT[1]],
  connect: listOf("origins such as 'https://api.example.com'", isOrigin),
  ui: ['an object of parameters', OBJECT[1]],
} satisfies Kinds<OpenApiPageOptions>;

const OPENAPI = 'web.openApi()';

/** @throws TypeError for an invalid option */
export function checkOpenApi(options: unknown): void {
  checkOptions(OPENAPI, options, OF_OPENAPI);
  const { info } = Object(options) as Partial<OpenApiOptions>;
  const isInfo = typeof info?.title === 'string' && typeof info.version === 'string';
  checkOption(isInfo, OPENAPI, 'info', "{ title: 'Users', version: '1.0.0' } and the like", info);
}

/** @throws TypeError for an invalid option */
export function checkOpenApiPage(options: unknown): void {
  checkOptions('web.openApiPage()', options, OF_OPENAPI_PAGE);
}

/** Only an origin is accepted, because it becomes part of a header. */
function isOrigin(text: unknown): boolean {
  try {
    return new URL(text as string).origin === text && /^https?:/.test(text);
  } catch {
    return false;
  }
}

/** Excludes the routes of a handler from documents. */
export function hideFromDocument<Handler extends object>(handler: Handler): Handler {
  return Object.defineProperty(handler, '~hidden', { value: true });
}

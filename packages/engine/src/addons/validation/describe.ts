/** `web.describe`: describes routes for `web.openApi`, beyond what schemas express. */
import {
  FLAG,
  LINK,
  OBJECT,
  SECURITY,
  TEXT,
  checkOptions,
  listOf,
  recordOf,
} from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import type { NextFunction } from '../../types/core';
import type {
  BodyDescription,
  DescribeHandler,
  RequestBodyDescription,
  ResponseDescription,
  RouteDescription,
} from '../../types/description';
import { checkStatus } from './responses';

const CALLER = 'web.describe()';

const KINDS = {
  summary: TEXT,
  description: TEXT,
  operationId: TEXT,
  tags: listOf('strings', TEXT[1]),
  deprecated: FLAG,
  hidden: FLAG,
  security: SECURITY,
  externalDocs: LINK,
  body: OBJECT,
  responses: OBJECT,
  errors: listOf('statuses from 400 to 599', isErrorStatus),
} satisfies Kinds<RouteDescription>;
const OF_CONTENT = {
  description: TEXT,
  contentTypes: listOf('media types', isMediaType),
  examples: recordOf("objects such as { value: 'Ada' }", isExample),
} satisfies Kinds<BodyDescription>;
const OF_BODY = { ...OF_CONTENT, required: FLAG } satisfies Kinds<RequestBodyDescription>;
const OF_RESPONSE = {
  ...OF_CONTENT,
  headers: recordOf('Header Objects', OBJECT[1]),
} satisfies Kinds<ResponseDescription>;

/**
 * Creates middleware that does nothing but carry a description: of its route, or of all routes that follow in its router.
 * @throws TypeError for an unknown name, and for values of the wrong type
 * @example router.use(web.describe({ tags: ['users'], errors: [401, 403] }));
 */
export function describe(description: RouteDescription): DescribeHandler {
  checkOptions(CALLER, description ?? null, KINDS);
  checkOptions(`body of ${CALLER}`, description.body, OF_BODY);
  for (const [status, response] of Object.entries(description.responses ?? {})) {
    checkStatus(CALLER, 'response', status);
    checkOptions(`response ${status} of ${CALLER}`, response, OF_RESPONSE);
  }
  const middleware = function describe(_req: unknown, _res: unknown, next: NextFunction): void {
    next();
  };
  return Object.defineProperty(middleware, '~description', { value: description }) as DescribeHandler;
}

function isMediaType(text: unknown): boolean {
  return typeof text === 'string' && text.includes('/');
}

function isExample(example: unknown): boolean {
  return OBJECT[1](example) && ['value', 'externalValue', '$ref'].some(name => name in (example as object));
}

function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
}

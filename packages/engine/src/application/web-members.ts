/**
 * The members of `web` that Express does not have. Those that set up an application are loaded with their first call,
 * so that programs that do not use them pay nothing. Those that a request or a signal may call are loaded after
 * startup.
 */
import { deferred } from '../deferred';
import { HttpError } from '../protocol/http-error';
import type { deadline } from '../addons/middleware/deadline';
import type { health } from '../addons/middleware/health';
import type { openTelemetry } from '../addons/telemetry/open-telemetry';
import type { metrics } from '../addons/telemetry/metrics';
import type { requestId } from '../addons/middleware/request-id';
import type { overload } from '../addons/middleware/overload';
import type { openApiPage } from '../addons/openapi/openapi-page';
import type { openApi } from '../addons/openapi/openapi';
import type { stopOnSignals } from '../stop/signals';
import type { stop } from '../stop/stop';
import type { describe } from '../addons/validation/describe';
import type { validate } from '../addons/validation/validate';

export interface WebMembers {
  readonly HttpError: typeof HttpError;
  readonly stop: typeof stop;
  readonly stopOnSignals: typeof stopOnSignals;
  readonly deadline: typeof deadline;
  readonly health: typeof health;
  readonly requestId: typeof requestId;
  readonly openTelemetry: typeof openTelemetry;
  readonly metrics: typeof metrics;
  readonly overload: typeof overload;
  readonly validate: typeof validate;
  readonly describe: typeof describe;
  readonly openApi: typeof openApi;
  readonly openApiPage: typeof openApiPage;
}

const stopping = deferred(() => require('../stop/stop') as Pick<WebMembers, 'stop'>);

/**
 * The members of `web`, documented where the package's entry declares them. The paths are literals so that bundlers
 * find them.
 */
export const webMembers: WebMembers = {
  HttpError,
  stop: (...args) => stopping().stop(...args),
  stopOnSignals: (...args) =>
    (require('../stop/signals') as Pick<WebMembers, 'stopOnSignals'>).stopOnSignals(...args),
  deadline: (...args) =>
    (require('../addons/middleware/deadline') as Pick<WebMembers, 'deadline'>).deadline(...args),
  health: (...args) => (require('../addons/middleware/health') as Pick<WebMembers, 'health'>).health(...args),
  requestId: (...args) =>
    (require('../addons/middleware/request-id') as Pick<WebMembers, 'requestId'>).requestId(...args),
  openTelemetry: (...args) =>
    (require('../addons/telemetry/open-telemetry') as Pick<WebMembers, 'openTelemetry'>).openTelemetry(
      ...args,
    ),
  metrics: (...args) =>
    (require('../addons/telemetry/metrics') as Pick<WebMembers, 'metrics'>).metrics(...args),
  overload: (...args) =>
    (require('../addons/middleware/overload') as Pick<WebMembers, 'overload'>).overload(...args),
  validate: (...args) =>
    (require('../addons/validation/validate') as Pick<WebMembers, 'validate'>).validate(...args),
  describe: (...args) =>
    (require('../addons/validation/describe') as Pick<WebMembers, 'describe'>).describe(...args),
  openApi: (...args) =>
    (require('../addons/openapi/openapi') as Pick<WebMembers, 'openApi'>).openApi(...args),
  openApiPage: (...args) =>
    (require('../addons/openapi/openapi-page') as Pick<WebMembers, 'openApiPage'>).openApiPage(...args),
};

/** The members that create handlers. `dev/handler-source.ts` recognizes them where they are registered without a call. */
const FACTORIES = [
  ...(['deadline', 'health', 'requestId', 'metrics', 'overload'] as const),
  ...(['validate', 'describe', 'openApi', 'openApiPage'] as const),
];
for (const name of FACTORIES) Object.defineProperty(webMembers[name], '~factory', { value: `web.${name}()` });

/** `web.health`: reports to load balancers and orchestrators whether the process is alive and ready for requests. */
import { inspect } from 'node:util';
import { isStopping, openCount } from '../../serving/process-state';
import { timerDuration } from '../../amount';
import { isError } from '../../realms';
import { reasonToError } from '../../router/rejection';
import { logError } from '../../report/log';
import { FLAG, OBJECT, READ, checkOption, checkOptions } from '../../report/option-checks';
import type { Kind, Kinds } from '../../report/option-checks';
import { shown } from '../../shown';
import type { NextFunction, Request, RequestHandler, Response } from '../../types/core';
import type { HealthCheck, HealthOptions } from '../../types/operation';
import { noteHealthPath } from './health-paths';

const CALLER = 'web.health()';
const PATH: Kind = [
  'a path that begins with a slash, or false',
  value => value === false || value === null || (typeof value === 'string' && value.startsWith('/')),
];
const OPTIONS = {
  checks: ['an object of functions', OBJECT[1]],
  live: PATH,
  ready: PATH,
  timeout: READ,
  maxAge: READ,
  details: FLAG,
} satisfies Kinds<HealthOptions>;
const SERVICE_UNAVAILABLE = 503;

/** How a check ended. The reason for a failure is logged, and never sent. */
type Outcome = 'ok' | 'failed' | 'timed out';
type Outcomes = Record<string, Outcome>;

/**
 * Creates middleware that responds to `GET /livez` with 200, and to `GET /readyz` with 200, or with 503 when a check
 * fails or a server of the process is being stopped.
 * @throws TypeError for a check that is not a function, a path without a leading slash and an invalid duration;
 * RangeError for a duration out of range
 * @example app.use(web.health({ checks: { database: () => pool.query('select 1') } }));
 */
export function health(options: HealthOptions = {}): RequestHandler {
  checkOptions(CALLER, options, OPTIONS);
  const { details = true } = options;
  const live = options.live ?? '/livez';
  const ready = options.ready ?? '/readyz';
  const checks = new Checks(options);
  for (const path of [live, ready]) if (path !== false) noteHealthPath(path);

  return function health(req: Request, res: Response, next: NextFunction) {
    const { path, method } = req;
    if ((path !== live && path !== ready) || (method !== 'GET' && method !== 'HEAD')) next();
    else if (path === live) respond(res, { status: 'ok' });
    else if (isStopping()) respond(res, { status: 'unavailable', reason: 'stopping' });
    else {
      const report = (outcomes: Outcomes): void => {
        const isReady = Object.values(outcomes).every(outcome => outcome === 'ok');
        const summary = { status: isReady ? 'ok' : 'unavailable' } as const;
        // A server may have begun to stop in the meantime.
        if (isStopping()) respond(res, { status: 'unavailable', reason: 'stopping' });
        else respond(res, details ? { ...summary, checks: outcomes, ...socketsIfAny() } : summary);
      };
      // A member of the response may have been replaced, or call a function of a setting
      checks
        .run(req)
        .then(report)
        .catch((reason: unknown) => {
          next(reasonToError(reason));
        });
    }
  };
}

/** The number of open WebSockets, if there are any. */
function socketsIfAny(): { sockets?: number } {
  const sockets = openCount('websockets');
  return sockets === 0 ? {} : { sockets };
}

function respond(
  res: Response,
  report: { status: 'ok' | 'unavailable'; reason?: 'stopping'; checks?: Outcomes; sockets?: number },
): void {
  if (res.headersSent) return;
  res.setHeader('Cache-Control', 'no-store');
  res.status(report.status === 'ok' ? 200 : SERVICE_UNAVAILABLE).json(report);
}

/** The checks of one application. Requests that arrive while they run, or soon after, share their outcomes. */
class Checks {
  private readonly checks: readonly (readonly [name: string, check: HealthCheck])[];
  private readonly timeout: number;
  private readonly maxAge: number;
  /** Checks that failed the last time, so that only the first of several failures in a row is logged. */
  private readonly failing = new Set<string>();
  private latest: Promise<Outcomes> | undefined;

  constructor({ checks = {}, timeout = '2s', maxAge = '1s' }: HealthOptions) {
    this.timeout = timerDuration(`the timeout of ${CALLER}`, timeout, 1);
    this.maxAge = timerDuration(`the maxAge of ${CALLER}`, maxAge, 0);
    this.checks = Object.entries(checks);
    for (const [name, check] of this.checks) {
      checkOption(typeof check === 'function', CALLER, `the check '${name}'`, 'a function', check);
    }
  }

  /** Runs all checks concurrently. Never rejects. */
  run(req: Request): Promise<Outcomes> {
    this.latest ??= this.start(req);
    return this.latest;
  }

  private async start(req: Request): Promise<Outcomes> {
    const entries = this.checks.map(
      async ([name, check]) => [name, await this.outcome(name, check, req)] as const,
    );
    const outcomes = Object.fromEntries(await Promise.all(entries));
    if (this.maxAge === 0) this.latest = undefined;
    else setTimeout(() => (this.latest = undefined), this.maxAge).unref();
    return outcomes;
  }

  private async outcome(name: string, check: HealthCheck, req: Request): Promise<Outcome> {
    const controller = new AbortController();
    const { promise: isOver, timer } = this.limit(name, controller);
    try {
      const value: unknown = await Promise.race([isOver, Promise.resolve(controller.signal).then(check)]);
      if (isFailure(value)) throw new Error(`The health check '${name}' returned ${shown(value)}`);
      this.failing.delete(name);
      return 'ok';
    } catch (error) {
      if (!this.failing.has(name)) {
        this.failing.add(name);
        report(name, error, req);
      }
      return controller.signal.aborted ? 'timed out' : 'failed';
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns a promise that rejects when the time for a check is over, after the signal is aborted. */
  private limit(
    name: string,
    controller: AbortController,
  ): { promise: Promise<never>; timer: NodeJS.Timeout } {
    let timer!: NodeJS.Timeout;
    const promise = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`The health check '${name}' took more than ${this.timeout} ms`);
        controller.abort(error);
        reject(error);
      }, this.timeout);
    });
    return { promise, timer };
  }
}

/**
 * Whether a check's return value reports a failure: a falsy value other than undefined, an error, or a `Response` that
 * is not `ok`.
 */
function isFailure(value: unknown): boolean {
  if (value === undefined) return false;
  return !value || isError(value) || (value as { ok?: unknown }).ok === false;
}

function report(name: string, error: unknown, req: Request): void {
  const message = `health check '${name}' fails`;
  logError(req.app, { message, error, req }, () => `${message}: ${inspect(error)}`);
}

/** Validates the responses of handlers, outside production: a response that does not match is a programming error. */
import type { NextFunction } from '../types/core';
import { httpError } from '../protocol/errors';
import type { Request, Response } from '../types/internals';
import type { ResponseSchemas, StandardIssue } from '../types/validation';
import { shown } from '../report/shown';
import { routeName } from '../router/matched-path';
import { hasFailed } from '../router/rejection';
import { makeIssue } from './issues';
import type { Settled } from './options';
import { checkOf, isPromise } from './schema';
import type { Check, Outcome } from './schema';

type Guard = (req: Request, res: Response, next: NextFunction) => void;
type SendJson = (this: Response, ...args: unknown[]) => Response;

/** `201`, `2XX`, `default`. */
const STATUS = /^(?:[1-5]\d\d|[1-5]XX|default)$/;

/**
 * Returns a function that enables validation of a route's responses.
 * @throws TypeError for a key that is not a status, or a value that is not a schema
 */
export function responseGuard(schemas: ResponseSchemas, { checkResponse }: Settled): Guard {
  if (typeof schemas !== 'object' || '~standard' in schemas) {
    throw new TypeError(
      `web.validate(): expected response schemas by status, such as { 200: schema }, got ${shown(schemas)}`,
    );
  }
  const checks = new Map<string, Check>();
  for (const [status, schema] of Object.entries(schemas)) {
    if (!STATUS.test(status)) {
      throw new TypeError(
        `web.validate(): expected a status from 100 to 599, '2XX' or 'default' for a response schema, got ${shown(status)}`,
      );
    }
    checks.set(status, checkOf(schema, `response ${status}`));
  }
  return (req, res, next) => {
    if (checkResponse ?? req.app.settings.env !== 'production') watch(res, checks, next);
  };
}

function watch(res: Response, checks: ReadonlyMap<string, Check>, next: NextFunction): void {
  for (const member of ['json', 'jsonp'] as const) {
    const send = res[member] as SendJson;
    const checked: SendJson = function (...args) {
      const [value, status] = args.length === 2 ? ofOldForm(args) : [args[0], this.statusCode];
      const check = checkOfStatus(checks, status, this.req);
      if (check === undefined) return send.apply(this, args);
      return judge(check, value, {
        res: this,
        status,
        next,
        send: () => send.apply(this, args),
      });
    };
    res[member] = checked;
  }
}

/** Reads the arguments of `res.json(status, value)` and `res.json(value, status)`. */
function ofOldForm([first, second]: unknown[]): [value: unknown, status: number] {
  return typeof second === 'number' ? [first, second] : [second, first as number];
}

/** The default applies to the route's handlers. Error handlers use the format of the whole application. */
function checkOfStatus(checks: ReadonlyMap<string, Check>, status: number, req: object): Check | undefined {
  const named = checks.get(String(status)) ?? checks.get(`${String(status)[0]!}XX`);
  return named ?? (hasFailed(req) ? undefined : checks.get('default'));
}

interface Sending {
  res: Response;
  status: number;
  next: NextFunction;
  send: () => Response;
}

/** Accepts a value that matches as it is, or as the client receives it: a Date becomes a string. */
function judge(check: Check, value: unknown, sending: Sending): Response {
  const { res, next } = sending;
  let outcome = check(value);
  if (!isPromise(outcome)) {
    if (outcome.issues === undefined) return sending.send();
    outcome = check(sentForm(value));
    if (!isPromise(outcome)) {
      decide(outcome, value, sending);
      return res;
    }
  }
  void (async () => {
    const direct = await outcome;
    decide(direct.issues === undefined ? direct : await check(sentForm(value)), value, sending);
  })().catch(next);
  return res;
}

function decide({ issues }: Outcome, value: unknown, sending: Sending): void {
  if (issues === undefined) sending.send();
  else sending.next(mismatch(issues, value, sending));
}

function sentForm(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

function mismatch(issues: readonly StandardIssue[], value: unknown, { res, status }: Sending): Error {
  const lines = issues.slice(0, MOST_LINES).map(issue => {
    const { path, message } = makeIssue('body', issue, value, true);
    return `  ${path || '(whole value)'}: ${message}`;
  });
  const message = `${routeName(res.req)} sent ${status} with a body that does not match its schema:\n${lines.join('\n')}`;
  return httpError(500, message, { type: 'response.invalid', expose: false });
}

const MOST_LINES = 10;

/**
 * Sends the output of response schemas: members that a schema does not declare never reach a client. A response that does not
 * match is a programming error, and becomes a 500.
 */
import { hooks } from '../../serving/hook-gate';
import type { NextFunction } from '../../types/core';
import { httpError } from '../../protocol/errors';
import type { Response } from '../../types/internals';
import type { ResponseSchemas, StandardIssue } from '../../types/validation';
import { shown } from '../../shown';
import { routeName } from '../../router/matched-path';
import { hasFailed, reasonToError } from '../../router/rejection';
import { makeIssue } from './issues';
import { checkOf, isPromise } from './schema';
import type { Check, Outcome } from './schema';

type Guard = (res: Response, next: NextFunction) => void;
type SendJson = (this: Response, ...args: unknown[]) => Response;
type Checks = ReadonlyMap<string, Check>;

/** `201`, `2XX`, `default`. */
const STATUS = /^(?:[1-5]\d\d|[1-5]XX|default)$/;

/** The schemas for a response, and the members that they replace. */
interface Watched {
  checks: Checks;
  next: NextFunction;
  readonly json: SendJson;
  readonly jsonp: SendJson;
}

/** On a response: its schemas. An entry in a WeakMap for each response would cost more than a small schema. */
const WATCHED: unique symbol = Symbol('response schemas');

interface Watching {
  [WATCHED]?: Watched;
}

/** @throws TypeError unless the key of something, such as a response schema, is a status */
export function checkStatus(caller: string, what: string, status: string): void {
  if (STATUS.test(status)) return;
  throw new TypeError(
    `${caller}: expected a status from 100 to 599, '2XX' or 'default' for a ${what}, got ${shown(status)}`,
  );
}

/**
 * Returns a function that enables the schemas of a route's responses, in addition to those of earlier middleware. For
 * the same status, the later schema wins.
 * @throws TypeError for a key that is not a status, or a value that is not a schema
 */
export function responseGuard(schemas: ResponseSchemas): Guard {
  if (typeof schemas !== 'object' || (schemas as unknown) === null || '~standard' in schemas) {
    throw new TypeError(
      `web.validate(): expected response schemas by status, such as { 200: schema }, got ${shown(schemas)}`,
    );
  }
  const checks = new Map<string, Check>();
  for (const [status, schema] of Object.entries(schemas)) {
    checkStatus('web.validate()', 'response schema', status);
    checks.set(status, schema === 'unchecked' ? unchecked : checkOf(schema, `response ${status}`));
  }
  return (res, next) => {
    const before = (res as Watching)[WATCHED];
    if (before !== undefined) {
      before.checks = new Map([...before.checks, ...checks]);
      before.next = next;
      return;
    }
    (res as Watching)[WATCHED] = { checks, next, json: res.json as SendJson, jsonp: res.jsonp as SendJson };
    res.json = senders.json;
    res.jsonp = senders.jsonp;
  };
}

const unchecked: Check = value => ({ value });

/** Replace `res.json` and `res.jsonp`, without a closure for each response. */
const senders = {
  json(this: Response, ...args: unknown[]): Response {
    return send(this, 'json', args);
  },
  jsonp(this: Response, ...args: unknown[]): Response {
    return send(this, 'jsonp', args);
  },
};

function send(res: Response, member: 'json' | 'jsonp', args: unknown[]): Response {
  const { checks, next, [member]: original } = (res as Watching)[WATCHED]!;
  // Throws, as with Express, also while the schema checks an earlier value
  if (res.headersSent) return original.apply(res, args);
  const isOldForm = args.length === 2;
  // `res.json(status, value)` and `res.json(value, status)`
  const [value, status] = isOldForm ? ofOldForm(args) : [args[0], res.statusCode];
  const check = checkOfStatus(checks, status, res.req);
  if (check === undefined) {
    // Sent without a schema, a successful response could contain anything, such as a password's hash
    if (status < 200 || status > 299 || hasFailed(res.req)) return original.apply(res, args);
    next(unknownStatus(res, status, checks));
    return res;
  }
  if (isOldForm) res.statusCode = status;
  return judge(check, value, { res, status, next, send: output => original.call(res, output) });
}

function ofOldForm([first, second]: unknown[]): [value: unknown, status: number] {
  return typeof second === 'number' ? [first, second] : [second, first as number];
}

/** The default applies to the route's handlers. Error handlers use the format of the whole application. */
function checkOfStatus(checks: Checks, status: number, req: object): Check | undefined {
  const named = checks.get(String(status)) ?? checks.get(`${String(status)[0]!}XX`);
  return named ?? (hasFailed(req) ? undefined : checks.get('default'));
}

interface Sending {
  res: Response;
  status: number;
  next: NextFunction;
  send: (output: unknown) => Response;
}

/** Accepts a value that matches as it is, or as the client receives it: a Date becomes a string. */
function judge(check: Check, value: unknown, sending: Sending): Response {
  const { res, next } = sending;
  let outcome = check(value);
  if (!isPromise(outcome)) {
    if (outcome.issues === undefined) return sending.send(outcome.value);
    outcome = check(sentForm(value));
    if (!isPromise(outcome)) {
      decide(outcome, value, sending);
      return res;
    }
  }
  let isAbandoned = false;
  const abandon = (): boolean => {
    decision.release();
    return (isAbandoned = true);
  };
  const isHook = (): boolean => false;
  const decision = new (hooks().Decision)(res, isHook, abandon).complete();
  decision.replaceMethod('writeHead', () => {
    throw hooks().headersSent();
  });
  decision.replaceMethod('write', () => false);
  decision.replaceMethod('end', () => res);
  void (async () => {
    const direct = await outcome;
    const last = direct.issues === undefined ? direct : await check(sentForm(value));
    if (isAbandoned) return;
    decision.release();
    decide(last, value, sending);
  })().catch((error: unknown) => {
    if (isAbandoned) return;
    decision.release();
    next(reasonToError(error));
  });
  return res;
}

function decide(outcome: Outcome, value: unknown, sending: Sending): void {
  if (outcome.issues === undefined) sending.send(outcome.value);
  else sending.next(mismatch(outcome.issues, value, sending));
}

function sentForm(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** The message has no values in production, where logs are kept: a value may be secret. */
function mismatch(issues: readonly StandardIssue[], value: unknown, { res, status }: Sending): Error {
  const showsValues = res.app.settings.env !== 'production';
  const lines = issues.slice(0, MOST_LINES).map(issue => {
    const { path, message } = makeIssue('body', issue, value, showsValues);
    return `  ${path || '(whole value)'}: ${message}`;
  });
  const message = `${routeName(res.req)} sent ${status} with a body that does not match its schema:\n${lines.join('\n')}`;
  return httpError(500, message, { type: 'response.invalid', expose: false });
}

function unknownStatus(res: Response, status: number, checks: Checks): Error {
  const message =
    `${routeName(res.req)} sent ${status}, for which web.validate() has no response schema (only for ${[...checks.keys()].join(', ')}). ` +
    `Set the status that you mean, or add a schema for ${status} or 'default', or ${status}: 'unchecked'`;
  return httpError(500, message, { type: 'response.invalid', expose: false });
}

const MOST_LINES = 10;

/** Sends every error as problem details (RFC 9457), and documents them. */
import { STATUS_CODES } from 'node:http';
import web from 'ristretto';
import type { ErrorRequestHandler, RequestHandler } from 'ristretto';
import { z } from 'zod';

const Issue = z.object({ location: z.string(), path: z.string(), message: z.string() });
const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    issues: z.array(Issue).optional().describe('What is wrong with the request, if it does not match'),
    requestId: z.string().describe('Quote it when you ask for help'),
  })
  .meta({ id: 'Problem' });

/** Returns an error whose message is sent to the client. */
export function problem(status: number, detail: string): Error {
  return new web.HttpError(status, detail, { expose: true });
}

/** Documents the errors that a route sends, and checks them. */
export function fails(...statuses: number[]): RequestHandler[] {
  const contentTypes = ['application/problem+json'];
  return [
    web.describe({ responses: Object.fromEntries(statuses.map(status => [status, { contentTypes }])) }),
    web.validate({ response: Object.fromEntries(statuses.map(status => [status, Problem])) }),
  ];
}

export const notFound: RequestHandler = (req, res, next) => {
  next(problem(404, `there is no ${req.path}`));
};

/**
 * Errors of `web.validate`, the body parsers and `problem`: they have a status, and `expose` if their message is for
 * clients.
 */
interface Failure {
  status?: number;
  expose?: boolean;
  message?: string;
  issues?: z.infer<typeof Issue>[];
}

export const sendProblem: ErrorRequestHandler = (err: Failure, req, res, next) => {
  if (res.headersSent) {
    next(err);
    return;
  }
  const { status = 500, expose = false, message, issues } = err;
  const requestId = String(res.get('X-Request-Id'));
  if (status >= 500) console.error(requestId, err);
  res
    .status(status)
    .type('application/problem+json')
    .json({
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail: expose ? message : undefined,
      issues,
      requestId,
    });
};

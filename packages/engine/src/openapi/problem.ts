/** The JSON Schema of the problem details sent for an invalid request: RFC 9457, with the issues. */
import type { JsonObject } from '../types/description';

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

export const PROBLEM: JsonObject = {
  title: 'ValidationProblem',
  type: 'object',
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { type: 'string', const: 'validation.failed' },
    issues: { type: 'array', items: ISSUE },
    omitted: { type: 'integer', description: 'The number of omitted issues' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'issues', 'omitted'],
};

/** The JSON Schemas of the problem details (RFC 9457) that are sent for errors, and for requests that do not match. */
import type { JsonObject } from '../../types/description';

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

const members = {
  type: text,
  title: text,
  status: { type: 'integer' },
  detail: text,
  code: { type: 'string', description: 'Identifies the error for programs' },
};
const required = ['type', 'title', 'status'];

export const PROBLEM: JsonObject = { title: 'Problem', type: 'object', properties: members, required };

/** A body that cannot be parsed has no issues. */
export const VALIDATION_PROBLEM: JsonObject = {
  title: 'ValidationProblem',
  type: 'object',
  properties: {
    ...members,
    issues: { type: 'array', items: ISSUE },
    omitted: { type: 'integer', description: 'The number of omitted issues' },
  },
  required,
};

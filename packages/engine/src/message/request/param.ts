/** The deprecated lookup of a name in path parameters, body and query, which mixes up the three. */
import depd = require('depd');
import type { Request } from '../../types/core';

const deprecate = depd('express');

type Values = Record<string, unknown>;

/**
 * `req.param`: returns a parameter of the path, or else of the body, or else of the query.
 * @deprecated Use `req.params`, `req.body` or `req.query`, so that a query cannot replace a path parameter.
 */
export function param(this: Request, name: string, defaultValue?: unknown): unknown {
  const signature = arguments.length === 1 ? 'name' : 'name, default';
  deprecate(`req.param(${signature}): Use req.params, req.body, or req.query instead`);
  const params = this.params as Values | undefined;
  if (params && Object.hasOwn(params, name) && isGiven(params[name])) return params[name];
  const inBody = (this.body as Values | null | undefined)?.[name];
  if (isGiven(inBody)) return inBody;
  const inQuery = (this.query as Values | undefined)?.[name];
  return isGiven(inQuery) ? inQuery : defaultValue;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The members of a request that return one value: a header, the ranges, the path, a parameter. */
import depd = require('depd');
import { parseRange } from '../../protocol/range';
import { pathnameOf } from '../../protocol/url';
import { isStrict } from '../../serving/strict';
import type { Request } from '../../types/core';
import type { RangeFailure, RequestRanges } from '../../types/request-negotiation';
import { versionOf } from '../../version';

const deprecate = depd('express');

/**
 * `req.get` and `req.header`: returns the value of a header; its name is case-insensitive. `Referer` and `Referrer` are
 * the same header.
 */
export function header(this: Request, name: string): string | string[] | undefined {
  if (!name) throw new TypeError('name argument is required to req.get');
  if (typeof name !== 'string') throw new TypeError('name must be a string to req.get');
  const field = name.toLowerCase();
  const headers = this.headers as Record<string, string | string[] | undefined>;
  if (field === 'referer' || field === 'referrer') return headers.referrer || headers.referer;
  const value = headers[field];
  // A name such as `constructor` must not return an inherited member.
  return typeof value === 'string' || Object.hasOwn(headers, field) ? value : undefined;
}

/** `req.xhr`: whether the request has the header `X-Requested-With: XMLHttpRequest`. */
export function xhr(this: Request): boolean {
  const requestedWith = this.get('X-Requested-With') ?? '';
  return requestedWith.toLowerCase() === 'xmlhttprequest';
}

/** `req.range`: parses the `Range` header for a representation of a given size (RFC 9110 section 14.2). */
export function range(
  this: Request,
  size: number,
  options?: { combine?: boolean | undefined },
): RequestRanges | RangeFailure | undefined {
  const field = this.get('Range');
  if (!field) return undefined;
  return parseRange(size, field, {
    combine: options?.combine,
    isStrict: versionOf(this).requests.hasStrictRanges,
    clipsSuffix: isStrict(this),
  });
}

/** `req.path`: the path of `req.url`, as it was sent, without the query. */
export function path(this: Request): string | null {
  return pathnameOf(this.url) ?? null;
}

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

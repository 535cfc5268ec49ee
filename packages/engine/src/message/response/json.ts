/** `res.json` and `res.jsonp`: JSON responses, and JSON as a function call in a script for other sites. */
import depd = require('depd');
import { deferred } from '../../deferred';
import { reportsMistakes } from '../../report/development';
import type * as jsonValue from '../../dev/json-value';
import { getField, setField } from '../../serving/fields';
import { escapeLineSeparators, stringify } from '../../protocol/json';
import type { JsonReplacer } from '../../protocol/json';
import type { Response } from '../../types/internals';
import { devWatch } from '../../router/observers';
import { JSON_TYPE } from './body-types';
import { mistakesOf } from './mistakes';

const deprecate = depd('express');
const values = deferred(() => require('../../dev/json-value') as typeof jsonValue, reportsMistakes);

/**
 * Sends JSON. The settings `json replacer`, `json spaces` and `json escape` apply.
 *
 * @param obj any value that JSON can represent; undefined results in no body
 * @returns the response, for chaining
 * @throws TypeError for circular structures and bigints
 * @example res.json({ user: 'tobi' });
 */
export function json(this: Response, obj?: unknown): Response {
  let value = obj;
  // eslint-disable-next-line prefer-rest-params -- the number of arguments distinguishes the deprecated signatures
  if (arguments.length === 2) value = valueOfOldForm(this, 'json', obj, arguments[1]);
  return sendJson(this, value);
}

/** Sends a value as JSON, through `res.send`. */
export function sendJson(res: Response, value: unknown): Response {
  const text = serialize(res, value);
  if (!getField(res, 'content-type')) setField(res, 'content-type', 'Content-Type', JSON_TYPE);
  return res.send(text);
}

/**
 * Sends JSON, wrapped in a call of a function whose name is in the query parameter that the setting `jsonp callback
 * name` specifies. Only letters, digits and `_ $ . [ ]` of the function's name are kept; the call is protected against
 * reinterpretation (a leading comment, `nosniff`), see CVE-2014-4671.
 *
 * @example res.jsonp({ a: 1 }); // for ?callback=f the script: typeof f === 'function' && f({"a":1});
 */
export function jsonp(this: Response, obj?: unknown): Response {
  let value = obj;
  // eslint-disable-next-line prefer-rest-params -- the number of arguments distinguishes the deprecated signatures
  if (arguments.length === 2) value = valueOfOldForm(this, 'jsonp', obj, arguments[1]);
  return sendJsonp(this, value);
}

/** Sends a value as JSON through `res.send`, in the function call that the query requests. */
export function sendJsonp(res: Response, value: unknown): Response {
  const text = serialize(res, value);
  const given: unknown = res.req.query[res.app.settings['jsonp callback name'] as string];
  const callback: unknown = Array.isArray(given) ? given[0] : given;

  if (typeof callback === 'string' && callback.length !== 0) {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Type', 'text/javascript; charset=utf-8');
    return res.send(call(callback.replace(/[^[\]\w$.]/g, ''), text));
  }
  if (!res.getHeader('Content-Type')) {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Type', JSON_TYPE);
  }
  return res.send(text);
}

/**
 * The leading comment prevents the response from being read as another file format; `typeof` avoids an error if the
 * function is missing.
 */
function call(name: string, text: string | undefined): string {
  const argument = text === undefined ? '' : escapeLineSeparators(text);
  return `/**/ typeof ${name} === 'function' && ${name}(${argument});`;
}

function serialize(res: Response, value: unknown): string | undefined {
  const { settings } = res.app;
  try {
    const text = stringify(
      value,
      settings['json replacer'] as JsonReplacer | undefined,
      settings['json spaces'] as string | number | undefined,
      settings['json escape'],
    );
    if (devWatch() !== undefined) mistakesOf(res)?.checkJson(value, text);
    return text;
  } catch (error) {
    if (reportsMistakes(settings)) values().explainUnserializable(error, value);
    throw error;
  }
}

/** `res.json(status, obj)` and `res.json(obj, status)`, and the same for jsonp. */
function valueOfOldForm(res: Response, member: 'json' | 'jsonp', first: unknown, second: unknown): unknown {
  if (typeof second === 'number') {
    deprecate(`res.${member}(obj, status): Use res.status(status).${member}(obj) instead`);
    res.statusCode = second;
    return first;
  }
  deprecate(`res.${member}(status, obj): Use res.status(status).${member}(obj) instead`);
  res.statusCode = first as number;
  return second;
}

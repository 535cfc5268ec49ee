/** `web.urlencoded()`: the bodies of HTML forms, flat or nested. */
import { httpError } from '../protocol/errors';
import { countParameters, parseExtended, parseSimple } from '../protocol/query-string';
import type { NextHandleFunction, OptionsUrlencoded } from '../types/body';
import type { BodyVersion } from '../version';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { charsetOf, unsupportedCharset } from './charset';
import { describeParser, readCommonOptions } from './parser-options';
import { read } from './read';

type Parse = (text: string) => object;

/** The default of the option `type`. */
export const FORM = 'application/x-www-form-urlencoded';

const DEFAULT_PARAMETER_LIMIT = 1000;
const DEFAULT_DEPTH = 32;
/** The depth used by the extended syntax if `depth` is not a number. */
const UNCLEAR_DEPTH = 5;
/** `a[]` becomes an array up to this length, or up to the number of parameters in the form if that is larger. */
const SHORTEST_ARRAY_LIMIT = 100;

/** Creates the middleware for a version of the API. */
export function createFormParser(
  options: OptionsUrlencoded | undefined,
  version: BodyVersion,
): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, FORM, version);
  const filter = createTypeFilter(settings);
  const parse = options?.extended === false ? simpleParser(options) : extendedParser(options ?? {});

  return describeParser('urlencoded', settings, function urlencodedParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    const charset = charsetOf(req.headers['content-type'], version.requests) ?? 'utf-8';
    if (charset !== 'utf-8') {
      next(unsupportedCharset(charset));
      return;
    }
    read(req, res, next, settings, parse, charset);
  });
}

function simpleParser(options: OptionsUrlencoded): Parse {
  const parameterLimit = readParameterLimit(options);
  return text => {
    if (text.length === 0) return {};
    assertFew(text, parameterLimit);
    return parseSimple(text, { parameterLimit });
  };
}

/**
 * Creates a parser of nested forms.
 * @param isFlat whether nesting is disabled
 */
export function extendedParser(options: OptionsUrlencoded, isFlat = false): Parse {
  const parameterLimit = readParameterLimit(options);
  const depth = isFlat ? 0 : readDepth(options);
  return text => {
    if (text.length === 0) return {};
    const arrayLimit = Math.max(SHORTEST_ARRAY_LIMIT, assertFew(text, parameterLimit));
    try {
      return parseExtended(text, { arrayLimit, depth, parameterLimit, strictDepth: !isFlat });
    } catch {
      throw httpError(400, 'The input exceeded the depth', { type: 'querystring.parse.rangeError' });
    }
  };
}

/** Returns the number of parameters, or throws a 413 if it exceeds the limit, before any of them is parsed. */
function assertFew(text: string, parameterLimit: number): number {
  const count = countParameters(text, parameterLimit);
  if (count === undefined) throw httpError(413, 'too many parameters', { type: 'parameters.too.many' });
  return count;
}

function readParameterLimit(options: OptionsUrlencoded): number {
  const { parameterLimit = DEFAULT_PARAMETER_LIMIT }: { parameterLimit?: unknown } = options;
  const limit = Number(parameterLimit);
  if (Number.isNaN(limit) || limit < 1)
    throw new TypeError('option parameterLimit must be a positive number');
  return Math.trunc(limit);
}

function readDepth(options: OptionsUrlencoded): number {
  const { depth = DEFAULT_DEPTH }: { depth?: unknown } = options;
  if (Number.isNaN(Number(depth)) || Number(depth) < 0) {
    throw new TypeError('option depth must be a zero or a positive number');
  }
  // A fraction of a level counts as one.
  if (typeof depth === 'number') return Math.ceil(depth);
  return depth === false ? 0 : UNCLEAR_DEPTH;
}

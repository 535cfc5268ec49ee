/** `web.raw()` and `web.text()`: bodies as a Buffer, or as a string. */
import type { NextHandleFunction, Options, OptionsText } from '../types/body';
import type { BodyVersion } from '../version';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { charsetOf, prepareTables } from './charset';
import { describeParser, readCommonOptions } from './parser-options';
import { read } from './read';

/** Creates the middleware for a version of the API. */
export function createRawParser(options: Options | undefined, version: BodyVersion): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, 'application/octet-stream', version);
  const filter = createTypeFilter(settings);

  return describeParser('raw', settings, function rawParser(req, res, next) {
    if (acceptsBody(req, filter)) read(req, res, next, settings, asIs, null);
    else passOn(req, next);
  });
}

/** Creates the middleware for a version of the API. */
export function createTextParser(options: OptionsText | undefined, version: BodyVersion): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, 'text/plain', version);
  const filter = createTypeFilter(settings);
  const defaultCharset = options?.defaultCharset || 'utf-8';
  if (typeof defaultCharset !== 'string') {
    throw new TypeError(`option defaultCharset must be a string, not "${String(defaultCharset)}"`);
  }

  prepareTables();

  return describeParser('text', settings, function textParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    read(
      req,
      res,
      next,
      settings,
      asIs,
      charsetOf(req.headers['content-type'], version.requests) ?? defaultCharset,
    );
  });
}

function asIs<Body>(body: Body): Body {
  return body;
}

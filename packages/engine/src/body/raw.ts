/** `web.raw()`: bodies as a Buffer. */
import type { NextHandleFunction, Options } from '../types/body';
import type { BodyVersion } from '../version';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { readCommonOptions } from './parser-options';
import { read } from './read';

/** Creates the middleware for a version of the API. */
export function createRawParser(options: Options | undefined, version: BodyVersion): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, 'application/octet-stream', version);
  const filter = createTypeFilter(settings);

  return function rawParser(req, res, next) {
    if (acceptsBody(req, filter)) read(req, res, next, settings, asIs, null);
    else passOn(req, next);
  };
}

function asIs(body: Buffer): Buffer {
  return body;
}

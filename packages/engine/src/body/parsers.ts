/** `web.json()`, `web.raw()`, `web.text()` and `web.urlencoded()` of a version of the API. */
import deprecation = require('depd');
import type { NextHandleFunction, Options, OptionsJson, OptionsText, OptionsUrlencoded } from '../types/body';
import type { BodyVersion } from '../version';
import { createJsonParser } from './json';
import { createRawParser, createTextParser } from './raw';
import { createFormParser } from './urlencoded';

const deprecate = deprecation('express');

type Create<Given> = (options?: Given) => NextHandleFunction;

interface Parsers {
  json: Create<OptionsJson>;
  raw: Create<Options>;
  text: Create<OptionsText>;
  urlencoded: Create<OptionsUrlencoded>;
}

/** Returns the functions that create the parsers. */
export function createParsers(version: BodyVersion): Parsers {
  /** Parses JSON bodies into `req.body`; an empty body is `{}`. */
  function json(options?: OptionsJson): NextHandleFunction {
    return createJsonParser(options, version);
  }

  /** Puts the bytes of a body, inflated, into `req.body`. */
  function raw(options?: Options): NextHandleFunction {
    return createRawParser(options, version);
  }

  /** Puts the text of a body into `req.body`. */
  function text(options?: OptionsText): NextHandleFunction {
    return createTextParser(options, version);
  }

  /** Parses bodies of `application/x-www-form-urlencoded` into `req.body`. */
  function urlencoded(options?: OptionsUrlencoded): NextHandleFunction {
    // Must be called here, because depd reports the caller of this file as the place.
    if (options?.extended === undefined) deprecate('undefined extended: provide extended option');
    return createFormParser(options, version);
  }

  return { json, raw, text, urlencoded };
}

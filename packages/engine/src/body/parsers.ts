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
  /**
   * Middleware that parses JSON bodies into `req.body`; an empty body is `{}`. Mirrors `json` of body-parser 1.20.
   *
   * @param options `inflate`, `limit` (bytes, or a string such as `'1mb'`; 100 KiB by default), `type`
   * (`'application/json'`), `verify`, `strict` (true: only objects and arrays) and `reviver` for `JSON.parse`.
   * @throws TypeError for invalid options.
   * @example
   * app.post('/users', web.json({ limit: '10kb' }), (req, res) => res.json(req.body));
   */
  function json(options?: OptionsJson): NextHandleFunction {
    return createJsonParser(options, version);
  }

  /**
   * Middleware that puts the bytes of a body, inflated, into `req.body`. Mirrors `raw` of body-parser 1.20.
   *
   * @param options `inflate`, `limit` (bytes, or a string such as `'1mb'`; 100 KiB by default), `type`
   * (`'application/octet-stream'`) and `verify`.
   * @throws TypeError for invalid options.
   * @example
   * app.post('/upload', web.raw({ type: 'image/*', limit: '5mb' }), (req, res) => res.send(String(req.body.length)));
   */
  function raw(options?: Options): NextHandleFunction {
    return createRawParser(options, version);
  }

  /**
   * Middleware that puts the text of a body into `req.body`. Mirrors `text` of body-parser 1.20.
   *
   * @param options `inflate`, `limit` (bytes, or a string such as `'1mb'`; 100 KiB by default), `type`
   * (`'text/plain'`), `verify` and `defaultCharset` (`'utf-8'`) for bodies that do not declare a charset.
   * @throws TypeError for invalid options.
   * @example
   * app.post('/notes', web.text({ defaultCharset: 'iso-8859-1' }), (req, res) => res.send(req.body));
   */
  function text(options?: OptionsText): NextHandleFunction {
    return createTextParser(options, version);
  }

  /**
   * Middleware that parses bodies of `application/x-www-form-urlencoded` into `req.body`. Mirrors `urlencoded` of
   * body-parser 1.20.
   *
   * @param options `inflate`, `limit` (bytes, or a string such as `'1mb'`; 100 KiB by default), `type`
   * (`'application/x-www-form-urlencoded'`), `verify`, `extended` (true: `a[b]=c` nests; false: `node:querystring`),
   * `parameterLimit` (1000 parameters) and `depth` (32 levels, if extended).
   * @throws TypeError for invalid options.
   * @example
   * app.post('/login', web.urlencoded({ extended: false }), (req, res) => res.send(req.body.name));
   */
  function urlencoded(options?: OptionsUrlencoded): NextHandleFunction {
    // Must be called here, because depd reports the caller of this file as the place.
    if (options?.extended === undefined) deprecate('undefined extended: provide extended option');
    return createFormParser(options, version);
  }

  return { json, raw, text, urlencoded };
}

/** Parses request bodies: the interface of body-parser 1, with the parsers of `ristretto`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParsers } from '@ristretto/private-engine/lib/body';
import { typeOfExtension } from '@ristretto/private-engine/lib/protocol';
import type * as body from '@ristretto/private-engine/lib/types/body';
import type { BodyVersion } from '@ristretto/private-engine/lib/version';
import depd = require('depd');

const deprecate = depd('body-parser');

/** Body handling as in Express 4: `req._body` marks a body that has been read, and without one `req.body` is `{}`. */
const version: BodyVersion = {
  requests: { typeOf: typeOfExtension, readsParameters: true },
  bodies: { marksRead: true, hasEmptyBody: true },
};

const parsers = createParsers(version);

type Handler = (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void;

/**
 * Returns middleware that parses JSON and forms. Deprecated, as in body-parser 1: use `json()` and `urlencoded()`.
 */
function bodyParser(
  options?: bodyParser.OptionsJson & bodyParser.OptionsText & bodyParser.OptionsUrlencoded,
): Handler {
  deprecate('bodyParser: use individual json/urlencoded middlewares');
  // `type` would be the same for both.
  const own = Object.create(prototypeOf(options), {
    type: { configurable: true, enumerable: true, value: undefined, writable: true },
  }) as bodyParser.OptionsUrlencoded;
  const parseForm = urlencoded(own);
  const parseJson = json(own);
  return function bodyParser(req, res, next) {
    parseJson(req, res, error => {
      if (error) next(error);
      else parseForm(req, res, next);
    });
  };
}

/** Returns the prototype of options: values that are not objects, such as `false`, are no options. */
function prototypeOf(options: unknown): object | null {
  return typeof options === 'object' || typeof options === 'function' ? options : null;
}

/** Returns middleware that parses JSON into `req.body`. @throws {TypeError} for invalid options */
function json(options?: bodyParser.OptionsJson): Handler {
  return parsers.json(options) as Handler;
}

/** Returns middleware that reads a body into `req.body` as a Buffer. @throws {TypeError} for invalid options */
function raw(options?: bodyParser.Options): Handler {
  return parsers.raw(options) as Handler;
}

/** Returns middleware that reads a body into `req.body` as text. @throws {TypeError} for invalid options */
function text(options?: bodyParser.OptionsText): Handler {
  return parsers.text(options) as Handler;
}

/** Returns middleware that parses forms into `req.body`. @throws {TypeError} for invalid options */
function urlencoded(options?: bodyParser.OptionsUrlencoded): Handler {
  if (options?.extended !== undefined) return parsers.urlencoded(options) as Handler;
  deprecate('undefined extended: provide extended option');
  // Options may be inherited.
  const own = Object.create(prototypeOf(options), {
    extended: { value: true },
  }) as bodyParser.OptionsUrlencoded;
  return parsers.urlencoded(own) as Handler;
}

Object.assign(bodyParser, { json, raw, text, urlencoded });

declare namespace bodyParser {
  export { json, raw, text, urlencoded };

  export interface BodyParser {
    (options?: OptionsJson & OptionsText & OptionsUrlencoded): Handler;
    json(options?: OptionsJson): Handler;
    raw(options?: Options): Handler;
    text(options?: OptionsText): Handler;
    urlencoded(options?: OptionsUrlencoded): Handler;
  }

  export type Options = body.Options;
  export type OptionsJson = body.OptionsJson;
  export type OptionsText = body.OptionsText;
  /** Omitting `extended` is deprecated. */
  export type OptionsUrlencoded = body.OptionsUrlencoded;
}

// Node.js finds the names for `import { json } from` by reading this text; the last line replaces the value.
module.exports = { json, raw, text, urlencoded };

export = bodyParser;

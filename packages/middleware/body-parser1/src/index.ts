/** Parses request bodies: the interface of body-parser 1, with the parsers of `ristretto`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParsers } from '@ristretto/private-engine/lib/body';
import { typeOfExtension } from '@ristretto/private-engine/lib/protocol';
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
  const own = Object.create(options ?? null, {
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
  const own = Object.create(options ?? null, { extended: { value: true } }) as bodyParser.OptionsUrlencoded;
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

  export interface Options {
    /** Whether compressed bodies are decompressed; otherwise they are rejected with 415. @default true */
    inflate?: boolean | undefined;
    /** The largest body, decompressed, in bytes or as text such as `'1mb'`. @default '100kb' */
    limit?: number | string | undefined;
    /** Which media types are parsed. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Any value may be returned, as in @types/body-parser
    type?: string | string[] | ((req: IncomingMessage) => any) | undefined;
    /** Called with the bytes before they are parsed; if it throws, the request is rejected with 403. */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string): void;
    /** Whether the bytes are kept as `req.rawBody`, or a function that decides for each request. @default false */
    raw?: boolean | ((req: IncomingMessage) => boolean) | undefined;
  }

  export interface OptionsJson extends Options {
    /** The second argument of `JSON.parse`. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- As that of JSON.parse
    reviver?(key: string, value: any): any;
    /** Whether only objects and arrays are accepted. @default true */
    strict?: boolean | undefined;
  }

  export interface OptionsText extends Options {
    /** The charset of bodies that do not declare one. @default 'utf-8' */
    defaultCharset?: string | undefined;
  }

  export interface OptionsUrlencoded extends Options {
    /** Whether `a[b]=c` is parsed as an object. Omitting it is deprecated. @default true */
    extended?: boolean | undefined;
    /** How many parameters a form may have. @default 1000 */
    parameterLimit?: number | undefined;
    /** How deep `a[b][c]` may be nested. @default 32 */
    depth?: number | undefined;
  }
}

// Node.js finds the names for `import { json } from` by reading this text; the last line replaces the value.
module.exports = { json, raw, text, urlencoded };

export = bodyParser;

/** Parses request bodies: the interface of body-parser 2, with the parsers of `ristretto5`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParsers } from '@ristretto/private-engine/lib/body';
import { createCharsetFormParser } from '@ristretto/private-engine/lib/charset-form';
import { registeredType } from '@ristretto/private-engine/lib/protocol';
import type * as body from '@ristretto/private-engine/lib/types/body';
import type { BodyVersion } from '@ristretto/private-engine/lib/version';

/**
 * Body handling as in Express 5: the end of the request marks a body as read, and `req.body` is undefined without a
 * body.
 */
const version: BodyVersion = {
  requests: { typeOf: registeredType, readsParameters: false },
  bodies: { marksRead: false, hasEmptyBody: false },
};

const { json: createJson, raw: createRaw, text: createText } = createParsers(version);

type Handler = (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void;

/** Always throws: there is a function for each kind of body since body-parser 2. */
function bodyParser(): never {
  throw new Error('The bodyParser() generic has been split into individual middleware to use instead.');
}

/**
 * Returns middleware that parses JSON into `req.body`.
 * @throws {TypeError} for invalid options
 * @example app.use(bodyParser.json({ limit: '10kb' }));
 */
function json(options?: bodyParser.OptionsJson): Handler {
  return createJson(options) as Handler;
}

/** Returns middleware that reads a body into `req.body` as a Buffer. @throws {TypeError} for invalid options */
function raw(options?: bodyParser.Options): Handler {
  return createRaw(options) as Handler;
}

/** Returns middleware that reads a body into `req.body` as text. @throws {TypeError} for invalid options */
function text(options?: bodyParser.OptionsText): Handler {
  return createText(options) as Handler;
}

/** Returns middleware that parses forms into `req.body`. @throws {TypeError} for invalid options */
function urlencoded(options?: bodyParser.OptionsUrlencoded): Handler {
  return createCharsetFormParser(options, version) as Handler;
}

bodyParser.json = json;
bodyParser.raw = raw;
bodyParser.text = text;
bodyParser.urlencoded = urlencoded;

declare namespace bodyParser {
  type Options = body.Options;
  type OptionsJson = body.OptionsJson;
  type OptionsText = body.OptionsText;

  interface OptionsUrlencoded extends body.OptionsUrlencoded {
    /** Whether `a[b]=c` is parsed as an object. @default false */
    extended?: boolean | undefined;
    /** The charset of forms that do not declare one. @default 'utf-8' */
    defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined;
    /** Read the charset from a field `utf8` of the form. @default false */
    charsetSentinel?: boolean | undefined;
    /** In ISO-8859-1 forms, decode `&#9786;` to the character. @default false */
    interpretNumericEntities?: boolean | undefined;
  }
}

// Node.js finds the names for `import { json } from` by reading this text; the last line replaces the value.
module.exports = { json, raw, text, urlencoded };

export = bodyParser;

/** Parses request bodies: the interface of body-parser 2, with the parsers of `ristretto5`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParsers } from '@ristretto/private-engine/lib/body';
import { createCharsetFormParser } from '@ristretto/private-engine/lib/charset-form';
import { registeredType } from '@ristretto/private-engine/lib/protocol';
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
  interface Options {
    /** Whether compressed bodies are decompressed; otherwise they are rejected with 415. @default true */
    inflate?: boolean | undefined;
    /** The largest body, decompressed, in bytes or as text such as `'1mb'`. @default '100kb' */
    limit?: number | string | undefined;
    /** Which media types are parsed. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Any value may be returned, as in @types/body-parser
    type?: string | string[] | ((req: IncomingMessage) => any) | undefined;
    /** Called with the bytes before they are parsed; if it throws, the request is rejected with 403. */
    verify?(req: IncomingMessage, res: ServerResponse, buf: Buffer, encoding: string): void;
    /** Whether the bytes are kept as `req.rawBody` and piped by `req.pipe`, or a function that decides for each request. @default false */
    raw?: boolean | ((req: IncomingMessage) => boolean) | undefined;
  }

  interface OptionsJson extends Options {
    /** The second argument of `JSON.parse`. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- As that of JSON.parse
    reviver?(key: string, value: any): any;
    /** Whether only objects and arrays are accepted. @default true */
    strict?: boolean | undefined;
  }

  interface OptionsText extends Options {
    /** The charset of bodies that do not declare one. @default 'utf-8' */
    defaultCharset?: string | undefined;
  }

  interface OptionsUrlencoded extends Options {
    /** Whether `a[b]=c` is parsed as an object. @default false */
    extended?: boolean | undefined;
    /** How many parameters a form may have. @default 1000 */
    parameterLimit?: number | undefined;
    /** How deep `a[b][c]` may be nested. @default 32 */
    depth?: number | undefined;
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

/** `web.json()`: bodies of `application/json` in any Unicode encoding. */
import type { NextHandleFunction, OptionsJson } from '../types/body';
import type { BodyVersion } from '../version';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { charsetOf, prepareCharsets, unsupportedCharset } from './charset';
import { describeParser, readCommonOptions } from './parser-options';
import { read } from './read';

const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;

/** Creates the middleware for a version of the API. */
export function createJsonParser(options: OptionsJson | undefined, version: BodyVersion): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, 'application/json', version);
  const strict = options?.strict !== false;
  const reviver = options?.reviver;
  const filter = createTypeFilter(settings);
  prepareCharsets();

  function parse(text: string): unknown {
    if (text.length === 0) return {};
    if (strict) assertContainer(text);
    return JSON.parse(text, reviver);
  }

  return describeParser('json', settings, function jsonParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    // RFC 8259 section 8.1 allows only Unicode encodings.
    const charset = charsetOf(req.headers['content-type'], version.requests) ?? 'utf-8';
    if (!charset.startsWith('utf-')) {
      next(unsupportedCharset(charset));
      return;
    }
    read(req, res, next, settings, parse, charset);
  });
}

/** Throws what `JSON.parse` would throw if it accepted only objects and arrays. */
function assertContainer(text: string): void {
  let at = 0;
  let code = text.charCodeAt(0);
  while (code === SPACE || code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN) {
    code = text.charCodeAt(++at);
  }
  // If there is only whitespace, JSON.parse itself throws.
  if (code === OPENING_BRACE || code === OPENING_BRACKET || at === text.length) return;
  throwUnexpectedToken(text, at);
}

/**
 * Throws Node's own error for an unexpected token, whose wording and excerpt differ between versions. To get it, parses
 * the same text with `#`, which begins no value, from `at` on.
 */
function throwUnexpectedToken(text: string, at: number): void {
  try {
    JSON.parse(text.slice(0, at) + '#'.repeat(text.length - at));
  } catch (error) {
    const { message } = error as Error;
    throw new SyntaxError(message.replace(/#+/g, run => text.slice(at, at + run.length)));
  }
}

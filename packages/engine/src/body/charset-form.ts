/** Parses the bodies of HTML forms, in UTF-8 or ISO-8859-1, flat unless nesting is enabled: the forms of body-parser 2. */
import type { NextHandleFunction, OptionsUrlencoded } from '../types/body';
import type { BodyVersion } from '../version';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { charsetOf, prepareCharsets, unsupportedCharset } from './charset';
import { toUtf8 } from './form-charset';
import { readCommonOptions } from './options';
import { read } from './read';
import { extendedParser, FORM } from './urlencoded';

/** The options of `OptionsUrlencoded`, except that forms are flat by default, plus charsets. */
export interface OptionsCharsetForm extends Omit<OptionsUrlencoded, 'extended'> {
  extended?: boolean | undefined;
  defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined;
  charsetSentinel?: boolean | undefined;
  interpretNumericEntities?: boolean | undefined;
}

/** Creates the middleware for a version of the API. */
export function createCharsetFormParser(
  options: OptionsCharsetForm | undefined,
  version: BodyVersion,
): NextHandleFunction {
  const given = options ?? {};
  const settings = readCommonOptions(given, FORM, version);
  const filter = createTypeFilter(settings);
  const defaultCharset = given.defaultCharset || 'utf-8';
  if (defaultCharset !== 'utf-8' && defaultCharset !== 'iso-8859-1') {
    throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1');
  }
  const parse = extendedParser(given, !given.extended);
  const parsers = {
    'utf-8': (text: string) => parse(toUtf8(text, 'utf-8', given)),
    'iso-8859-1': (text: string) => parse(toUtf8(text, 'iso-8859-1', given)),
  };

  prepareCharsets();

  return function urlencodedParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    const charset = charsetOf(req.headers['content-type'], version.requests) ?? defaultCharset;
    if (charset !== 'utf-8' && charset !== 'iso-8859-1') {
      next(unsupportedCharset(charset));
      return;
    }
    read(req, res, next, settings, parsers[charset], charset);
  };
}

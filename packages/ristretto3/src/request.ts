/**
 * The prototype of every 3.x request: that of 4.x, with the members that differ. Applications and tools replace members
 * here, for all requests at once.
 */
import baseRequest = require('ristretto/lib/request');
import { auth } from './request/auth';
import {
  accepted,
  accepts,
  acceptsCharset,
  acceptsEncoding,
  acceptsLanguage,
  charsets,
  encodings,
  is,
  languages,
} from './request/negotiation';
import type { Request } from './types/core';

const methods = { accepts, acceptsCharset, acceptsEncoding, acceptsLanguage, is };

const getters = {
  accepted: accepted,
  acceptedCharsets: charsets,
  acceptedEncodings: encodings,
  acceptedLanguages: languages,
  auth: auth,
};

const request = Object.assign(Object.create(baseRequest) as Request, methods);

for (const [name, get] of Object.entries(getters)) {
  Object.defineProperty(request, name, { configurable: true, enumerable: true, get });
}

export = request;

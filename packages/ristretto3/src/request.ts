/**
 * The prototype of every 3.x request: each public member, and where it is implemented. Applications and tools replace
 * members here, for all requests at once.
 */
import http = require('node:http');
import { installFastRequestMethods } from '@ristretto/private-engine/lib/http';
import {
  acceptsCharsets,
  acceptsEncodings,
  acceptsLanguages,
  fresh,
  header,
  host,
  hostname,
  ip,
  ips,
  param,
  path,
  protocol,
  range,
  secure,
  signal,
  stale,
  subdomains,
  xhr,
} from '@ristretto/private-engine/lib/request';
import { haveParsedUrl, matchedPathProperty } from '@ristretto/private-engine/lib/router';
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

/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated stays a member of the interface */
const methods = {
  header: header,
  get: header,
  accepts: accepts,
  acceptsEncodings: acceptsEncodings,
  acceptsEncoding: acceptsEncoding,
  acceptsCharsets: acceptsCharsets,
  acceptsCharset: acceptsCharset,
  acceptsLanguages: acceptsLanguages,
  acceptsLanguage: acceptsLanguage,
  range: range,
  param: param,
  is: is,
};

const getters = {
  protocol: protocol,
  secure: secure,
  ip: ip,
  ips: ips,
  subdomains: subdomains,
  path: path,
  hostname: hostname,
  host: host,
  fresh: fresh,
  stale: stale,
  xhr: xhr,
  accepted: accepted,
  acceptedCharsets: charsets,
  acceptedEncodings: encodings,
  acceptedLanguages: languages,
  auth: auth,
};
/* eslint-enable @typescript-eslint/no-deprecated */

const request = Object.create(http.IncomingMessage.prototype) as Request;
Object.assign(request, methods);

for (const [name, get] of Object.entries(getters)) {
  Object.defineProperty(request, name, { configurable: true, enumerable: true, get });
}

// Not enumerable, because Express does not have them.
Object.defineProperty(request, 'matchedPath', matchedPathProperty);
Object.defineProperty(request, 'signal', signal);

// For tools, which also assign it; in Express it is a property of each request.
haveParsedUrl(request);

installFastRequestMethods(request);

export = request;

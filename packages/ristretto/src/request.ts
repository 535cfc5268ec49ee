/**
 * The prototype of every request: each public member, and the file that implements it. Applications and tools replace
 * members here to affect all requests.
 */
import http = require('node:http');
import { installFastRequestMethods } from '@ristretto/private-engine/lib/http';
import {
  accepts,
  acceptsCharset,
  acceptsCharsets,
  acceptsEncoding,
  acceptsEncodings,
  acceptsLanguage,
  acceptsLanguages,
  fresh,
  header,
  host,
  hostname,
  ip,
  ips,
  is,
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
import type { Request } from '@ristretto/private-engine/lib/types/core';
import type { RequestNegotiation } from '@ristretto/private-engine/lib/types/request-negotiation';
import type { RequestNetwork } from '@ristretto/private-engine/lib/types/request-network';

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
} satisfies Record<Exclude<keyof RequestNegotiation, 'accepted'> | 'param', unknown>;

/** Computed on each access, and without setters. `query` is not among them: it stays a property of each request. */
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
} satisfies Record<keyof RequestNetwork | 'path', unknown>;
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

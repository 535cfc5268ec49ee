/**
 * The prototype of every request: each public member, and the file that implements it. Applications and tools replace
 * members here to affect all requests.
 */
import http = require('node:http');
import { quickenRequests } from './http1/quick-request';
import { fresh, stale } from './request/freshness';
import { header, xhr } from './request/headers';
import {
  accepts,
  acceptsCharset,
  acceptsCharsets,
  acceptsEncoding,
  acceptsEncodings,
  acceptsLanguage,
  acceptsLanguages,
  is,
} from './request/negotiation';
import { host, hostname, ip, ips, protocol, secure, subdomains } from './request/network';
import { param } from './request/param';
import { range } from './request/range';
import { signal } from './request/signal';
import { path } from './request/target';
import { matchedPathProperty } from './router/matched-path';
import { haveParsedUrl } from './router/parsed-url';
import type { Request } from './types/core';
import type { RequestNegotiation } from './types/request-negotiation';
import type { RequestNetwork } from './types/request-network';

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

quickenRequests(request);

export = request;

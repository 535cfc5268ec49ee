/**
 * The prototype of every 5.x request. It shares functions with that of 4.x, but does not inherit from it: members that
 * 5 removed must not be visible, nor patches that tools apply to 4.x.
 */
import http = require('node:http');
import { installFastRequestMethods } from '@ristretto/private-engine/lib/http';
import {
  header,
  hostname,
  ip,
  ips,
  path,
  protocol,
  secure,
  signal,
  stale,
  subdomains,
  xhr,
} from '@ristretto/private-engine/lib/request';
import { haveParsedUrl, matchedPathProperty } from '@ristretto/private-engine/lib/router';
import { fresh } from './request/freshness';
import { accepts, acceptsCharsets, acceptsEncodings, acceptsLanguages, is } from './request/negotiation';
import { host } from './request/network';
import { query } from './request/query';
import { range } from './request/range';
import type { Request } from './types/core';

const methods = {
  header,
  get: header,
  accepts,
  acceptsEncodings,
  acceptsCharsets,
  acceptsLanguages,
  range,
  is,
};

/** Computed on each access; without setters. */
const getters = {
  query,
  protocol,
  secure,
  ip,
  ips,
  subdomains,
  path,
  host,
  hostname,
  fresh,
  stale,
  xhr,
};

const request = Object.assign(Object.create(http.IncomingMessage.prototype) as Request, methods);

for (const [name, get] of Object.entries(getters)) {
  Object.defineProperty(request, name, { configurable: true, enumerable: true, get });
}

// Not enumerable, because Express has no such method.
Object.defineProperty(request, 'matchedPath', matchedPathProperty);
Object.defineProperty(request, 'signal', signal);

// For tools, which also assign it; in Express it is a property of each request.
haveParsedUrl(request);

installFastRequestMethods(request);

export = request;

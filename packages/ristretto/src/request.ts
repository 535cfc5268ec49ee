/**
 * The prototype of every request: each public member, and the file that implements it. Applications and tools replace
 * members here to affect all requests.
 */
import {
  accepts,
  acceptsCharset,
  acceptsCharsets,
  acceptsEncoding,
  acceptsEncodings,
  acceptsLanguage,
  acceptsLanguages,
  defineRequest,
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
  stale,
  subdomains,
  xhr,
} from '@ristretto/private-engine/lib/request';
import type { Request } from '@ristretto/private-engine/lib/types/core';
import type { RequestNegotiation } from '@ristretto/private-engine/lib/types/request-negotiation';
import type { RequestNetwork } from '@ristretto/private-engine/lib/types/request-network';
import { version } from './version';

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

const request = defineRequest(version, methods, getters) as Request;

export = request;

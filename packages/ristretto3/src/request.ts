/**
 * The prototype of every 3.x request: each public member, and where it is implemented. Applications and tools replace
 * members here, for all requests at once.
 */
import {
  acceptsCharsets,
  acceptsEncodings,
  acceptsLanguages,
  defineRequest,
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
  stale,
  subdomains,
  xhr,
} from '@ristretto/private-engine/lib/request';
import {
  accepted,
  accepts,
  acceptsCharset,
  acceptsEncoding,
  acceptsLanguage,
  auth,
  charsets,
  encodings,
  is,
  languages,
} from './request/members';
import type { Request } from './types/core';
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

const request = defineRequest(version, methods, getters) as Request;

export = request;

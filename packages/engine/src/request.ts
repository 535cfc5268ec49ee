/** The exports of message/request/ for the versions. */
/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated stays a member of the interface */
export { defineRequest } from './message/request/define-request';
export { fresh, stale } from './message/request/freshness';
export {
  accepts,
  acceptsCharset,
  acceptsCharsets,
  acceptsEncoding,
  acceptsEncodings,
  acceptsLanguage,
  acceptsLanguages,
  is,
} from './message/request/negotiation';
export {
  authorityOf,
  host,
  hostname,
  ip,
  ips,
  protocol,
  secure,
  subdomains,
} from './message/request/network';
export { header, param, path, range, xhr } from './message/request/values';

/** The exports of message/request/ for the versions. */
/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated stays a member of the interface */
export { defineRequest } from './message/request/define-request';
export { fresh, stale } from './message/request/freshness';
export { header, xhr } from './message/request/headers';
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
export { param } from './message/request/param';
export { range } from './message/request/range';
export { path } from './message/request/target';

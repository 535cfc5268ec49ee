/** The exports of request/ for the versions. */
/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated stays a member of the interface */
export { defineRequest } from './request/define-request';
export { fresh, stale } from './request/freshness';
export { header, xhr } from './request/headers';
export {
  accepts,
  acceptsCharset,
  acceptsCharsets,
  acceptsEncoding,
  acceptsEncodings,
  acceptsLanguage,
  acceptsLanguages,
  is,
} from './request/negotiation';
export { authorityOf, host, hostname, ip, ips, protocol, secure, subdomains } from './request/network';
export { param } from './request/param';
export { range } from './request/range';
export { path } from './request/target';

/**
 * The prototype of every 5.x request. It shares functions with that of 4.x, but does not inherit from it: members that
 * 5 removed must not be visible, nor patches that tools apply to 4.x.
 */
import {
  accepts,
  acceptsCharsets,
  acceptsEncodings,
  acceptsLanguages,
  defineRequest,
  fresh,
  header,
  hostname,
  ip,
  ips,
  is,
  path,
  protocol,
  range,
  secure,
  stale,
  subdomains,
  xhr,
} from '@ristretto/private-engine/lib/request';
import { host, query } from './request/members';
import type { Request } from './types/core';
import { version } from './version';

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

const request = defineRequest(version, methods, getters) as Request;

export = request;

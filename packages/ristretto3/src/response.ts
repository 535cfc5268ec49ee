/**
 * The prototype of every 3.x response: each public member, and where it is implemented. Applications and tools replace
 * members here, for all responses at once.
 */
import {
  append,
  attachment,
  clearCookie,
  cookie,
  defineResponse,
  download,
  get,
  json,
  jsonp,
  links,
  redirect,
  renderView,
  send,
  sendFile,
  sendfile,
  sendStatus,
  status,
  vary,
} from '@ristretto/private-engine/lib/response';
import {
  charset,
  contentType,
  format,
  header,
  headerSent,
  listening,
  location,
  setHeader,
} from './response/members';
import type { Response } from './types/core';
import { version } from './version';

const methods = {
  ...listening,
  setHeader,
  status,
  links,
  send,
  json,
  jsonp,
  sendStatus,
  sendFile,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is part of the interface
  sendfile,
  download,
  type: contentType,
  contentType,
  format,
  attachment,
  append,
  header,
  set: header,
  get,
  clearCookie,
  cookie,
  location,
  redirect,
  vary,
  render: renderView,
};

const response = defineResponse(version, methods) as Response;
Object.defineProperty(response, 'charset', charset);
Object.defineProperty(response, 'headerSent', { configurable: true, enumerable: true, get: headerSent });

export = response;

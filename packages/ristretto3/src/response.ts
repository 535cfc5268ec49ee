/**
 * The prototype of every 3.x response: each public member, and where it is implemented. Applications and tools replace
 * members here, for all responses at once.
 */
import http = require('node:http');
import { defineHidden, installFastResponseMethods } from '@ristretto/private-engine/lib/http';
import {
  TAGS_TEXT,
  append,
  attachment,
  clearCookie,
  cookie,
  download,
  earlyHints,
  get,
  json,
  jsonp,
  links,
  onSend,
  redirect,
  renderView,
  send,
  sendFile,
  sendStatus,
  sendfile,
  sse,
  status,
  vary,
} from '@ristretto/private-engine/lib/response';
import { format } from './response/format';
import { headerSent, listening } from './response/header-event';
import { charset, contentType, header, setHeader } from './response/headers';
import { location } from './response/location';
import type { Response } from './types/core';

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

const response = Object.create(http.ServerResponse.prototype) as Response;
// First: 3.x has a `setHeader` of its own.
installFastResponseMethods(response);
Object.assign(response, methods);

// Not enumerable, because Express does not have them.
defineHidden(response, { sse, earlyHints, onSend });
Object.defineProperty(response, TAGS_TEXT, { value: true });
Object.defineProperty(response, 'charset', charset);
Object.defineProperty(response, 'headerSent', { configurable: true, enumerable: true, get: headerSent });

export = response;

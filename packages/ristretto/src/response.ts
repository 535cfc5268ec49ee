/**
 * The prototype of every response: each public member, and the file that implements it. Applications and tools replace
 * members here to affect all responses.
 */
import http = require('node:http');
import { hide } from './http/hidden';
import { quickenResponses } from './http1/quick-response';
import { attachment } from './response/attachment';
import { clearCookie, cookie } from './response/cookie';
import { download, sendFile, sendfile } from './response/file';
import { earlyHints } from './response/early-hints';
import { format } from './response/format';
import { append, contentType, get, header, vary } from './response/headers';
import { json, jsonp } from './response/json';
import { links } from './response/links';
import { onSend } from './response/on-send';
import { location, redirect } from './response/redirect';
import { renderView } from './response/render';
import { send } from './response/send';
import { sse } from './response/sse';
import { sendStatus, status } from './response/status';
import type { Response } from './types/internals';
import type { ResponseContent } from './types/response-content';
import type { ResponseHeaders } from './types/response-headers';
import type { ResponseSending } from './types/response-sending';

/** Not enumerable, so that code that lists the members of Express does not see them. */
const beyondExpress = { sse, earlyHints, onSend };

const members = {
  status: status,
  links: links,
  send: send,
  json: json,
  jsonp: jsonp,
  sendStatus: sendStatus,
  sendFile: sendFile,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is part of the interface
  sendfile: sendfile,
  download: download,
  type: contentType,
  contentType: contentType,
  format: format,
  attachment: attachment,
  append: append,
  header: header,
  set: header,
  get: get,
  clearCookie: clearCookie,
  cookie: cookie,
  location: location,
  redirect: redirect,
  vary: vary,
  // A named function expression, not a reference: tracing tools search this file for its text.
  render: function render(
    this: Response,
    view: string,
    options?: RenderOptions,
    callback?: RenderCallback,
  ): void {
    renderView.call(this, view, options, callback);
  },
} satisfies Record<Exclude<MemberName, keyof typeof beyondExpress>, unknown>;

/** Every member that the types declare must be in the table, except Node's own and those of 3.x. */
type MemberName = Exclude<
  keyof (ResponseSending<unknown, number> & ResponseHeaders & ResponseContent),
  'headersSent' | 'charset'
>;
type RenderOptions = Parameters<typeof renderView>[1];
type RenderCallback = Parameters<typeof renderView>[2];

const response = Object.assign(
  Object.create(http.ServerResponse.prototype) as object,
  members,
) as unknown as Response;
hide(response, beyondExpress);
quickenResponses(response);

export = response;

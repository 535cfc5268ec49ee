/**
 * The prototype of every response: each public member, and the file that implements it. Applications and tools replace
 * members here to affect all responses.
 */
import http = require('node:http');
import { defineHidden, installFastResponseMethods } from '@ristretto/private-engine/lib/http';
import {
  append,
  attachment,
  clearCookie,
  contentType,
  cookie,
  download,
  earlyHints,
  format,
  get,
  header,
  json,
  jsonp,
  links,
  location,
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
import type { Response } from '@ristretto/private-engine/lib/types/internals';
import type { ResponseContent } from '@ristretto/private-engine/lib/types/response-content';
import type { ResponseHeaders } from '@ristretto/private-engine/lib/types/response-headers';
import type { ResponseSending } from '@ristretto/private-engine/lib/types/response-sending';

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
defineHidden(response, beyondExpress);
installFastResponseMethods(response);

export = response;

/**
 * The prototype of every response: each public member, and the file that implements it. Applications and tools replace
 * members here to affect all responses.
 */
import {
  append,
  attachment,
  clearCookie,
  contentType,
  cookie,
  defineResponse,
  download,
  format,
  get,
  header,
  json,
  jsonp,
  links,
  location,
  redirect,
  renderView,
  send,
  sendFile,
  sendfile,
  sendStatus,
  status,
  vary,
} from '@ristretto/private-engine/lib/response';
import type { Response } from '@ristretto/private-engine/lib/types/internals';
import type { ResponseAdditions } from '@ristretto/private-engine/lib/types/response-additions';
import type { ResponseContent } from '@ristretto/private-engine/lib/types/response-content';
import type { ResponseHeaders } from '@ristretto/private-engine/lib/types/response-headers';
import type { ResponseSending } from '@ristretto/private-engine/lib/types/response-sending';
import { version } from './version';

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
} satisfies Record<MemberName, unknown>;

/** Every member that the types declare must be in the table, except Node's own, those of 3.x and our additions. */
type MemberName = Exclude<
  keyof (ResponseSending<unknown, number> & ResponseHeaders & ResponseContent),
  'headersSent' | 'charset' | keyof ResponseAdditions
>;
type RenderOptions = Parameters<typeof renderView>[1];
type RenderCallback = Parameters<typeof renderView>[2];

const response = defineResponse(version, members) as Response;

export = response;

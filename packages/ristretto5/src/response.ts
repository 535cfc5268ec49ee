/**
 * The prototype of every 5.x response. It shares functions with that of 4.x, but does not inherit from it: members that
 * 5 removed must not be visible, nor patches that tools apply to 4.x.
 */
import {
  append,
  attachment,
  cookie,
  defineResponse,
  download,
  format,
  get,
  renderView,
  sendFile,
  sendStatus,
} from '@ristretto/private-engine/lib/response';
import {
  clearCookie,
  contentType,
  header,
  json,
  jsonp,
  links,
  location,
  redirect,
  send,
  status,
  vary,
} from './response/members';
import type { Response as EngineResponse } from '@ristretto/private-engine/lib/types/internals';
import type { Response } from './types/core';
import { version } from './version';

type RenderOptions = Parameters<typeof renderView>[1];
type RenderCallback = Parameters<typeof renderView>[2];

const members = {
  status,
  links,
  send,
  json,
  jsonp,
  sendStatus,
  sendFile,
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
  // A named function expression, not a reference: tracing tools search this file for its text.
  render: function render(
    this: EngineResponse,
    view: string,
    options?: RenderOptions,
    callback?: RenderCallback,
  ): void {
    renderView.call(this, view, options, callback);
  },
};

const response = defineResponse(version, members) as Response;

export = response;

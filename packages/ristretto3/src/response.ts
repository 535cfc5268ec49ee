/**
 * The prototype of every 3.x response: that of 4.x, with the members that differ. Applications and tools replace
 * members here, for all responses at once.
 */
import baseResponse = require('ristretto/lib/response');
import { TAGS_TEXT } from 'ristretto/lib/response/send';
import { format } from './response/format';
import { headerSent, listening } from './response/header-event';
import { charset, contentType, header, setHeader } from './response/headers';
import { location } from './response/location';
import type { Response } from './types/core';

const methods = {
  ...listening,
  setHeader,
  header,
  set: header,
  type: contentType,
  contentType,
  location,
  format,
};

const response = Object.assign(Object.create(baseResponse) as object, methods) as unknown as Response;

Object.defineProperty(response, TAGS_TEXT, { value: true });
Object.defineProperty(response, 'charset', charset);
Object.defineProperty(response, 'headerSent', { configurable: true, enumerable: true, get: headerSent });

export = response;

/** The media types of bodies for which the application has not set one. */

export const HTML_TYPE = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
export const BYTES_TYPE = 'application/octet-stream';

/** The exports of message/response/ for the versions. */
/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated stays a member of the interface */
export { attachment } from './message/response/headers';
export { HTML_TYPE } from './message/response/body-types';
export { clearCookie, cookie } from './message/response/cookie';
export { defineResponse } from './message/response/define-response';
export { download, sendFile, sendfile } from './message/response/file';
export { format } from './message/response/format';
export { append, contentType, get, header, vary } from './message/response/headers';
export { json, jsonp, sendJson, sendJsonp } from './message/response/json';
export { links } from './message/response/headers';
export { mistakesOf } from './message/response/mistakes';
export { location, redirect, redirectTo, referrer } from './message/response/redirect';
export { renderView } from './message/response/render';
export { sendContent, isData, send, sendBytes, sendObject, sendText } from './message/response/send';
export { sendStatus, status } from './message/response/status';

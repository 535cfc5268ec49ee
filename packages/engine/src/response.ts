/** The exports of response/ for the versions. */
/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated stays a member of the interface */
export { attachment } from './response/attachment';
export { HTML_TYPE } from './response/body-types';
export { clearCookie, cookie } from './response/cookie';
export { defineResponse } from './response/define-response';
export { download, sendFile, sendfile } from './response/file';
export { format } from './response/format';
export { append, contentType, get, header, vary } from './response/headers';
export { json, jsonp, sendJson, sendJsonp } from './response/json';
export { links } from './response/links';
export { mistakesOf } from './response/mistakes';
export { location, redirect, redirectTo, referrer } from './response/redirect';
export { renderView } from './response/render';
export { finishResponse, isData, send, sendBytes, sendObject, sendText } from './response/send';
export { sendStatus, status } from './response/status';

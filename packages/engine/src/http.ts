/** What the versions use of http/. */
export { givePrototypes, prototypesOf } from './http/adopt';
export { getField, setField } from './http/fields';
export { hide } from './http/hidden';
export { quickenRequests } from './http1/quick-request';
export { quickenResponses } from './http1/quick-response';

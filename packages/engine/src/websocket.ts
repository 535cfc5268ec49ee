/** What the versions use of websocket/. */
export { socketHandlers, socketProperty } from './websocket/methods';

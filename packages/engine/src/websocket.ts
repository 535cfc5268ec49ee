/** What the versions use of websocket/. */
export { socketHandlers, socketMethod } from './websocket/methods';

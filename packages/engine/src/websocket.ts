/** The exports of websocket/ for the versions. */
export { socketHandlers, socketProperty } from './websocket/methods';

/** The exports of addons/websocket/ for the versions. */
export { socketHandlers, socketProperty } from './addons/websocket/methods';

/** All checks by group, in the order of the table. */
import aborts from './aborts.mjs';
import bodies from './bodies.mjs';
import { errors, patched } from './errors.mjs';
import { files, ranges, views } from './files.mjs';
import routing from './routing.mjs';
import sockets from './sockets.mjs';
import { cookies, sessions } from './state.mjs';
import stop from './stop.mjs';
import streams from './streams.mjs';
import uploads from './uploads.mjs';

/**
 * @typedef {object} Check
 * @property {string} name what is observed, a sentence with a verb
 * @property {(tools: any) => unknown} ask sends requests to the application; returns a response, or any other observation
 * @property {unknown} expected for an object, the members that are compared; `undefined` is a member that must be absent
 */

/** @type {Record<string, Check[]>} */
export const groups = {
  routing,
  bodies,
  files,
  ranges,
  views,
  cookies,
  sessions,
  'event streams': streams,
  websockets: sockets,
  errors,
  uploads,
  aborts,
  'patched functions': patched,
  stop,
};

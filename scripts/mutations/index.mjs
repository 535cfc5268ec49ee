/** Every known attack in docs/THREATS.md, with the defence against it in the built code. */
import { bodies } from './bodies.mjs';
import { files } from './files.mjs';
import { http2 } from './http2.mjs';
import { messages } from './messages.mjs';
import { pages } from './pages.mjs';
import { paths } from './paths.mjs';
import { proxies } from './proxies.mjs';
import { queries } from './queries.mjs';
import { ristretto3 } from './ristretto3.mjs';
import { ristretto5 } from './ristretto5.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} id of the attack, as it appears in test titles
 * @property {string} without the defence that is missing then
 * @property {string} test the file whose tests with the id in their titles must then fail
 * @property {[file: string, text: string, replacement: string][]} [edits] each text occurs once in its file; not set if
 * Node.js itself has the defence
 */

/** @type {Mutation[]} */
export const mutations = [
  ...[...pages, ...files, ...queries, ...paths],
  ...[...bodies, ...proxies, ...messages, ...http2, ...ristretto3, ...ristretto5],
];

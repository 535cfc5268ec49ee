/** The table of features: everything that the interface promises, in the order of docs/proofs/FEATURES.md. */
import { application } from './application.js';
import type { Chapter } from './chapter.js';
import { additions } from './beyond.js';
import { beyond, decisions } from './decisions.js';
import { errors, limits } from './errors.js';
import { express5 } from './express5.js';
import { files } from './files.js';
import { packageShape, tools } from './internals.js';
import { legacy, legacyMiddleware } from './legacy.js';
import { operations } from './operations.js';
import { parsers } from './parsers.js';
import { request } from './request.js';
import { response } from './response.js';
import { control, paths, routers } from './routing.js';
import { settings } from './settings.js';
import { threats } from './threats.js';

export const catalog: Chapter[] = [
  ...[application, settings, request, response, routers, paths, control, parsers, files],
  ...[errors, limits, decisions, beyond, additions, operations, packageShape, tools, threats],
  ...[legacy, legacyMiddleware],
  ...[express5],
];

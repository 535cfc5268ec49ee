/** All cases, in table order. */
import type { Group } from './case.js';
import { connection } from './connection.js';
import { fields } from './fields.js';
import { framing } from './framing.js';
import { requestLine } from './request-line.js';
import { target } from './target.js';

export const groups: Group[] = [...requestLine, ...target, ...fields, ...framing, ...connection];

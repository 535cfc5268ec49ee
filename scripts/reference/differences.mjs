/** Finds what Express does otherwise: the rows of the tables of differences, by the member that they name. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../test-files.mjs';

/** The functions that rows name without what they hang on. @type {Record<string, string>} */
const SHORT = {
  redirect: 'res.',
  location: 'res.',
  sendFile: 'res.',
  multipart: 'web.',
  basicAuth: 'web.',
};

/**
 * The rows of all tables below a heading, by member.
 * @returns {Map<string, string[]>}
 */
export function differencesIn(/** @type {string} */ file, /** @type {RegExp} */ heading) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const part = text.slice(Math.max(0, text.search(heading)));
  /** @type {Map<string, string[]>} */
  const found = new Map();
  let head = '';
  for (const line of part.split('\n')) {
    if (!line.startsWith('|')) head = '';
    else if (head === '') head = line;
    else if (!/^\| ?-/.test(line)) {
      const [what = '', ...cells] = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(cell => cell.trim());
      // Either what Express does and what is done here, or a column in front of these that says what it is about.
      const [express = '', here = ''] = /^\| what /.test(head) ? cells : [what, cells[0]];
      const row = /^\| what /.test(head)
        ? `${what}. Express: ${lower(express)}. Here: ${lower(here)}.`
        : `Express: ${lower(express)}. Here: ${lower(here)}.`;
      for (const member of membersIn(what)) found.set(member, [...(found.get(member) ?? []), row]);
    }
  }
  return found;
}

const lower = (/** @type {string} */ text) =>
  text.replace(/^(?!Node\b)[A-Z](?=[a-z ])/, letter => letter.toLowerCase());

/** The members, and the settings, that are named in code. */
function membersIn(/** @type {string} */ cell) {
  const names = new Set();
  for (const [, code = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const [, object, member] = /^(?:new )?(web|express|app|req|res|router|route)\.(\w+)/.exec(code) ?? [];
    const [bare = ''] = /^\w+/.exec(code) ?? [];
    if (member !== undefined) names.add(`${object === 'express' ? 'web' : object}.${member}`);
    else if (Object.hasOwn(SHORT, bare)) names.add(SHORT[bare] + bare);
    else names.add(code);
  }
  return names;
}

/** Finds the documented differences from Express: the rows of the tables of differences, by member. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../test-files.mjs';

/** Functions that rows name without their owner. @type {Record<string, string>} */
const SHORT = {
  redirect: 'res.',
  location: 'res.',
  sendFile: 'res.',
  multipart: 'web.',
  basicAuth: 'web.',
};

/**
 * Returns the rows of all tables below a heading, by member.
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
      // A row has what Express does and what we do, optionally preceded by a column that names the subject.
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

/** Returns the members and settings that appear in code spans. */
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

/**
 * Reads the examples of the reference. Their comments state the expected values and responses:
 *
 *     req.path; // '/users/7'
 *     // GET /users/7 (Accept: text/html) -> 200 (Content-Type: text/html; charset=utf-8) <p>Ada</p>
 *
 * A literal after a statement is its value. A line with a method is a request: target, headers in parentheses, body;
 * after an arrow follow the responses, informational ones first: status, headers, body. `(no Name)` is an absent
 * header, `…` matches any text, `\n` a line break. A line that starts with three spaces continues the previous one.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
export const folder = path.join(root, 'docs/reference');

/** Writes the reference, which is not in git, from the declarations as they are now. */
export function writeReference(): void {
  // `npm test` has just written it.
  if (process.env.REFERENCE === 'written') return;
  execFileSync(process.execPath, [path.join(root, 'scripts/reference.mjs')], { stdio: 'inherit' });
}

export interface Example {
  /** The file and line. */
  title: string;
  /** The name of the page, without extension. */
  page: string;
  /** The member, without parentheses. */
  member: string;
  /** The full text of the entry. */
  entry: string;
  code: string;
}

/** Status line or request line, headers and body; the body is undefined if the comment does not state one. */
export interface Message {
  /** The method and the target, or the status. */
  start: string;
  headers: [name: string, value: string][];
  /** Names of headers that must be absent. */
  absent: string[];
  body: string | undefined;
}

export interface Step {
  request: Message;
  /** The last one is final; if empty, the response is not checked. */
  responses: Message[];
}

/** Returns the examples of all pages of a version: those in the folder itself are for 4.x. */
export function examplesOf(version: string): Example[] {
  const home = path.join(folder, version);
  return fs
    .readdirSync(home)
    .filter(name => name.endsWith('.md'))
    .flatMap(name => examplesIn(path.join(version, name), fs.readFileSync(path.join(home, name), 'utf8')));
}

/** Returns the examples of a page, each with the entry that contains it. */
export function examplesIn(name: string, text: string): Example[] {
  const found: Example[] = [];
  let line = 1;
  for (const entry of text.split(/^(?=<a id=)/m)) {
    const member = /^## (.*?)(?:\(\))?$/m.exec(entry)?.[1] ?? '';
    for (const { 1: code = '', index } of entry.matchAll(/^```js\n(.*?)^```$/gms)) {
      const at = line + entry.slice(0, index).split('\n').length;
      found.push({ title: `${name}:${at}`, page: path.basename(name, '.md'), member, entry, code });
    }
    line += entry.split('\n').length - 1;
  }
  return found;
}

/** Returns the requests in an example with their expected responses. */
export function stepsOf(code: string): Step[] {
  const comments = [...code.replace(/\n\/\/ {3,}/g, ' ').matchAll(/^\/\/ ([A-Z-]+ [/*].*)$/gm)];
  return comments.map(({ 1: text = '' }) => {
    const [request = '', ...responses] = text.split(/ -> (?=\d{3}\b)/);
    return {
      request: messageOf(/^\S+ \S+/, request),
      responses: responses.map(part => messageOf(/^\d+/, part)),
    };
  });
}

function messageOf(first: RegExp, text: string): Message {
  const [start = ''] = first.exec(text) ?? [];
  const message: Message = { start, headers: [], absent: [], body: undefined };
  let rest = text.slice(start.length).trim();
  for (;;) {
    const match = /^\((?:no ([\w-]+)|([\w-]+): ((?:[^()]|\([^()]*\))*))\) ?/.exec(rest);
    if (match === null) break;
    const [whole, absent, name, value] = match;
    if (absent !== undefined) message.absent.push(absent);
    else if (name !== undefined && value !== undefined) message.headers.push([name, value]);
    rest = rest.slice(whole.length);
  }
  const body = rest.trim();
  if (body !== '') message.body = body.replaceAll('\\n', '\n').replaceAll('\\r', '\r');
  return message;
}

/** Returns whether a text matches a comment, in which `…` matches any text. */
export function matches(expected: string, actual: string): boolean {
  const parts = expected.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(actual);
}

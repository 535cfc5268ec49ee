// runs: once
/** docs/troubleshooting.md and the pages below it: every message of the sources has an entry, and every entry has a message. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { messagesIn, sources } from './messages';
import { root } from './recipes';

const folder = path.join(root, 'docs/troubleshooting');
const page = fs
  .readdirSync(folder)
  .map(name => fs.readFileSync(path.join(folder, name), 'utf8'))
  .join('\n');
const code = '(`+)(?!`)(.+?)(?<!`)\\1(?!`)';

/** The messages on the page: a separate line below a code, or the first cell of a row. */
const entries = [...page.matchAll(new RegExp(`^(?:\\| |- )?${code}(?: *\\|.*)?$`, 'gm'))].map(
  ([, , text = '']) => text.trim().replaceAll('\\|', '|'),
);
const messages = sources().flatMap(file => messagesIn(file).messages);
/** A line about the other warnings. */
const reported = 'more of these … not shown';

/** Whether an entry is the message, or the beginning of it, followed by `…`. */
function describes(entry: string, text: string): boolean {
  if (entry === text) return true;
  const beginning = entry.replace(/ ?…$/, '');
  return entry.endsWith('…') && beginning.length > 25 && text.startsWith(beginning);
}

describe('troubleshooting', () => {
  test('every message of the sources has an entry', () => {
    const missing = messages
      .filter(({ text }) => !text.includes(reported) && !entries.some(entry => describes(entry, text)))
      .map(({ text, file, line }) => `${text} (${file}:${line})`);
    assert.deepEqual([...new Set(missing)], []);
    assert.ok(messages.length > 250);
  });

  test('every entry is a message of the sources', () => {
    // The Readmes of the middleware have its messages; a few are in this page, too
    const all = [...messages, ...sources('packages/middleware').flatMap(file => messagesIn(file).messages)];
    const stale = entries.filter(entry => !all.some(({ text }) => describes(entry, text)));
    assert.deepEqual(stale, []);
  });

  test('every code of a warning has a heading, with its message below', () => {
    const used = new Set<string>();
    const variables = [
      'RISTRETTO_LIGHT_MESSAGES',
      'RISTRETTO_WARNINGS',
      'RISTRETTO_PLACES',
      'RISTRETTO_ERROR_PAGE',
      'RISTRETTO_X',
    ];
    for (const file of sources())
      for (const [name] of fs.readFileSync(file, 'utf8').matchAll(/\bRISTRETTO_[A-Z0-9_]+\b/g))
        if (!variables.includes(name)) used.add(name);
    const headings = [...page.matchAll(/^### (RISTRETTO_\w+)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(headings.sort(), [...used].sort());
    for (const { code: name, text } of messages) {
      if (name === undefined) continue;
      const section = page.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
      const shown = [...section.matchAll(new RegExp(`^${code}$`, 'gm'))].map(([, , entry = '']) =>
        entry.trim(),
      );
      assert.ok(
        shown.some(entry => describes(entry, text)),
        `${name}: ${text}`,
      );
    }
  });

  test('the type of each error is on the page', () => {
    const types = new Set<string>();
    for (const file of sources())
      for (const [, type = ''] of fs.readFileSync(file, 'utf8').matchAll(/\btype: '(\w+(?:\.\w+)+)'/g))
        types.add(type);
    assert.ok(types.size > 10);
    for (const type of types) assert.ok(page.includes(`\`${type}\``), type);
  });
});

/**
 * Writes the tables of media types by extension that the engine contains, from those of the packages that Express uses, which
 * keep 0.5 MB of memory each: mime-types 3 whole, and what is different in mime-types 2.
 *
 *     node scripts/media-types.mjs     after an update of mime-db; protocol.content-type.test.ts compares each type
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readOptions } from './options.cjs';
import { root } from './packages.cjs';

readOptions({});

const require = createRequire(import.meta.url);
const ofExpress5 = createRequire(require.resolve('express5'));
/** @type {Record<string, string>} */
const current = ofExpress5('mime-types').types;
/** @type {Record<string, { charset?: string }>} */
const registry = createRequire(ofExpress5.resolve('mime-types'))('mime-db');

/** The width of a line, at most. */
const WIDTH = 118;

/** Returns `type extension extension`, for each type, in lines. @param {Record<string, string>} types by extension */
function tableOf(types) {
  const pairs = Object.entries(types).map(([extension, type]) => [type, extension]);
  /** @type {string[]} */
  const lines = [];
  let line = '';
  let before = '';
  for (const [type = '', extension = ''] of pairs.sort()) {
    const added = type === before ? ` ${extension}` : `;${type} ${extension}`;
    before = type;
    if (line.length + added.length <= WIDTH) {
      line += added;
    } else {
      lines.push(line);
      line = `${type} ${extension}`;
    }
  }
  return [...lines, line].join('\n').slice(1);
}

/** Returns what is different in another table; `-` stands for no type. @param {Record<string, string>} types */
function changesOf(types) {
  const extensions = Object.keys({ ...current, ...types }).filter(name => current[name] !== types[name]);
  return tableOf(Object.fromEntries(extensions.map(name => [name, types[name] ?? '-'])));
}

/** Returns the types other than text that have a charset. */
function charsetTable() {
  const found = Object.entries(registry).filter(
    ([type, { charset }]) => charset && !isUtf8Text(type, charset),
  );
  return tableOf(Object.fromEntries(found.map(([type, { charset = '' }]) => [type, charset])));
}

const isUtf8Text = (/** @type {string} */ type, /** @type {string} */ charset) =>
  type.startsWith('text/') && charset === 'UTF-8';

const text = `/** Media types by extension, written by scripts/media-types.mjs: entries of a type and its extensions, separated by ; or a line. */

/** Those of mime-types 3. */
export const MEDIA_TYPES = \`${tableOf(current)}\`;

/** What is different in mime-types 2; \`-\` has the extensions without a type. */
export const CHANGED_IN_2 = \`${changesOf(require('mime-types').types)}\`;

/** Charsets, each with the types that have it. Those of other text are UTF-8. */
export const CHARSETS = \`${charsetTable()}\`;
`;
fs.writeFileSync(path.join(root, 'packages/engine/src/protocol/media-type-table.ts'), text);

/**
 * Reads the files that the recipes in docs/recipes/ show.
 *
 * A code block is a file if the line above it is its name in bold, **`app.js`**. If the name is a link, the block is a
 * part of the linked file. examples/test/recipes.*.test.ts run the files.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../docs');
/** @typedef {{ name: string, link: string | undefined, language: string, code: string }} File */

/** Returns the paths of the pages, with the list of recipes first. */
export const pages = () => [
  path.join(docs, 'recipes.md'),
  ...fs.readdirSync(path.join(docs, 'recipes')).map(name => path.join(docs, 'recipes', name)),
];

/** Returns the files that a text shows. @returns {File[]} */
export function filesIn(/** @type {string} */ text) {
  const named = /^\*\*(?:`([^`]+)`|\[`([^`]+)`\]\(([^)]+)\))\*\*[^\n]*\n\n```(\w+)\n(.*?)^```$/gms;
  return [...text.matchAll(named)].map(([, own, linked, link, language = '', code = '']) => ({
    name: own ?? linked ?? '',
    link,
    language,
    code,
  }));
}

/**
 * Converts an ES module to CommonJS, for readers of the site. Returns undefined if that is impossible: a default export, `await`
 * outside of a function, or no imports and exports. It knows only the statements that programs in docs/ use.
 */
export function commonJsOf(/** @type {string} */ code) {
  /** @type {string[]} */
  const exported = [];
  const lines = code
    .replace(/^import (\w+|\{[^}]*\}) from ('[^']+');$/gm, (_, names, from) => {
      const bound = names.replaceAll(/(\w+) as (\w+)/g, '$1: $2');
      return `const ${bound} = require(${from});`;
    })
    .replace(/^export ((?:async )?function|class|const) (\w+)/gm, (_, kind, name) => {
      exported.push(name);
      return `${kind} ${name}`;
    })
    .replaceAll(/import\.meta\.(dirname|filename)/g, '__$1');
  const isModule = /^(?:import|export)\b|import\.meta|^(?:\w.*\b)?await /m.test(lines);
  if (isModule || lines === code) return undefined;
  return exported.length === 0 ? lines : `${lines}\nmodule.exports = { ${exported.join(', ')} };\n`;
}

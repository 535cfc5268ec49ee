/**
 * Reads the files that the recipes in docs/recipes/ show, and writes their CommonJS versions.
 *
 *     npm run recipes      writes the last section of each page, "The same in CommonJS", from the ES modules above it
 *
 * A code block is a file if the line above it is its name in bold, **`app.js`**. If the name is a link, the block is a
 * part of the linked file. examples/test/recipes.*.test.ts run the files of both versions.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../docs');
/** The start of the generated section, the last one of a page. */
const TWIN = '\n<details>\n<summary>The same in CommonJS</summary>\n';

/** @typedef {{ name: string, link: string | undefined, language: string, code: string }} File */

/** Returns the paths of the pages, with the list of recipes first. */
export const pages = () => [
  path.join(docs, 'recipes.md'),
  ...fs.readdirSync(path.join(docs, 'recipes')).map(name => path.join(docs, 'recipes', name)),
];

/** Returns the text of a page without the generated section, and that section. */
export function halvesOf(/** @type {string} */ text) {
  const at = text.indexOf(TWIN);
  return at === -1 ? { text, twin: '' } : { text: text.slice(0, at), twin: text.slice(at) };
}

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

/** Converts a module to CommonJS: only imports and exports change. */
function toCommonJs(/** @type {string} */ code) {
  /** @type {string[]} */
  const exported = [];
  const body = code
    .replace(/^import (\w+) from ('[^']+');$/gm, 'const $1 = require($2);')
    .replace(
      /^import (\{[^}]+\}) from ('[^']+');$/gm,
      (_, names, from) => `const ${names.replaceAll(' as ', ': ')} = require(${from});`,
    )
    .replace(/^export default /gm, 'module.exports = ')
    .replace(/^export (?=(?:async )?(?:function\*?|const|class) (\w+))/gm, (_, name) => {
      exported.push(name);
      return '';
    });
  return exported.length === 0 ? body : `${body}\nmodule.exports = { ${exported.join(', ')} };\n`;
}

/** Returns a page with its up-to-date generated section; pages without JavaScript have none. */
export function withTwin(/** @type {string} */ page) {
  const { text } = halvesOf(page);
  const modules = filesIn(text).filter(({ language, link }) => language === 'js' && link === undefined);
  if (modules.length === 0) return text;
  const blocks = modules.map(
    ({ name, code }) => `\n**\`${name}\`**\n\n\`\`\`js\n${toCommonJs(code)}\`\`\`\n`,
  );
  return `${text}${TWIN}${blocks.join('')}\n</details>\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages()) fs.writeFileSync(page, withTwin(fs.readFileSync(page, 'utf8')));
}

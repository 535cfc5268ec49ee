/**
 * The recipes of docs/recipes/: reads the files that a page shows, and writes their CommonJS form.
 *
 *     npm run recipes      writes the last section of each page, "The same in CommonJS", from the ES modules above it
 *
 * A block of code is a file where the line above it is its name in bold, **`app.js`**. Where the name is a link, the
 * block is a part of the file that it leads to. examples/test/recipes.*.test.ts run the files of both forms.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../docs');
/** The section that is generated. It is the last one of a page. */
const TWIN = '\n<details>\n<summary>The same in CommonJS</summary>\n';

/** @typedef {{ name: string, link: string | undefined, language: string, code: string }} File */

/** The pages as files, the list of them first. */
export const pages = () => [
  path.join(docs, 'recipes.md'),
  ...fs.readdirSync(path.join(docs, 'recipes')).map(name => path.join(docs, 'recipes', name)),
];

/** The text of a page without the generated section, and that section. */
export function halvesOf(/** @type {string} */ text) {
  const at = text.indexOf(TWIN);
  return at === -1 ? { text, twin: '' } : { text: text.slice(0, at), twin: text.slice(at) };
}

/** The files that a text shows. @returns {File[]} */
export function filesIn(/** @type {string} */ text) {
  const named = /^\*\*(?:`([^`]+)`|\[`([^`]+)`\]\(([^)]+)\))\*\*[^\n]*\n\n```(\w+)\n(.*?)^```$/gms;
  return [...text.matchAll(named)].map(([, own, linked, link, language = '', code = '']) => ({
    name: own ?? linked ?? '',
    link,
    language,
    code,
  }));
}

/** A module in CommonJS: only what imports and exports is another. */
export function toCommonJs(/** @type {string} */ code) {
  /** @type {string[]} */
  const exported = [];
  const body = code
    .replace(/^import (\w+) from ('[^']+');$/gm, 'const $1 = require($2);')
    .replace(/^import (\{[^}]+\}) from ('[^']+');$/gm, 'const $1 = require($2);')
    .replace(/^export default /gm, 'module.exports = ')
    .replace(/^export (?=(?:async )?(?:function\*?|const|class) (\w+))/gm, (_, name) => {
      exported.push(name);
      return '';
    });
  return exported.length === 0 ? body : `${body}\nmodule.exports = { ${exported.join(', ')} };\n`;
}

/** A page with its generated section as it has to be: pages without JavaScript of their own have none. */
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

/**
 * Reads the arguments of a script. As soon as a script loads this, `--help` prints the comment at its top and ends it: a
 * script whose imports start something imports this first.
 */
const fs = require('node:fs');
const { parseArgs } = require('node:util');

if (process.argv.includes('--help')) {
  const [, comment = ''] = /\/\*\*(.*?)\*\//s.exec(fs.readFileSync(String(process.argv[1]), 'utf8')) ?? [];
  console.log(comment.replaceAll(/^ \*? ?/gm, '').trim());
  process.exit();
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(message);
  process.exit(1);
}

/**
 * Returns `{ values, positionals }`; an unknown option ends the script with a message.
 *
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} Options
 * @param {Options} options as for `util.parseArgs`
 */
exports.readOptions = function readOptions(options, { words: allowPositionals = false } = {}) {
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    fail(`${/** @type {Error} */ (error).message} (--help lists the options)`);
  }
};

/**
 * Returns the items whose name contains one of the words, or all if there are no words; a word that no name contains ends
 * the script with a message.
 *
 * @template Item
 * @param {Item[]} items
 * @param {string[]} words
 * @param {(item: Item) => string} [nameOf]
 */
exports.matching = function matching(items, words, nameOf = String) {
  const unknown = words.find(word => !items.some(item => nameOf(item).includes(word)));
  if (unknown === undefined)
    return items.filter(item => words.length === 0 || words.some(word => nameOf(item).includes(word)));
  const names = items.length > 100 ? `${items.length} names` : items.map(nameOf).join(', ');
  return fail(`Nothing matches "${unknown}" among ${names}`);
};

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
    console.error(`${/** @type {Error} */ (error).message} (--help lists the options)`);
    return process.exit(1);
  }
};

/**
 * Returns the items whose name contains one of the words, or all if there are no words. Reports words that no name contains,
 * and ends the script if nothing is left.
 *
 * @template Item
 * @param {Item[]} items
 * @param {string[]} words
 * @param {(item: Item) => string} [nameOf]
 */
exports.matching = function matching(items, words, nameOf = String) {
  const names = items.length > 100 ? `${items.length} names` : items.map(nameOf).join(', ');
  for (const word of words)
    if (!items.some(item => nameOf(item).includes(word)))
      console.error(`Nothing matches "${word}" among ${names}`);
  const chosen = items.filter(item => words.length === 0 || words.some(word => nameOf(item).includes(word)));
  if (chosen.length === 0) process.exit(1);
  return chosen;
};

/** Writes the pages of the reference: an entry for each member. */

/** @typedef {import('./declarations.mjs').Entry} Entry */
/** @typedef {Record<string, Record<string, string>>} Behaviours what tests show, by member */

/**
 * @typedef {object} Page
 * @property {string} file
 * @property {string} title
 * @property {string} intro
 * @property {string} prefix what a member is written with: `res.`
 * @property {Entry[]} entries
 * @property {ReadonlySet<string>} [express] the names that Express has
 */

/** One page as Markdown. */
export function pageOf(/** @type {Page} */ page, /** @type {Behaviours} */ behaviours) {
  const { title, intro, prefix, entries } = page;
  const list = entries
    .map(entry => `[\`${prefix}${entry.name}\`](#${anchorOf(prefix, entry.name)})`)
    .join(' · ');
  const parts = entries.map(entry => entryOf(page, entry, behaviours[prefix + entry.name]));
  return `# ${title}\n\n${intro}\n\n${list}\n\n${parts.join('\n')}`;
}

/** In the case of the name: `res.sendfile` is another member than `res.sendFile`. */
const anchorOf = (/** @type {string} */ prefix, /** @type {string} */ name) =>
  `${prefix}${name}`.replace(/[^\w-]+/g, '-');

function entryOf(
  /** @type {Page} */ { prefix, express },
  /** @type {Entry} */ entry,
  /** @type {Record<string, string> | undefined} */ rows,
) {
  const { name, tags, text, signatures, isMethod } = entry;
  // An anchor of HTML: sites and repositories make different ones of a heading.
  const heading = `<a id="${anchorOf(prefix, name)}"></a>\n\n## ${prefix}${name}${isMethod ? '()' : ''}`;
  const code = signatures.map(signature => prefix + signature).join('\n');
  return [
    heading,
    express && !express.has(name) ? '*Not in Express.*' : '',
    entry.isDeprecated ? `**Deprecated.** ${oneLine(tags.deprecated?.join(' ') ?? '')}` : '',
    linked(text),
    // Not `ts`: a signature is no program.
    code && `\`\`\`typescript\n${code}\n\`\`\``,
    parameters(tags.param),
    ...entry.options.map(optionsTable),
    section('Returns', tags.returns),
    section('Throws', tags.throws),
    section('Since', tags.since),
    ...(tags.example ?? []).map(example => `\`\`\`js\n${example}\n\`\`\``),
    section('See', tags.see),
    rowsOf(rows),
  ]
    .filter(Boolean)
    .map(part => `${part}\n`)
    .join('\n');
}

/** Other pages of the documentation become links. */
const linked = (/** @type {string} */ text) =>
  text.replace(/\bdocs\/([\w/-]+)\.md\b/g, (_whole, page) => `[${page}](../${page}.md)`);

const section = (/** @type {string} */ title, /** @type {string[] | undefined} */ texts) =>
  texts?.length ? `**${title}**: ${texts.map(oneLine).map(linked).join(' ')}` : '';

const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ');

/** The first word of a `@param` is the name. */
function parameters(/** @type {string[] | undefined} */ texts) {
  return (texts ?? [])
    .map(oneLine)
    .map(text => /^(\S+)\s+(?:-\s+)?(.*)$/.exec(text))
    .map(match => (match ? `- \`${match[1]}\`: ${match[2]}` : ''))
    .filter(Boolean)
    .join('\n');
}

const cell = (/** @type {string} */ text) => oneLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');

function optionsTable(/** @type {import('./declarations.mjs').Options} */ { properties }) {
  if (properties.length === 0) return '';
  const rows = properties.map(
    ({ name, type, text }) =>
      `| \`${name}\` | ${type ? `\`${oneLine(type).replaceAll('|', '\\|')}\`` : ''} | ${cell(text)} |`,
  );
  return `| option | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function rowsOf(/** @type {Record<string, string> | undefined} */ rows) {
  const entries = Object.entries(rows ?? {});
  if (entries.length === 0) return '';
  const items = entries.map(([row, promise]) => `- ${escaped(row)}: ${escaped(promise)}`).join('\n');
  return `<details><summary>In detail: ${entries.length} tested ${entries.length === 1 ? 'behaviour' : 'behaviours'}</summary>\n\n${items}\n\n</details>`;
}

const escaped = (/** @type {string} */ text) => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{');

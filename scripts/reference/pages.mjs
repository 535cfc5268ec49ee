/** Writes the pages of the reference, with an entry for each member. */

/** @typedef {import('./declarations.mjs').Entry} Entry */
/** @typedef {import('./versions.mjs').Version} Version */
/** @typedef {Record<string, Set<string>>} Behaviours titles of tests, by member */

/**
 * @typedef {object} Page
 * @property {string} file
 * @property {string} title
 * @property {string} intro
 * @property {string} prefix what a member is written with: `res.`
 * @property {Entry[]} entries
 * @property {Version} version
 * @property {ReadonlySet<string>} [express] the names that Express has
 * @property {Map<string, string[]>} differences from Express, by member
 * @property {{ entries: Entry[], isMissing(name: string): boolean }} [base] the entries of this page in 4.x
 * @property {(name: string) => string} [standard] the default of a setting
 */

/** Returns a page as Markdown. */
export function pageOf(/** @type {Page} */ page, /** @type {Behaviours} */ behaviours) {
  const { title, intro, prefix, entries, version } = page;
  const titlesOf = (/** @type {string} */ name) => behaviours[(page.standard ? 'setting ' : prefix) + name];
  const isPlain = (/** @type {Entry} */ { name, isInherited }) =>
    isAsInBase(page, name, isInherited) && !titlesOf(name) && !page.differences.has(prefix + name);
  const shown = entries.filter(entry => !isPlain(entry));
  const list = shown.map(entry => linkTo(prefix, entry, '')).join(' · ');
  const parts = shown.map(entry => entryOf(page, entry, titlesOf(entry.name)));
  const heading = version.folder ? `${title} of ${version.name}` : title;
  return `# ${heading}\n\n${intro}\n\n${list}\n\n${comparison(page, entries.filter(isPlain))}${parts.join('\n')}`;
}

/** Returns whether a member is described on the page of 4.x only. */
const isAsInBase = (
  /** @type {Page} */ { base, version },
  /** @type {string} */ member,
  /** @type {boolean} */ isInherited,
) => !version.isWhole && isInherited && Boolean(base?.entries.some(({ name }) => name === member));

const linkTo = (/** @type {string} */ prefix, /** @type {Entry} */ { name }, /** @type {string} */ page) =>
  `[\`${prefix}${name}\`](${page}#${anchorOf(prefix, name)})`;

/** Returns which members are the same as in 4.x, and which are missing. */
function comparison(/** @type {Page} */ { file, prefix, base }, /** @type {Entry[]} */ plain) {
  if (!base) return '';
  const line = (/** @type {string} */ title, /** @type {Entry[]} */ list) =>
    list.length > 0
      ? `**${title}**: ${list.map(entry => linkTo(prefix, entry, `../${file}`)).join(' · ')}\n\n`
      : '';
  const missing = base.entries.filter(({ name }) => base.isMissing(name));
  return line('As in 4.x', plain) + line('In 4.x only', missing);
}

/** Returns the page that lists what Express does not have, with options, defaults and errors; of all pages, those of 4.x first. */
export function additionsPage(/** @type {Page[][]} */ all) {
  const [pages = []] = all;
  const additionsOf = (/** @type {Page} */ { entries, express }) =>
    entries.filter(({ name }) => express && !express.has(name));
  const rows = pages.flatMap(page =>
    additionsOf(page).map(entry => {
      const { name, tags, options } = entry;
      const { prefix, file } = page;
      const versions = all
        .flat()
        .filter(other => other.file === file && additionsOf(other).some(own => own.name === name))
        .map(({ version }) => version.name)
        .sort();
      const values = options
        .flatMap(({ properties }) => properties)
        .map(option =>
          [`\`${option.name}\``, defaultCell(option, tags.default ?? [])].filter(Boolean).join(': '),
        );
      const errors = (tags.throws ?? []).map(cell).join(' ');
      return `| ${linkTo(prefix, entry, file)} | ${versions.join(', ')} | ${values.join('<br>')} | ${errors} |`;
    }),
  );
  const intro =
    'What applications, routers, requests and responses have beyond Express. An option that does not exist, and a value of ' +
    "the wrong type, is a TypeError when the function is called. Durations are milliseconds or text such as `'10s'`.";
  return `# Additions to Express\n\n${intro}\n\n| addition | versions | options and defaults | throws |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** Case-sensitive, because `res.sendfile` and `res.sendFile` are different members. */
const anchorOf = (/** @type {string} */ prefix, /** @type {string} */ name) =>
  `${prefix}${name}`.replace(/[^\w-]+/g, '-');

function entryOf(
  /** @type {Page} */ page,
  /** @type {Entry} */ entry,
  /** @type {Set<string> | undefined} */ titles,
) {
  const { prefix, version } = page;
  const { name, tags, text, signatures, isMethod } = entry;
  const to = linked(version.folder ? '../../' : '../');
  // An HTML anchor, because sites and repositories derive different ones from a heading.
  const heading = `<a id="${anchorOf(prefix, name)}"></a>\n\n## ${prefix}${name}${isMethod ? '()' : ''}`;
  const code = signatures.map(signature => prefix + signature).join('\n');
  const body = isAsInBase(page, name, entry.isInherited)
    ? [`As in 4.x: ${linkTo(prefix, entry, `../${page.file}`)}.`]
    : [
        entry.isDeprecated ? `**Deprecated.** ${oneLine(tags.deprecated?.join(' ') ?? '')}` : '',
        to(text),
        // Not `ts`, because a signature is not a program.
        code && `\`\`\`typescript\n${code}\n\`\`\``,
        parameters(tags.param),
        ...entry.options.map(options => optionsTable(options, tags.default ?? [], to)),
        section('Default', page.standard ? [tags.default?.[0] ?? page.standard(name)] : [], standardCell),
        section('Returns', tags.returns, to),
        section('Throws', tags.throws, to),
        section(
          'Since',
          tags.since?.map(since => inVersion(since, version)),
        ),
        ...(tags.example ?? []).map(example => `\`\`\`js\n${example}\n\`\`\``),
        section('See', tags.see, to),
      ];
  return [heading, ...body, expressOf(page, entry, to), testsOf(titles)]
    .filter(Boolean)
    .map(part => `${part}\n`)
    .join('\n');
}

/** The major version is that of the API. */
const inVersion = (/** @type {string} */ since, /** @type {Version} */ { name }) =>
  since.replace(/^\d+/, name.replace('.x', ''));

/** Describes what Express does. */
function expressOf(
  /** @type {Page} */ { prefix, express, differences, version },
  /** @type {Entry} */ { name, tags },
  /** @type {(text: string) => string} */ to,
) {
  const title = `**${version.expressName}**`;
  if (express && !express.has(name)) return `${title}: absent.`;
  const rows = [...(differences.get(prefix + name) ?? []), ...(tags.express ?? []).map(oneLine)];
  if (rows.length === 0) return express ? `${title}: the same.` : '';
  return `${title}: the same, except:\n\n${rows.map(row => `- ${escaped(to(row.replace(/\]\((?=\w)/g, '](docs/')))}`).join('\n')}`;
}

/** Turns references to other pages of the documentation into links. */
const linked = (/** @type {string} */ up) => (/** @type {string} */ text) =>
  text
    .replace(/\]\(docs\//g, `](${up}`)
    .replace(
      /(?:https:\/\/github\.com\/[\w-]+\/ristretto\/blob\/main\/|\b)docs\/([\w/-]+)\.md\b/g,
      (_whole, page) => `[${page}](${up}${page}.md)`,
    );

const section = (
  /** @type {string} */ title,
  /** @type {string[] | undefined} */ texts,
  to = (/** @type {string} */ text) => text,
) => (texts?.length ? `**${title}**: ${texts.map(oneLine).map(to).join(' ')}` : '');

const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ');

/** The first word of a `@param` tag is the name. */
function parameters(/** @type {string[] | undefined} */ texts) {
  return (texts ?? [])
    .map(oneLine)
    .map(text => /^(\S+)\s+(?:-\s+)?(.*)$/.exec(text))
    .map(match => (match ? `- \`${match[1]}\`: ${match[2]}` : ''))
    .filter(Boolean)
    .join('\n');
}

const cell = (/** @type {string} */ text) => oneLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
const codeCell = (/** @type {string} */ text) => `\`${oneLine(text).replaceAll('|', '\\|')}\``;

/** Formats a default; `standards` are those that differ for this member: a name and its value. */
function defaultCell(
  /** @type {import('./declarations.mjs').Property} */ { name, isOptional, standard = '' },
  /** @type {string[]} */ standards,
) {
  const own = standards.find(line => line.startsWith(`${name} `))?.slice(name.length + 1);
  return isOptional ? standardCell(own ?? standard) : 'required';
}

function optionsTable(
  /** @type {import('./declarations.mjs').Options} */ { properties },
  standards,
  /** @type {(text: string) => string} */ to,
) {
  if (properties.length === 0) return '';
  const rows = properties.map(option => {
    const { name, type, text } = option;
    return `| \`${name}\` | ${type ? codeCell(type) : ''} | ${defaultCell(option, standards)} | ${to(cell(text))} |`;
  });
  return `| option | type | default | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}

/** Formats a literal as code, and leaves other text as it is. */
const standardCell = (/** @type {string} */ text) =>
  /^(?:'[^']*'|[\d_.]+|true|false|\[.*\]|[A-Z_]+)$/.test(text) ? codeCell(text) : cell(text);

function testsOf(/** @type {Set<string> | undefined} */ titles) {
  if (titles === undefined) return '';
  const items = [...titles].map(title => `- ${escaped(title)}`).join('\n');
  return `<details><summary>In detail: ${titles.size} tested ${titles.size === 1 ? 'behaviour' : 'behaviours'}</summary>\n\n${items}\n\n</details>`;
}

const escaped = (/** @type {string} */ text) => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{');

/** The documentation as a site: `npm run docs` builds it from the files of this folder. */
import fs from 'node:fs';
import path from 'node:path';
import { commonJsOf } from '../../scripts/recipes.mjs';

const docs = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const root = path.dirname(docs);
const read = (/** @type {string} */ file) => fs.readFileSync(path.join(root, file), 'utf8');
const { homepage } = JSON.parse(read('package.json'));
const repository = homepage.replace(/#.*/, '');
const { version } = JSON.parse(read('packages/ristretto/package.json'));

/** The pages of the reference in the order of reading, by version: those of 4.x are in no folder. */
const PAGES = ['web', 'application', 'request', 'response', 'router', 'route', 'settings', 'additions'];
const REFERENCE = [
  { text: '4.x, for Express 4', folder: '' },
  { text: '3.x, for Express 3', folder: '3.x/' },
  { text: '5.x, for Express 5', folder: '5.x/' },
].map(({ text, folder }) => ({
  text,
  folder,
  pages: PAGES.map(name => folder + name).filter(name =>
    fs.existsSync(path.join(docs, `reference/${name}.md`)),
  ),
}));

/** One file beside a folder of the same name in the repository; on a site, the folder's own page. */
const FOLDERS = ['guide', 'recipes', 'troubleshooting'];
const addressOf = (/** @type {string} */ page) => (FOLDERS.includes(page) ? `/${page}/` : `/${page}`);

const RUNNING = ['operations', 'deploy', 'guide/growing', 'servers', 'runtimes', 'THREATS', 'DEPENDENCIES'];
const MOVING = [
  'migration',
  'guide/migrate',
  'legacy',
  'DIFFERENCES',
  'COMPATIBILITY',
  'proofs/upstream',
  'proofs/conformance',
];

/** The title of a page is its first heading. */
const titleOf = (/** @type {string} */ page) => /^# (.*)$/m.exec(read(`docs/${page}.md`))?.[1] ?? page;
const items = (/** @type {string[]} */ pages) =>
  pages.map(page => ({
    text: titleOf(page).replaceAll('`', ''),
    link: addressOf(page),
  }));

/** A page names those of its folder in the order in which they are to be read. */
const pagesOf = (/** @type {string} */ folder) => {
  const links = read(`docs/${folder}.md`).matchAll(new RegExp(`\\]\\((${folder}/[\\w-]+)\\.md\\)`, 'g'));
  return [...new Set([...links].map(match => match[1] ?? ''))];
};

/** The recipes under the headings of their list, which are lines that end with a colon. */
const recipes = () => {
  const lists = read('docs/recipes.md').matchAll(/^(\w[^\n]*):\n\n((?:- .*\n(?: .*\n)*)+)/gm);
  return [...lists].map(([, text = '', list = '']) => ({
    text,
    items: items([...list.matchAll(/\]\((recipes\/[\w-]+)\.md\)/g)].map(match => match[1] ?? '')),
  }));
};

/** What the sidebar has on every page; those of the reference list their version before it. */
const GROUPS = [
  {
    text: 'Start',
    items: items(['tutorial', 'guide', 'which', 'comparison', 'packages', 'faq']),
  },
  {
    text: 'Troubleshooting',
    items: items(['troubleshooting', ...pagesOf('troubleshooting')]),
  },
  { text: 'From Express', items: items(MOVING) },
  {
    text: 'Beyond Express',
    items: items(pagesOf('guide').filter(page => ![...RUNNING, ...MOVING].includes(page))),
  },
  { text: 'Recipes', items: [...items(['recipes']), ...recipes()] },
  { text: 'Running it', items: items(RUNNING) },
  {
    text: 'Reference',
    items: REFERENCE.map(({ text, folder }) => ({ text, link: `/reference/${folder}${PAGES[0]}` })),
  },
];

const DESCRIPTION =
  'A web framework for Node.js that implements the complete API of Express 3, 4 and 5: typed, fast and hardened.';

/** Ranks pages that explain above long lists, and what is for all above what is for 3.x or 5.x. It runs in the browser, on its own. */
const boostDocument = (/** @type {string} */ page) =>
  /^\/(?:COMPATIBILITY|THREATS|proofs\/|reference\/[35]\.x\/)/.test(page)
    ? 0.3
    : /^\/(?:guide|recipes)\//.test(page)
      ? 1.5
      : 1;

const SWITCH = '<label class="form-switch"><input type="checkbox" /> Show CommonJS</label>';

/** What programs that write code need to know before any page. */
const USE = `Install: \`npm install ristretto express@npm:ristretto@^${version}\`. Code imports \`ristretto\`; the alias is for middleware from npm,
which requires \`express\`. In an application that was written for Express, only the alias is installed, and code keeps importing \`express\`.

    import web, { Router } from 'ristretto'; // ES modules and TypeScript
    const web = require('ristretto'); // CommonJS
    const app = web();

The API is that of Express 4 (\`ristretto5\`: of Express 5, \`ristretto3\`: of Express 3), with additions such as \`web.validate\`, \`web.HttpError\`,
\`web.openApi\`, \`app.ws\`, \`app.inject\` and \`web.stopOnSignals\`. Types are included: do not install \`@types/express\`.`;

/** @type {import('vitepress').UserConfig} */
export default {
  title: 'Ristretto',
  description: DESCRIPTION,
  lang: 'en',
  cleanUrls: true,
  // A sitemap has whole addresses, so it needs to know where the site will be
  ...(process.env.SITE_URL ? { sitemap: { hostname: process.env.SITE_URL } } : {}),
  rewrites: Object.fromEntries(FOLDERS.map(name => [`${name}.md`, `${name}/index.md`])),
  transformPageData(page) {
    if (page.filePath === 'index.md') return undefined;
    // The reference is generated: there is nothing to edit.
    const frontmatter = page.filePath.startsWith('reference/')
      ? { ...page.frontmatter, editLink: false }
      : {};
    return { description: summaryOf(page.filePath), frontmatter };
  },
  transformHead: ({ title, description }) => [
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
    ['meta', { property: 'og:type', content: 'website' }],
  ],
  buildEnd({ pages, outDir }) {
    for (const page of pages) {
      const file = path.join(outDir, page);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.copyFileSync(path.join(docs, page), file);
    }
    fs.writeFileSync(path.join(outDir, 'llms.txt'), summary(pages));
  },
  transformHtml: html => html.replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"'),
  head: [['link', { rel: 'icon', href: '/mark.svg', type: 'image/svg+xml' }]],
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Guide', link: '/guide/' },
      { text: 'Recipes', link: '/recipes/' },
      {
        text: 'Reference',
        items: REFERENCE.map(({ text, folder }) => ({ text, link: `/reference/${folder}${PAGES[0]}` })),
      },
      { text: 'From Express', link: '/migration' },
      {
        text: version,
        items: [
          { text: 'Which package?', link: '/which' },
          { text: 'Comparison', link: '/comparison' },
          { text: 'Changelog', link: `${repository}/blob/main/CHANGELOG.md` },
          { text: 'Other versions', link: `${repository}/releases` },
        ],
      },
    ],
    sidebar: {
      ...Object.fromEntries(
        REFERENCE.map(({ text, folder, pages }) => [
          `/reference/${folder}`,
          [{ text: `Reference ${text}`, items: items(pages.map(name => `reference/${name}`)) }, ...GROUPS],
        ]),
      ),
      '/': GROUPS,
    },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'Ristretto is free software under the MIT licence.' },
    socialLinks: [{ icon: 'github', link: repository }],
  },
  ignoreDeadLinks: 'localhostLinks', // of the programs that a page starts
  markdown: {
    languageAlias: { cjs: 'js', mjs: 'js' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // As GitHub does it: the same links work there.
    anchor: {
      slugify: text =>
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
    },
    config(md) {
      // The figures of the front page, drawn as bars by its style sheet
      md.core.ruler.push('bars', ({ env, tokens }) => {
        if (env.relativePath === 'index.md') addBars(tokens);
      });
      // Programs are ES modules; a switch above the first shows all of a page as CommonJS.
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (tokens, index, options, env, self) => {
        const render = () => fence?.(tokens, index, options, env, self) ?? '';
        const token = tokens[index];
        const other = /^js(?: run)?$/.test(token?.info ?? '') ? commonJsOf(token.content) : undefined;
        if (token === undefined || other === undefined) return render();
        const modules = render();
        token.content = other;
        const first = env.hasSwitch ? '' : SWITCH;
        env.hasSwitch = true;
        return `${first}<div class="esm">${modules}</div><div class="cjs">${render()}</div>`;
      };
      const { link_open: render } = md.renderer.rules;
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const href = token?.attrGet('href') ?? '';
        if (!/^[a-z]+:|^[#/]/.test(href)) token?.attrSet('href', linkTo(href, env.realPath ?? env.path));
        return render ? render(tokens, index, options, env, self) : self.renderToken(tokens, index, options);
      };
    },
  },
};

/** Returns the first paragraph of a page as text. */
function firstParagraph(/** @type {string} */ file) {
  const paragraphs = read(`docs/${file}`).split(/\n{2,}/);
  const first = paragraphs.find(text => /^[\p{L}`'[(]/u.test(text)) ?? '';
  return first
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ');
}

/** Shortened to whole words: search engines show no more. */
function summaryOf(/** @type {string} */ file) {
  const text = firstParagraph(file);
  return text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, '')} …`;
}

/** Returns the list of pages in the form of https://llmstxt.org: each is also at its address with `.md`. */
function summary(/** @type {string[]} */ pages) {
  const listed = pages.filter(page => page !== 'index.md');
  const lines = listed.map(page => `- [${titleOf(page.slice(0, -3))}](/${page}): ${firstParagraph(page)}`);
  return `# Ristretto\n\n> ${DESCRIPTION}\n\n${USE}\n\n## Pages\n\n${lines.join('\n')}\n`;
}

/** Gives each cell of a table with a number the name of its column, and an element as long as its share of the highest. */
function addBars(/** @type {any[]} */ tokens) {
  /** @type {string[]} */
  const names = [];
  /** @type {{ cell: any, inline: any, name: string | undefined }[]} */
  const numbers = [];
  let column = 0;
  for (const [index, cell] of tokens.entries()) {
    if (cell.type === 'tr_open') column = 0;
    if (cell.type !== 'th_open' && cell.type !== 'td_open') continue;
    const inline = tokens[index + 1];
    if (cell.type === 'th_open') names[column] = inline.content;
    else if (/^[\d.]+$/.test(inline.content)) numbers.push({ cell, inline, name: names[column] });
    column++;
  }
  const highest = Math.max(...numbers.map(({ inline }) => Number(inline.content)));
  for (const { cell, inline, name } of numbers) {
    cell.attrSet('data-name', name);
    const style = `--share: ${Number(inline.content) / highest}; --bare: ${1 / highest}`;
    const bar = Object.assign(new cell.constructor('html_inline', '', 0), {
      content: `<span class="bar" style="${style}"></span>`,
    });
    inline.children.unshift(bar);
  }
}

/** A link to a page, or to a file of the repository, which is no page of the site. */
function linkTo(/** @type {string} */ href, /** @type {string} */ page) {
  const [file = ''] = href.split('#');
  const hash = href.slice(file.length);
  const target = path.relative(root, path.resolve(path.dirname(page), file));
  const name = /^docs\/(.*)\.md$/.exec(target)?.[1];
  if (name !== undefined) return `${addressOf(name)}${hash}`;
  const isFolder = fs.statSync(path.join(root, target)).isDirectory();
  return `${repository}/${isFolder ? 'tree' : 'blob'}/main/${target}${hash}`;
}

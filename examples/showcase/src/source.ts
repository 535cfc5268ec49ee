/** Shows the source code of this application: TypeScript, templates, SQL, and what runs in the browser. */
import fs from 'node:fs';
import web from 'ristretto';
import { hasDocs } from './api.js';
import { highlight } from './highlight.js';

interface Source {
  name: string;
  job: string;
  code: string;
  /** The lines as HTML. */
  lines: string[];
}

/** The folders, and which files of them are shown. The first is not part of the names. */
const FOLDERS = [
  { folder: 'src', prefix: '', title: 'The application', files: /\.ts$/ },
  { folder: 'migrations', prefix: 'migrations/', title: 'The tables', files: /\.sql$/ },
  { folder: 'views', prefix: 'views/', title: 'The templates', files: /\.ejs$/ },
  { folder: 'public', prefix: 'public/', title: 'In the browser', files: /\.(?:js|css)$/ },
];

/** Returns the first sentence of the comment at the top of a file. */
function jobOf(code: string): string {
  const comment = /^(?:\/\*\*?|<%#)([^]*?)(?:\*\/|-%>)|^-- ([^\n]*)/.exec(code);
  const text = (comment?.[1] ?? comment?.[2] ?? '').replaceAll(/\s*\n? ?\* ?/g, ' ').trim();
  return text.split(/(?<=\.) /, 1)[0] ?? '';
}

/** All files by name, read once. */
const sources = new Map<string, Source>();
const groups = FOLDERS.map(({ folder, prefix, title, files }) => {
  const place = new URL(`../${folder}/`, import.meta.url);
  const found = fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter(name => files.test(name))
    .sort()
    .map(entry => {
      const name = prefix + entry.replaceAll('\\', '/');
      const code = fs.readFileSync(new URL(entry.replaceAll('\\', '/'), place), 'utf8');
      const source = { name, job: jobOf(code), code, lines: highlight(name, code) };
      sources.set(name, source);
      return source;
    });
  return { title, found };
});

/** The number of lines of TypeScript. */
export const lines = groups[0]!.found.reduce((sum, source) => sum + source.lines.length, 0);

/**
 * The features on the front page. Each opens the part of a file that implements it: from the line that contains `at` to
 * the end of that block.
 */
const FEATURES = [
  {
    title: 'Live updates',
    text: 'Open this page twice. Events resume where a connection broke.',
    file: 'pages/board.ts',
    at: "router.get('/events'",
  },
  {
    title: 'Validation and OpenAPI',
    text: 'One schema checks a request, types its handler, and documents it.',
    file: 'api.ts',
    at: "'/posts',",
    page: hasDocs ? '/api/docs' : '/api/openapi.json',
  },
  {
    title: 'Pictures',
    text: 'Recognized by their bytes, decoded one at a time, encoded anew.',
    file: 'pictures.ts',
    at: 'async function shrink',
  },
  {
    title: 'Security',
    text: 'A strict policy, no form from another site, limits on guessing.',
    file: 'security.ts',
    at: 'export const sameOrigin',
  },
  {
    title: 'Accounts',
    text: 'scrypt, sessions that survive a restart, a new id at each login.',
    file: 'session.ts',
    at: 'export async function logIn',
  },
  {
    title: 'Nothing typed is lost',
    text: 'A refused post comes back in its form, an expired session too.',
    file: 'pages/board.ts',
    at: 'const refusePost',
  },
  {
    title: 'SQL without injection',
    text: 'Queries are templates: a value never becomes part of the text.',
    file: 'data/posts.ts',
    at: 'async function page',
  },
  {
    title: 'Search',
    text: 'Full text with word forms, prefixes, phrases and exclusions.',
    file: 'migrations/004-conversation.sql',
    at: 'create function search_query',
  },
  {
    title: 'Templates',
    text: 'A live update renders the same view as the whole page.',
    file: 'views/partials/post.ejs',
    at: '<article',
  },
  {
    title: 'Order of middleware',
    text: 'Health, overload, deadlines, sessions: one screen to read.',
    file: 'app.ts',
    at: 'app.use(web.requestId',
  },
  {
    title: 'A stop that loses nothing',
    text: 'On a signal, the server finishes what it has begun.',
    file: 'index.ts',
    at: 'web.stopOnSignals(',
  },
];

/** Returns the lines, counted from 1, of the block that begins at the line that contains the text. */
function blockAt({ name, code }: Source, at: string): { from: number; to: number } {
  const all = code.split('\n');
  const start = all.findIndex(line => line.includes(at));
  if (start < 0) throw new Error(`${name} does not contain "${at}".`);
  const indentation = /^ */.exec(all[start]!)![0].length;
  const isInside = (line: string) => line.trim() === '' || /^ */.exec(line)![0].length > indentation;
  let end = start + 1;
  while (end < all.length - 1 && isInside(all[end]!)) end++;
  return { from: start + 1, to: end + 1 };
}

/** Returns the lines, as HTML, of the block that begins at the line that contains the text. */
export function codeOf(file: string, at: string) {
  const source = sources.get(file)!;
  const { from } = blockAt(source, at);
  const end = source.code.split('\n').findIndex((line, index) => index >= from && line === '');
  return { lines: source.lines.slice(from - 1, end) };
}

export const features = FEATURES.map(({ at, ...feature }) => {
  const { from, to } = blockAt(sources.get(feature.file)!, at);
  return { ...feature, href: `/source/${feature.file}?from=${from}&to=${to}#L${from}` };
});

export function sourcePages() {
  const router = web.Router();
  router.get('/', (_req, res) => res.render('sources', { groups, count: sources.size, lines }));
  router.get('/*', (req, res, next) => {
    const source = sources.get(req.params[0]);
    if (!source) return next();
    res.render('source', { source, from: Number(req.query.from), to: Number(req.query.to) });
  });
  return router;
}

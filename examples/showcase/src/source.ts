/** Shows the source code of this application, and what each file does. */
import fs from 'node:fs';
import web from 'ristretto';
import { hasDocs } from './api.js';

const folder = new URL('../src/', import.meta.url);

interface Source {
  name: string;
  job: string;
  code: string;
}

/** All files by name, read once. The first comment of each describes its job. */
const sources = new Map<string, Source>();
for (const entry of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!entry.endsWith('.ts')) continue;
  const name = entry.replaceAll('\\', '/');
  const code = fs.readFileSync(new URL(name, folder), 'utf8');
  const comment = /^\/\*\*([^]*?)\*\//.exec(code)?.[1] ?? '';
  const job =
    comment
      .replaceAll(/\s*\n? ?\* ?/g, ' ')
      .trim()
      .split(/(?<=\.) /, 1)[0] ?? '';
  sources.set(name, { name, job, code });
}

/** The number of lines of code. */
export const lines = [...sources.values()].reduce((sum, { code }) => sum + code.split('\n').length - 1, 0);

/** The features on the front page, with the file that implements each. */
export const features = [
  {
    title: 'Live updates',
    text: 'Open this page twice. Events resume where a connection broke.',
    file: 'feed.ts',
  },
  {
    title: 'Pictures',
    text: 'Decoded one at a time, encoded anew, served from the database.',
    file: 'pictures.ts',
  },
  {
    title: 'Accounts',
    text: 'scrypt, sessions that survive a restart, a new id at each login.',
    file: 'session.ts',
  },
  {
    title: 'Security',
    text: 'No inline script, no form from another site, limits on guessing.',
    file: 'security.ts',
  },
  {
    title: 'JSON API',
    text: 'Checked, typed and described by the same schemas.',
    file: 'api.ts',
    page: hasDocs ? '/api/docs' : '/api/openapi.json',
  },
  { title: 'Search', text: 'PostgreSQL full text, and pages by cursor.', file: 'data/posts.ts' },
  {
    title: 'Administration',
    text: 'An application inside the application, with its own views.',
    file: 'pages/admin.ts',
  },
  {
    title: 'One process, or many',
    text: 'PostgreSQL inside the process, or a server and Redis.',
    file: 'services.ts',
  },
  {
    title: 'Operation',
    text: 'Health, deadlines, request ids, and no request lost at a restart.',
    file: 'index.ts',
  },
];

export function sourcePages() {
  const router = web.Router();
  router.get('/', (_req, res) => res.render('sources', { sources: [...sources.values()], lines }));
  router.get('/*', (req, res, next) => {
    const source = sources.get(req.params[0]);
    if (!source) return next();
    res.render('source', { source });
  });
  return router;
}

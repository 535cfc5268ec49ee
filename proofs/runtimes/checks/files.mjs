/** Files: static ones, ones sent by a handler, and downloads; ranges of them; views. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gets } from './check.mjs';

const LARGE = fs.readFileSync(path.join(import.meta.dirname, '../../../package-lock.json'));
const hash = bytes => crypto.createHash('sha256').update(bytes).digest('hex');

export const files = [
  gets('serves a static file with type, length and age', '/files/static/digits.txt', {
    status: 200,
    body: '0123456789',
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=3600',
    },
  }),
  {
    name: 'responds 304 to the validators that it sent',
    ask: async ({ get }) => {
      const { headers } = await get('/files/static/digits.txt');
      const byTag = await get('/files/static/digits.txt', { 'If-None-Match': headers.etag });
      const byTime = await get('/files/static/digits.txt', { 'If-Modified-Since': headers['last-modified'] });
      return [byTag.status, byTime.status];
    },
    expected: [304, 304],
  },
  {
    name: 'responds to HEAD',
    ask: ({ send }) => send({ method: 'HEAD', path: '/files/static/digits.txt' }),
    expected: { status: 200, body: '', headers: { 'content-length': '10' } },
  },
  {
    name: 'redirects to a folder, and serves its index',
    ask: async ({ get }) => {
      const { status, headers } = await get('/files/static/docs');
      const index = await get('/files/static/docs/');
      return { status, location: headers.location, type: index.headers['content-type'], body: index.body };
    },
    expected: {
      status: 301,
      location: '/files/static/docs/',
      type: 'text/html; charset=UTF-8',
      body: '<!doctype html>\n<title>Docs</title>\n',
    },
  },
  gets('responds 404 where there is no file', '/files/static/none.txt', { status: 404 }),
  {
    name: 'serves nothing outside of the folder',
    ask: async ({ get }) => {
      const paths = ['%2e%2e%2fapp.mjs', '..%2fapp.mjs', 'docs/..%5c..%5capp.mjs', '%00'];
      const statuses = await Promise.all(
        paths.map(async file => (await get(`/files/static/${file}`)).status),
      );
      return statuses.every(status => status >= 400 && status < 500);
    },
    expected: true,
  },
  gets('sends a file from a handler', '/files/sent', { status: 200, body: '0123456789' }),
  gets('downloads a file under another name', '/files/attachment', {
    body: '0123456789',
    headers: { 'content-disposition': 'attachment; filename="?.txt"; filename*=UTF-8\'\'%E2%82%AC.txt' },
  }),
  gets('passes the error of a missing file to the callback', '/files/missing', {
    status: 404,
    body: '{"code":"ENOENT"}',
  }),
  {
    name: 'sends a file of many chunks unchanged',
    ask: async ({ get }) => hash((await get('/files/large')).bytes),
    expected: hash(LARGE),
  },
];

const FILE = '/files/static/digits.txt';
const range =
  (text, headers) =>
  ({ get }) =>
    get(FILE, { Range: text, ...headers });

export const ranges = [
  {
    name: 'sends 206 with Content-Range for one range',
    ask: range('bytes=2-4'),
    expected: {
      status: 206,
      body: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3' },
    },
  },
  {
    name: 'sends the last bytes for a suffix',
    ask: range('bytes=-3'),
    expected: { status: 206, body: '789', headers: { 'content-range': 'bytes 7-9/10' } },
  },
  {
    name: 'sends 416 with Content-Range when the range starts past the end',
    ask: range('bytes=20-'),
    expected: { status: 416, headers: { 'content-range': 'bytes */10' } },
  },
  {
    name: 'sends the whole file for several ranges',
    ask: range('bytes=0-1,4-5'),
    expected: { status: 200, body: '0123456789' },
  },
  {
    name: 'sends the whole file when If-Range does not match',
    ask: range('bytes=2-4', { 'If-Range': '"other"' }),
    expected: { status: 200, body: '0123456789' },
  },
  {
    name: 'sends ranges of a file from a handler',
    ask: ({ get }) => get('/files/sent', { Range: 'bytes=8-' }),
    expected: { status: 206, body: '89' },
  },
];

export const views = [
  gets('renders a template that its engine compiles, with an included one', '/views/compiled', {
    status: 200,
    body: '<h1>&lt;views&gt;</h1>\n<p>of Ristretto</p>\n',
  }),
  gets('renders with locals of the application, of the response and of the call', '/views/filled', {
    status: 200,
    body: 'filled by locals of Ristretto',
  }),
  gets('renders without a response', '/views/callback', { body: 'called by back of Ristretto' }),
  {
    name: 'responds 500 where there is no template, and says which',
    ask: async ({ get }) => {
      const { status, body } = await get('/views/missing');
      return { status, says: body.includes('Failed to lookup view &quot;none.txt&quot;') };
    },
    expected: { status: 500, says: true },
  },
];

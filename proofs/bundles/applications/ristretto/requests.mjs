/** The requests to the 4.x application, grouped by the part of the framework that they test. */
import { gzipSync } from 'node:zlib';
import { FORM, get, gets, JSON_TYPE, post } from '../../requests.mjs';

/** @type {import('../../requests.mjs').Parts} */
export const parts = {
  routes: [
    get('/'),
    { method: 'HEAD', path: '/' },
    { method: 'OPTIONS', path: '/' },
    ...gets(
      '/users/7/posts?a[b][]=1&a[b][]=2&c=%20',
      '/users/x',
      '/files/a/b.txt',
      '/v12/x',
      '/v12',
      '/abacc',
    ),
    ...gets('/pets/tobi', '/pets/none', '/in/side/name', '/inner', '/one-copy', '/traced'),
    get('/request', {
      'X-Forwarded-For': '192.0.2.7',
      'X-Forwarded-Host': 'a.b.example.com',
      'X-Forwarded-Proto': 'https',
      Accept: 'application/json;q=0.9, text/*',
      'Accept-Language': 'de, en;q=0.5',
      'Accept-Encoding': 'gzip',
      Range: 'bytes=0-9',
    }),
  ],
  bodies: [
    post('/json', JSON_TYPE, '{"a":[1,{"b":"ä"}]}'),
    post('/json', JSON_TYPE, '{"a":'),
    post('/json', JSON_TYPE, JSON.stringify({ long: 'x'.repeat(2000) })),
    post('/json', JSON_TYPE, gzipSync('{"inflated":true}'), { 'Content-Encoding': 'gzip' }),
    post('/form', FORM, 'a[b][c]=1&a[d]=2&list[]=x&list[]=y&text=%C3%A4+%26'),
    post('/form', `${FORM}; charset=iso-8859-1`, 'text=%E4'),
    post('/simple', FORM, 'a[b]=1&c=2&c=3'),
    post('/undecided', FORM, 'a[b]=1'),
    post('/text', 'text/plain; charset=iso-8859-2', Buffer.from([0xb1, 0xe6])),
    post('/text', 'text/plain; charset=shift_jis', Buffer.from([0x83, 0x65])),
    post('/text', 'text/plain; charset=utf-32le', Buffer.from('a\0\0\0')),
    post('/text', 'text/plain; charset=no-such', 'a'),
    post('/raw', 'application/octet-stream', Buffer.from([0, 255, 10])),
  ],
  responses: [
    get('/cookies'),
    get('/format', { Accept: 'application/json' }),
    get('/format', { Accept: 'image/png' }),
    ...gets('/headers', '/jsonp?callback=call'),
    get('/redirect', { Accept: 'text/html' }),
    ...gets('/status', '/stream', '/deprecated'),
  ],
  files: [
    get('/public/site.css'),
    get('/public/site.css', { Range: 'bytes=5-9' }),
    get('/public/site.css', { Range: 'bytes=1-2,5-6' }),
    get('/public/site.css', { Range: 'bytes=900-' }),
    ...gets('/public/folder', '/public/folder/', '/public/none', '/public/%2e%2e/views/list.ejs'),
    ...gets('/send', '/download', '/missing', '/type/woff2'),
  ],
  views: gets('/view', '/view', '/letter', '/beside', '/no-view', '/no-engine'),
  servers: gets('/by-fetch', '/by-inject', '/by-http2'),
  errors: gets('/nowhere', '/throws', '/rejects', '/passes'),
};

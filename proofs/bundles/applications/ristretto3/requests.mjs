/** The requests to the 3.x application, grouped by the part of the framework that they test. */
import { FORM, get, JSON_TYPE, post } from '../../requests.mjs';

const MULTIPART = [
  '--x',
  'Content-Disposition: form-data; name="field"',
  '',
  'value',
  '--x',
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'content',
  '--x--',
  '',
].join('\r\n');

/** @type {import('../../requests.mjs').Parts} */
export const parts = {
  routes: [get('/'), get('/status'), get('/nowhere'), get('/throws'), get('/', { Host: 'example.com' })],
  bodies: [
    post('/body', JSON_TYPE, '{"a":1}'),
    post('/body', FORM, 'a[b]=1&_method=put'),
    post('/body', 'multipart/form-data; boundary=x', MULTIPART),
    post('/limited', JSON_TYPE, JSON.stringify({ long: 'x'.repeat(2000) })),
  ],
  middleware: [
    get('/favicon.ico'),
    get('/in/session'),
    get('/private'),
    get('/private', { Authorization: `Basic ${Buffer.from('user:password').toString('base64')}` }),
    get('/csrf'),
    post('/csrf', FORM, 'a=1'),
  ],
  files: [get('/public/site.css'), get('/public/none')],
  views: [get('/view'), get('/view', { 'Accept-Encoding': 'gzip' })],
};

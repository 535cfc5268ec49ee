/** The first run stores the responses of the application, and each further one compares them. */
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { test } = require('node:test');
const app = require('./app.js');

const STORED = path.join(__dirname, 'responses.json');
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=b' };
const part = (name, more, text) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const file = text =>
  `${part('title', '', 'A title')}${part('file', '; filename="a.txt"\r\nContent-Type: text/plain', text)}--b--\r\n`;

/** Requests in order; `cookies` sends those that the responses before have set. */
const REQUESTS = [
  ['GET', '/', { Cookie: 'a=1; b=j:{"c":2}; d=s:x.y' }],
  ['GET', '/', { Origin: 'https://app.example.com' }],
  ['GET', '/', { Origin: 'https://other.example' }],
  ['OPTIONS', '/echo', { Origin: 'https://a.example.org', 'Access-Control-Request-Headers': 'X-A' }],
  ['GET', '/cookie', {}],
  ['GET', '/', { cookies: true }],
  ...['gzip', 'br', 'deflate;q=0.5, identity', ''].map(each => ['GET', '/long', { 'Accept-Encoding': each }]),
  ['HEAD', '/long', { 'Accept-Encoding': 'gzip' }],
  ...Array.from({ length: 3 }, () => ['GET', '/limited', {}]),
  ['GET', '/limited', { 'X-Forwarded-For': '2001:db8::1' }],
  ['GET', '/cart', {}],
  ['GET', '/cart', { cookies: true }],
  ['GET', '/account', {}],
  ['GET', '/account', { cookies: true }],
  ['POST', '/account/login', { ...FORM_TYPE, cookies: true }, 'user=tobi'],
  ['GET', '/account', { cookies: true, 'X-Forwarded-Proto': 'https' }],
  ['POST', '/account/logout', { cookies: true }],
  ['GET', '/account', { cookies: true }],
  ['POST', '/echo', JSON_TYPE, '{"a":[1,{"b":"é"}]}'],
  ['POST', '/echo', JSON_TYPE, '{"a":'],
  ['POST', '/echo', JSON_TYPE, JSON.stringify('x'.repeat(200_000))],
  ['POST', '/echo', FORM_TYPE, 'a[b]=1&a[c][]=2&d=%C3%A9'],
  ['POST', '/upload', MULTIPART, file('hello')],
  ['POST', '/upload', MULTIPART, file('x'.repeat(2000))],
  ['POST', '/upload', MULTIPART, '--b\r\nbroken'],
  ['GET', '/files/app.js', { Range: 'bytes=0-9' }],
  ['GET', '/files/missing', {}],
  ['GET', '/files/%2e%2e/package.json', {}],
  ['GET', '/log', {}],
];

/** How a body is framed may differ: a compressed body is sent with its length if it is known. */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'transfer-encoding',
]);

function ask(port, [method, target, { cookies, ...headers }, body], jar) {
  if (cookies) headers.Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    const request = http.request({ port, method, path: target, headers, agent: false }, response => {
      for (const cookie of response.headers['set-cookie'] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
        jar.set(name, value);
      }
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => {
        const kept = Object.entries(response.headers).filter(([name]) => !LEFT_OUT.has(name));
        resolve({
          status: response.statusCode,
          headers: Object.fromEntries(kept.sort()),
          body: response.headers['content-encoding'] ? '' : String(Buffer.concat(chunks)),
        });
      });
    });
    request.on('error', reject).end(body);
  });
}

test('the responses are the same as before', async () => {
  const server = http.createServer(app);
  await new Promise(resolve => server.listen(0, resolve));
  const jar = new Map();
  const responses = [];
  for (const request of REQUESTS) responses.push(await ask(server.address().port, request, jar));
  server.close();
  if (!fs.existsSync(STORED)) fs.writeFileSync(STORED, JSON.stringify(responses));
  const stored = JSON.parse(fs.readFileSync(STORED, 'utf8'));
  for (const [index, response] of responses.entries())
    assert.deepEqual(response, stored[index], JSON.stringify(REQUESTS[index]));
});

/** Known attacks on authentication, tokens, listings and response headers, by their ids. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, given, postJson, show, web } from './support/middleware.js';
import { uploadDirectory } from './support/multipart.js';
import { each } from '../../engine/test/support/http.js';

const seen = show(req => [req.body as unknown, Object.keys((req as { files?: object }).files ?? {})]);

describe('threats: basic auth', () => {
  const credentials = (pair: string) => ({
    headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  });

  test('CVE-2016-1000236, CVE-2024-47178: a wrong pair is compared completely, however much of it is correct', async t => {
    // Measuring time is not reliable in a test. Instead, each comparison must be of two digests of the same length.
    const { timingSafeEqual } = await import('node:crypto');
    const lengths: number[][] = [];
    const crypto = (await import('node:crypto')).default;
    t.mock.method(crypto, 'timingSafeEqual', (a: Buffer, b: Buffer) => {
      lengths.push([a.length, b.length]);
      return timingSafeEqual(a, b);
    });
    const pairs = ['tobi:ferret', 'tobi:', ':', 'x:ferret', 'tobi:ferreX', `${'x'.repeat(5000)}:y`];
    const answers = await askAll([web.basicAuth('tobi', 'ferret'), seen], pairs.map(credentials));
    assert.deepEqual(each(answers, 'status'), [200, 401, 401, 401, 401, 401]);
    assert.deepEqual(lengths, Array(12).fill([32, 32]));
  });
});

describe('threats: csrf', () => {
  test('csurf: a cookie chosen by the client is not accepted as the secret', async () => {
    const request = postJson({ _csrf: 'x' }, { headers: { Cookie: '_csrf=x; csrfSecret=x' } });
    const [answer] = await askAll(
      [given({ session: {} }), web.json(), web.cookieParser(), web.csrf(), seen],
      [request],
    );
    assert.equal(answer!.status, 403);
  });
});

describe('threats: directory listing', () => {
  const list = (root: string): Handler[] => [web.directory(root)];

  test('CVE-2014-6393: markup in a file name is escaped, with charset and nosniff', async t => {
    const { uploadDir: root } = uploadDirectory(t);
    const name = '<img src=x onerror=alert(1)>&"\'.txt';
    fs.writeFileSync(path.join(root, name), '');
    fs.mkdirSync(path.join(root, '<b>'));
    const requests = [{}, { path: '/%3Cb%3E/' }];
    for (const answer of await askAll(list(root), requests)) {
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.doesNotMatch(answer.text, /<img src=x|<b>/);
    }
    const [text] = await askAll(list(root), [{ headers: { Accept: 'text/plain' } }]);
    assert.equal(text!.headers['x-content-type-options'], 'nosniff');
  });

  test('CVE-2014-6394: a root ends at its separator, and .. cannot leave it', async t => {
    const { uploadDir } = uploadDirectory(t);
    const root = path.join(uploadDir, 'public');
    fs.mkdirSync(root);
    fs.mkdirSync(path.join(uploadDir, 'public-restricted'));
    const paths = [
      '/../public-restricted/',
      '/..%2fpublic-restricted/',
      '/%2e%2e/',
      '/..\\',
      '/%2e%2e%2f',
      '/.%2e/x',
    ];
    for (const answer of await askAll(list(root), paths))
      assert.ok(answer.status >= 400, String(answer.status));
  });
});

describe('threats: header of responses', () => {
  test('CVE-2025-7339: writeHead sends a list of headers unchanged', async () => {
    const fields = ['X-A', '1', 'x-b', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'];
    const answer: Handler = (_req, res) => void res.writeHead(201, fields as never).end('x');
    const listening = [
      web.responseTime(),
      web.compress(),
      web.logger({ stream: { write: () => true } as never }),
    ];
    for (const link of listening) {
      const [got] = await askAll([link, answer], [{ headers: { 'Accept-Encoding': 'gzip' } }]);
      const sent = got!.rawHeaders.filter(([name]) => /^(?:x-[ab]|set-cookie)$/i.test(name));
      assert.equal(got!.status, 201);
      assert.deepEqual(sent.flat(), fields);
      assert.doesNotMatch(got!.raw, /^\d+:/m);
    }
  });
});

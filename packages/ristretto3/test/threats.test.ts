/** Known attacks on uploads, authentication, tokens, listings, signatures and response headers, by their ids. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import crypto from 'node:crypto';
import { FormParser } from 'ristretto3/lib/middleware/multipart/parser';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { sign } from 'cookie-signature';
import { assertLinear } from '../../engine/test/support/worst-case.js';
import { askAll, given, postJson, show, web } from './support/middleware.js';
import { bodyOf, BOUNDARY, form, uploadDirectory } from './support/multipart.js';
import type { Part } from './support/multipart.js';
import { each } from '../../engine/test/support/http.js';

const seen = show(req => [req.body as unknown, Object.keys((req as { files?: object }).files ?? {})]);
const file = (name: string, filename = 'x'): Part => ({ name, filename, value: 'content' });

describe('threats: multipart', () => {
  test('CVE-2026-8159: a file name of 8 kB takes linear time', () => {
    for (const filler of ['a', '\\', '\\"', '%22', '/', ' ', ';']) {
      assertLinear(
        length => {
          const filename = filler.repeat(length / filler.length);
          const body = bodyOf([
            { header: `Content-Disposition: form-data; name="f"; filename="${filename}"` },
          ]);
          return () => {
            try {
              return [...new FormParser(BOUNDARY).push(body)];
            } catch (error) {
              return error;
            }
          };
        },
        filler,
        // Four times this length is still within the limit of a header.
        3 * 1024,
        5,
      );
    }
  });

  test('CVE-2014-3744: path separators in a file name affect neither the stored path nor the name', async t => {
    const { uploadDir } = uploadDirectory(t);
    const names = [
      ...['../../evil.sh', '/etc/passwd', '..\\..\\evil', 'a/../..', '....//x', 'x.sh/../../y', '.%2e/x'],
    ];
    const read = show(req => (req as unknown as { files: { f: { path: string; name: string } } }).files.f);
    const requests = names.map(filename => form([file('f', filename)]));
    for (const answer of await askAll([web.multipart({ uploadDir, keepExtensions: true }), read], requests)) {
      const uploaded = JSON.parse(answer.text);
      assert.equal(path.dirname(uploaded.path), uploadDir);
      assert.match(path.basename(uploaded.path), /^[0-9a-f]{32}(\.\w+)?$/);
      assert.ok(!/[/\\]|^\.\.?$/.test(uploaded.name), uploaded.name);
    }
  });
});

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

const SECRET = 'keyboard cat';

describe('threats: signed cookies', () => {
  const signed = show(req => (req as unknown as { signedCookies: object }).signedCookies);
  const cookies = (...values: string[]) =>
    values.map(value => ({ headers: { Cookie: `a=${encodeURIComponent(`s:${value}`)}` } }));

  test('CVE-2016-1000236: the whole signature is compared, however much of it is correct', async t => {
    // Measuring time is not reliable in a test. Instead, either digests of both sides are compared, or both in constant
    // time.
    const seen = { digests: 0, comparisons: 0 };
    const { createHash, timingSafeEqual } = crypto;
    t.mock.method(crypto, 'createHash', (...args: Parameters<typeof createHash>) => {
      seen.digests++;
      return createHash(...args);
    });
    t.mock.method(crypto, 'timingSafeEqual', (...args: Parameters<typeof timingSafeEqual>) => {
      seen.comparisons++;
      return timingSafeEqual(...args);
    });
    const right = sign('tobi', SECRET);
    const wrong = [
      `${right.slice(0, -1)}x`,
      `tobi.${'x'.repeat(43)}`,
      sign('tobi', 'other'),
      sign('tobj', 'x'),
    ];
    const links = [web.cookieParser(SECRET), signed];
    const answers = await askAll(links, cookies(right, ...wrong));
    assert.deepEqual(each(answers, 'text'), ['{"a":"tobi"}', ...wrong.map(() => '{"a":false}')]);
    const compared = 1 + wrong.length;
    assert.ok(seen.comparisons === compared || seen.digests === 2 * compared, JSON.stringify(seen));
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

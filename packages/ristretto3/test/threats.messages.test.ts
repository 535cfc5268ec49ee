/** Known attacks on signatures and on response headers, by their ids. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { describe, test } from 'node:test';
import { sign } from 'cookie-signature';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, show, web } from './support/middleware.js';

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
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['{"a":"tobi"}', ...wrong.map(() => '{"a":false}')],
    );
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

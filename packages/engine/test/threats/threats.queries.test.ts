/** Attacks with queries and forms without brackets, for which there is a separate parser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import web from 'ristretto';
import { countParameters, parseExtended } from '@ristretto/private-engine/lib/protocol/query-string';
import { post } from '../support/body-parsers.js';
import { ask } from '../support/http.js';
import { assertLinear } from '../support/worst-case.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

describe('threats: queries', () => {
  test('CVE-2025-15284: a key repeated past the limit is not an array', () => {
    const { a, b } = parseExtended(`${'a=1&'.repeat(21)}${'b=1&'.repeat(20)}`);
    assert.deepEqual([Array.isArray(a), Object.keys(a as object).length], [false, 21]);
    assert.deepEqual([Array.isArray(b), (b as unknown[]).length], [true, 20]);
  });

  test('CVE-2025-15284: brackets past the limit do not make an array', () => {
    for (const key of ['a[]', 'a[%5D', '%61[]']) {
      const { a } = parseExtended(`${key}=1&`.replace('[%5D', '[]').repeat(21));
      assert.deepEqual([Array.isArray(a), Object.keys(a as object).length], [false, 21], key);
    }
    const keys = Array.from({ length: 30 }, (_, at) => `a[${at % 2 ? '' : at}]=${at}`);
    const { a } = parseExtended(keys.join('&'));
    assert.ok(!Array.isArray(a));
  });

  test('CVE-2022-24999: __proto__ is ignored without brackets', () => {
    for (const text of ['__proto__=x', '__proto__=x&__proto__=y&a=1', '%5f%5fproto__=x', '__proto__']) {
      const query = parseExtended(text);
      assert.equal(Object.getPrototypeOf(query), Object.prototype, text);
      assert.ok(!Object.hasOwn(query, '__proto__'), text);
    }
  });

  test('CVE-2025-13466: more parameters than the limit are rejected with 413', async () => {
    const app = web();
    app.use(web.urlencoded({ extended: true }) as never);
    app.use((req: Request, res: Response) => void res.json(Object.keys(req.body as object).length));
    app.set('env', 'production');
    const form = (count: number): string =>
      Array.from({ length: count }, (_, at) => `k${at.toString(36)}=`).join('&');
    assert.equal((await ask(app as never, post(FORM_TYPE, form(1000)))).text, '1000');
    assert.equal((await ask(app as never, post(FORM_TYPE, form(1001)))).status, 413);
    assert.equal(countParameters('&'.repeat(1000), 1000), undefined);
  });

  test('CVE-2025-13466: parameters that lack a bracket or an equals sign take linear time', () => {
    const limits = { parameterLimit: Infinity, arrayLimit: 1e6 };
    for (const piece of ['[&', ']&', '[a]&', '[a&', 'a[]&', '[=&', 'a]&', '&[']) {
      assertLinear(
        length => {
          const text = piece.repeat(length / piece.length);
          return () => parseExtended(text, limits);
        },
        JSON.stringify(piece),
        64 * 1024,
      );
    }
  });
});

// runs: each
/** `web.urlencoded`: parses forms in both syntaxes, with limits on parameters, depth and arrays. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { post, reporting, testCommonOptions } from '../support/body-parsers.js';
import { ask } from '../support/http.js';
import type { Answer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import { cpuTime } from '../support/cpu-time.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

async function sameForm(body: string, options: object = {}, type = FORM_TYPE): Promise<Answer> {
  return same(
    reporting(web => web.urlencoded({ extended: true, ...options })),
    post(type, body),
  );
}

async function formOf(body: string, options: object = {}): Promise<unknown> {
  const answer = await sameForm(body, options);
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text).body;
}

async function errorOf(
  body: string,
  options: object = {},
): Promise<{ status: number; type: string; body: string }> {
  const answer = await sameForm(body, options);
  return JSON.parse(answer.text);
}

describe('web.urlencoded', () => {
  testCommonOptions({
    member: 'urlencoded',
    type: FORM_TYPE,
    body: 'user=tobi',
    parsed: { user: 'tobi' },
    options: { extended: true },
  });

  test('extended: true parses nested keys', async () => {
    assert.deepEqual(await formOf('a=1&b[c]=2&d[]=3&a=4&e%5Bf%5D=+5'), {
      a: ['1', '4'],
      b: { c: '2' },
      d: ['3'],
      e: { f: ' 5' },
    });
    assert.deepEqual(await formOf('a[b]=1', { extended: undefined }), { a: { b: '1' } });
  });

  test('extended: false parses flat keys', async () => {
    assert.deepEqual(await formOf('a=1&b[c]=2&d[]=3&a=4', { extended: false }), {
      a: ['1', '4'],
      'b[c]': '2',
      'd[]': '3',
    });
  });

  test('empty body: becomes {} in both syntaxes', async () => {
    for (const extended of [true, false]) assert.deepEqual(await formOf('', { extended }), {});
  });

  test('extended: omitted warns and parses nested keys', async () => {
    const warnings: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text: string) => warnings.push(text) > 0;
    try {
      frameworks.ristretto.urlencoded();
    } finally {
      process.stderr.write = write;
    }
    assert.match(warnings.join(''), /undefined extended: provide extended option/);
    const parse = reporting(web => web.urlencoded())(frameworks.ristretto);
    assert.deepEqual(JSON.parse((await ask(parse, post(FORM_TYPE, 'a[b]=1'))).text).body, { a: { b: '1' } });
  });

  test('parameterLimit: 1000 is the default, and more is 413 with the body', async () => {
    for (const extended of [true, false]) {
      assert.ok(await formOf('a=1&'.repeat(999), { extended }));
      const body = 'a=1&'.repeat(1000);
      const error = await errorOf(body, { extended });
      assert.deepEqual([error.status, error.type, error.body], [413, 'parameters.too.many', body]);
    }
  });

  test('parameterLimit: may be a number, a numeric string, a fraction or Infinity', async () => {
    for (const extended of [true, false]) {
      for (const [parameterLimit, allowed] of [
        [3, 3],
        ['2', 2],
        [1.5, 1],
      ] as [number, number][]) {
        const body = Array.from({ length: allowed }, (_, at) => `k${String(at)}=v`).join('&');
        assert.ok(await formOf(body, { extended, parameterLimit }));
        assert.equal((await errorOf(`${body}&x=y`, { extended, parameterLimit })).status, 413);
        assert.equal((await errorOf('&'.repeat(allowed), { extended, parameterLimit })).status, 413);
      }
      const all = (await formOf('a=1&'.repeat(2000), { extended, parameterLimit: Infinity })) as {
        a: string[];
      };
      assert.equal(all.a.length, 2000);
      // Express takes the limit modulo 2 ** 32.
      const huge = reporting(web => web.urlencoded({ extended, parameterLimit: 2 ** 33 }));
      assert.equal((await ask(huge(frameworks.ristretto), post(FORM_TYPE, 'a=1&b=2'))).status, 200);
    }
  });

  test('parameterLimit: NaN or less than 1 throws when the parser is created', () => {
    for (const web of Object.values(frameworks)) {
      for (const extended of [true, false]) {
        for (const parameterLimit of [Number.NaN, 0, -1, 0.5, 'abc', null, false] as number[]) {
          assert.throws(() => web.urlencoded({ extended, parameterLimit }), {
            name: 'TypeError',
            message: 'option parameterLimit must be a positive number',
          });
        }
      }
    }
  });

  test('depth: is 32 levels by default, and more is 400 (CVE-2024-45590)', async () => {
    assert.ok(await formOf(`a${'[b]'.repeat(32)}=1`));
    const error = await errorOf(`a${'[b]'.repeat(33)}=1`);
    assert.deepEqual([error.status, error.type], [400, 'querystring.parse.rangeError']);
    assert.equal((await errorOf(`a${'[b]'.repeat(30_000)}=1`)).status, 400);
    assert.ok(await formOf(`a${'[b]'.repeat(33)}=1`, { extended: false }));
  });

  test('depth: numbers apply, 0 and false turn nesting off, and other values mean 5 levels', async () => {
    for (const [depth, levels] of [
      [1, 1],
      [2, 2],
      [1.5, 2],
      ['1', 5],
      [true, 5],
      [null, 5],
    ] as [number, number][]) {
      assert.ok(await formOf(`a${'[b]'.repeat(levels)}=1`, { depth }));
      assert.equal((await errorOf(`a${'[b]'.repeat(levels + 1)}=1`, { depth })).status, 400, String(depth));
    }
    for (const depth of [0, false]) assert.deepEqual(await formOf('a[b]=1', { depth }), { 'a[b]': '1' });
    assert.ok(await formOf(`a${'[b]'.repeat(50)}=1`, { depth: Infinity }));
  });

  test('depth: NaN or a negative number throws when an extended parser is created', () => {
    for (const web of Object.values(frameworks)) {
      for (const depth of [Number.NaN, -1, 'abc'] as number[]) {
        const options = { extended: true, depth } as object;
        assert.throws(() => web.urlencoded(options), {
          name: 'TypeError',
          message: 'option depth must be a zero or a positive number',
        });
        assert.doesNotThrow(() => web.urlencoded({ ...options, extended: false }));
      }
    }
  });

  test('arrays: have up to 100 elements, or as many as there are parameters, and become objects beyond', async () => {
    const { a } = (await formOf('a[]=1&'.repeat(150))) as { a: string[] };
    assert.equal(a.length, 150);
    assert.deepEqual(await formOf('a[99]=x'), { a: ['x'] });
    assert.deepEqual(await formOf('a[101]=x'), { a: { 101: 'x' } });
    assert.deepEqual(((await formOf('b=1&'.repeat(150) + 'a[149]=x')) as { a: string[] }).a, ['x']);
    assert.deepEqual(await formOf('a[999999999]=x'), { a: { 999999999: 'x' } });
  });

  test('charset: UTF-8 is accepted, others are 415', async () => {
    assert.equal((await sameForm('a=é&%c3%a9=b', {}, `${FORM_TYPE}; charset=UTF-8`)).status, 200);
    for (const extended of [true, false]) {
      for (const charset of ['iso-8859-1', 'utf-16', 'utf8', 'foo']) {
        const answer = await sameForm('a=%e9', { extended }, `${FORM_TYPE}; charset=${charset}`);
        assert.equal(answer.status, 415, charset);
        assert.equal(JSON.parse(answer.text).type, 'charset.unsupported');
      }
    }
  });

  test('decoding: plus signs, escapes, broken escapes, bare keys and byte order marks are decoded as in Express', async () => {
    for (const extended of [true, false]) {
      for (const body of [
        'a+b=c+d',
        'a=%zz&b=%e9',
        'a',
        'a&b=',
        '=x',
        '&&a=1&&',
        'a.b=c&x;y=1',
        '\ufeffa=1',
        'a=b=c',
      ]) {
        assert.equal((await sameForm(body, { extended })).status, 200);
      }
    }
  });

  test('prototypes: no name in the body changes a prototype', async () => {
    for (const extended of [true, false]) {
      await formOf('__proto__[x]=1&constructor[prototype][y]=2&toString=3&a[__proto__][z]=4', { extended });
      const untouched = {} as Record<string, unknown>;
      assert.deepEqual([untouched.x, untouched.y, untouched.z], [undefined, undefined, undefined]);
    }
  });

  test('CVE-2025-13466: thousands of parameters take linear time', async () => {
    const parse = reporting(web => web.urlencoded({ extended: true, parameterLimit: 1e6, limit: '10mb' }));
    const milliseconds = async (count: number): Promise<number> => {
      const body = Array.from({ length: count }, (_, at) => `k${String(at)}[]=v`).join('&');
      const start = cpuTime();
      const answer = await ask(parse(frameworks.ristretto), post(FORM_TYPE, body));
      assert.equal(answer.status, 200);
      return cpuTime() - start;
    };
    await milliseconds(2000);
    const small = await milliseconds(4000);
    assert.ok((await milliseconds(16_000)) < 16 * small + 50);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import bodyParser from '@ristretto/body-parser';
import bodyParser1 from '@ristretto/body-parser1';
import { ask } from '../../../engine/test/support/http.js';
import { application, errorHandler } from '../../test-support/frameworks.js';
import type { FrameworkName, Handler } from '../../test-support/frameworks.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

function app(parser: unknown, name: FrameworkName = 'http') {
  return application(name, [
    parser as Handler,
    (req, res) => res.end(JSON.stringify((req as unknown as { body: unknown }).body) ?? 'undefined'),
    errorHandler((error, _req, res, _next) => {
      const { status, type } = error as { status: number; type: string };
      res.statusCode = status;
      res.end(type);
    }),
  ]);
}

describe('body-parser', () => {
  for (const [name, parsers] of Object.entries({ 'body-parser': bodyParser, 'body-parser1': bodyParser1 })) {
    test(`${name}: a bomb is not decompressed beyond the limit`, async () => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
      const answer = await ask(app(parsers.json({ limit: '100kb' })), {
        method: 'POST',
        headers,
        body: gzipSync(Buffer.alloc(50_000_000)),
      });
      assert.deepEqual([answer.status, answer.text], [413, 'entity.too.large']);
    });

    test(`${name}: options that are not an object are no options`, async () => {
      for (const create of [parsers.json, parsers.raw, parsers.text, parsers.urlencoded])
        for (const options of [false, 0, '', true, 5, 'x', null]) create(options as never);
      const request = { method: 'POST', headers: FORM, body: 'a[b]=1' };
      const nests = parsers === bodyParser1;
      for (const options of [false, true]) {
        const { text } = await ask(app(parsers.urlencoded(options as never)), request);
        assert.equal(text, nests ? '{"a":{"b":"1"}}' : '{"a[b]":"1"}');
      }
    });

    test(`${name}: a charsetSentinel that is not true has no effect`, async () => {
      const body = 'utf8=%26%2310003%3B&a=%E9';
      for (const [charsetSentinel, expected] of [
        [true, '{"a":"é"}'],
        ['yes', '{"utf8":"&#10003;","a":"%E9"}'],
      ]) {
        const parser = parsers.urlencoded({ extended: true, charsetSentinel } as never);
        const { text } = await ask(app(parser), { method: 'POST', headers: FORM, body });
        assert.equal(text, name === 'body-parser1' ? '{"utf8":"&#10003;","a":"%E9"}' : expected);
      }
    });

    test(`${name}: a limit that no body would exceed is an error (CVE-2026-12590)`, () => {
      for (const limit of ['x', NaN, true])
        assert.throws(() => parsers.json({ limit: limit as string }), /option limit "\w+" is invalid/);
    });

    test(`${name}: deep forms are rejected (CVE-2024-45590)`, async () => {
      const body = `a${'[b]'.repeat(20_000)}=1`;
      const answer = await ask(app(parsers.urlencoded({ extended: true })), {
        method: 'POST',
        headers: FORM,
        body,
      });
      assert.equal(answer.status, 400);
    });

    test(`${name}: forms with many parameters are rejected in time (CVE-2025-13466)`, async () => {
      const body = 'a=1&'.repeat(20_000);
      const start = performance.now();
      const answer = await ask(app(parsers.urlencoded({ extended: true })), {
        method: 'POST',
        headers: FORM,
        body,
      });
      assert.deepEqual([answer.status, answer.text], [413, 'parameters.too.many']);
      assert.ok(performance.now() - start < 2000);
    });

    test(`${name}: a damaged body in an unknown charset is 415, and nothing is thrown later (CVE-2026-111181)`, async () => {
      const server = app(parsers.text({ verify: () => undefined }));
      const headers = { 'Content-Type': 'text/plain; charset=foo', 'Content-Encoding': 'gzip' };
      const body = gzipSync(Buffer.alloc(50_000)).fill(0xff, 20);
      const answer = await ask(server, { method: 'POST', headers, body });
      assert.deepEqual([answer.status, answer.text], [415, 'charset.unsupported']);
      // An error of a decoder without a listener would end the process.
      await new Promise(resolve => setTimeout(resolve, 20));
    });

    test(`${name}: keys of forms do not reach prototypes`, async () => {
      const body = '__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1';
      await ask(app(parsers.urlencoded({ extended: true })), { method: 'POST', headers: FORM, body });
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    });

    test(`${name}: a body that is cut off causes no second response`, async () => {
      const answer = await ask(app(parsers.json()), {
        method: 'POST',
        headers: { ...JSON_TYPE, 'Content-Length': '5' },
        body: '{}\n\n\n',
      });
      assert.equal(answer.text, '{}');
    });
  }

  test('body-parser: req.body is undefined without a body; with body-parser1 it is {}', async () => {
    assert.equal((await ask(app(bodyParser.json()))).text, 'undefined');
    assert.equal((await ask(app(bodyParser1.json()))).text, '{}');
  });

  test('body-parser: bodyParser() reports that it was split', () => {
    assert.throws(() => bodyParser(), /has been split into individual middleware/);
    assert.equal(bodyParser.json().name, 'jsonParser');
  });

  test('body-parser1: bodyParser() parses JSON and forms', async () => {
    const server = app(bodyParser1({ extended: false }), 'express4');
    assert.equal(
      (await ask(server, { method: 'POST', headers: JSON_TYPE, body: '{"a":1}' })).text,
      '{"a":1}',
    );
    assert.equal((await ask(server, { method: 'POST', headers: FORM, body: 'a=1' })).text, '{"a":"1"}');
  });

  test('body-parser1: without options, forms are nested, and an error of the first parser is passed on', async () => {
    for (const parser of [bodyParser1(), bodyParser1.urlencoded(), bodyParser1.urlencoded({ limit: 100 })]) {
      const form = { method: 'POST', headers: FORM, body: 'a[b]=1' };
      assert.equal((await ask(app(parser, 'express4'), form)).text, '{"a":{"b":"1"}}');
    }
    const broken = await ask(app(bodyParser1()), { method: 'POST', headers: JSON_TYPE, body: '{' });
    assert.deepEqual([broken.status, broken.text], [400, 'entity.parse.failed']);
  });
});

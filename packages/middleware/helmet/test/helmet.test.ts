import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import helmet from '@ristretto/helmet';
import original from 'helmet';
import { ask } from '../../../engine/test/support/http.js';
import { askHttp2 } from '../../../engine/test/support/http2.js';
import { application, errorHandler } from '../../test-support/frameworks.js';

const POLICY = 'content-security-policy';

/** Returns the headers that a middleware sets on a response. */
async function headersWith(middleware: ReturnType<typeof helmet>): Promise<Record<string, string>> {
  const { headers } = await ask(
    application('http', [
      (req, res, next) => middleware(req, res, next),
      (_req, res) => res.end(),
      errorHandler((error, _req, res, _next) => res.end(String(error))),
    ]),
  );
  return headers;
}

describe('helmet', () => {
  test('helmet: exports the members of the original, for import and for require', async () => {
    const members = Object.keys(original);
    assert.deepEqual(Object.keys(helmet), members);
    const imported = Object.keys((await import('@ristretto/helmet')) as object);
    for (const name of members) assert.ok(imported.includes(name), name);
    assert.equal(helmet.default, helmet);
    assert.equal(helmet.hsts, helmet.strictTransportSecurity);
  });

  test('helmet: middleware has the names that tracers show', () => {
    assert.equal(helmet().name, 'helmetMiddleware');
    assert.equal(helmet.hsts().name, 'strictTransportSecurityMiddleware');
    assert.equal(helmet.contentSecurityPolicy().name, 'contentSecurityPolicyMiddleware');
  });

  test('helmet: sets the same headers on responses of http2', async () => {
    const middleware = helmet();
    const { headers } = await askHttp2((req: http.IncomingMessage, res: http.ServerResponse) =>
      middleware(req, res, () => res.end('ok')),
    );
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains');
    assert.match(String(headers[POLICY]), /^default-src 'self';/);
  });

  test('helmet: a value that no response accepts throws when the middleware is created', () => {
    for (const value of ['a\nb', 'a\0', '漢'])
      assert.throws(() => helmet.contentSecurityPolicy({ directives: { scriptSrc: [value] } }), {
        code: 'ERR_INVALID_CHAR',
      });
  });

  test('helmet: errors about values of a wrong type contain the header name', () => {
    assert.throws(() => helmet(null as never), /expected an object of options, got null/);
    assert.throws(() => helmet(5 as never), /expected an object of options, got 5/);
    assert.doesNotThrow(() => helmet(Object.create(null) as object));
    assert.throws(() => helmet({ hsts: null as never }), /Strict-Transport-Security: .* got null/);
    assert.throws(
      () => helmet.contentSecurityPolicy({ directives: { scriptSrc: 5 as never } }),
      /Content-Security-Policy: expected the value of "script-src" .* got 5/,
    );
    assert.throws(() => helmet.referrerPolicy({ policy: 5 as never }), /Referrer-Policy: .* got 5/);
  });

  test('helmet: app.use(helmet) is an error that says what to write', () => {
    assert.throws(
      () => helmet(new http.IncomingMessage(undefined as never) as never),
      /it should be `app.use\(helmet\(\)\)`/,
    );
  });

  test('helmet: values returned by functions cannot end the directive', async () => {
    for (const text of ["a; script-src 'unsafe-inline'", "a, script-src 'unsafe-inline'"]) {
      const headers = await headersWith(
        helmet.contentSecurityPolicy({ directives: { imgSrc: [() => text] } }) as never,
      );
      assert.equal(headers[POLICY], undefined);
    }
  });

  test('helmet: an error thrown by a function, or a value that is not a string, goes to next', async () => {
    const failures = [
      () => {
        throw new Error('no nonce');
      },
      () => 5 as never,
      () => undefined as never,
    ];
    for (const fails of failures) {
      const middleware = helmet({ contentSecurityPolicy: { directives: { scriptSrc: [fails] } } });
      const error = await new Promise(resolve => {
        middleware({} as never, { setHeader: () => assert.fail('a header was set') } as never, resolve);
      });
      assert.ok(error instanceof Error);
    }
  });

  test('helmet: a value from one request does not reach the next (GHSA-c3m8-x3cg-qm2c)', async () => {
    let nonce = 0;
    const middleware = helmet({
      contentSecurityPolicy: { directives: { scriptSrc: ["'self'", () => `'nonce-${++nonce}'`] } },
    });
    for (const expected of [1, 2, 3]) {
      const headers = await headersWith(middleware);
      assert.match(headers[POLICY]!, new RegExp(`;script-src 'self' 'nonce-${expected}';`));
    }
  });

  test('helmet: later changes to options and default directives have no effect', async () => {
    const scriptSrc = ["'self'"];
    const middleware = helmet.contentSecurityPolicy({ directives: { scriptSrc } });
    scriptSrc.push("'unsafe-eval'");
    (helmet.contentSecurityPolicy.getDefaultDirectives()['img-src'] as string[]).push('*');
    const headers = await headersWith(middleware as never);
    assert.match(headers[POLICY]!, /;script-src 'self';/);
    assert.match(headers[POLICY]!, /;img-src 'self' data:;/);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import sameOrigin from '@ristretto/same-origin';
import { ask } from '../../../engine/test/support/http.js';
import { application, errorHandler, FRAMEWORKS } from '../../test-support/frameworks.js';
import type { FrameworkName, Handler } from '../../test-support/frameworks.js';
import { words } from '../../../engine/test/support/random.js';

type Options = Parameters<typeof sameOrigin>[0];

function app(options?: Options, name: FrameworkName = 'http') {
  const reports = errorHandler((error, _req, res, _next) => {
    const { status, type, message } = error as { status: number; type: string; message: string };
    res.statusCode = status;
    res.end(`${type} ${message}`);
  });
  return application(name, [sameOrigin(options) as Handler, (_req, res) => res.end('passed'), reports]);
}

/** Returns the status of a request to bank.example. */
async function statusOf(
  headers: Record<string, string>,
  options?: Options,
  path = '/transfers',
  method = 'POST',
) {
  const answer = await ask(app(options), { method, path, headers: { Host: 'bank.example', ...headers } });
  return answer.status;
}

describe('same-origin', () => {
  test('same-origin: requests from the origin, the user and programs pass on every framework', async () => {
    for (const name of FRAMEWORKS)
      for (const headers of [
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://bank.example' },
        { 'Sec-Fetch-Site': 'none' },
        { Origin: 'https://bank.example' },
        { Origin: 'http://bank.example' },
        {},
      ] as Record<string, string>[]) {
        const answer = await ask(app({}, name), {
          method: 'POST',
          headers: { Host: 'bank.example', ...headers },
        });
        assert.equal(answer.text, 'passed', `${name} ${JSON.stringify(headers)}`);
      }
  });

  test('same-origin: requests from other origins are rejected with 403 and the reason', async () => {
    const reasons: Record<string, Record<string, string>> = {
      'Sec-Fetch-Site is cross-site': { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      'Sec-Fetch-Site is same-site': { 'Sec-Fetch-Site': 'same-site', Origin: 'https://bank.example' },
      'Sec-Fetch-Site is odd': { 'Sec-Fetch-Site': 'odd' },
      'Origin is https://evil.example, and Host is bank.example': { Origin: 'https://evil.example' },
      'Origin is null, and Host is bank.example': { Origin: 'null' },
    };
    for (const name of FRAMEWORKS)
      for (const [reason, headers] of Object.entries(reasons)) {
        const answer = await ask(app({}, name), {
          method: 'POST',
          headers: { Host: 'bank.example', ...headers },
        });
        assert.equal(answer.status, 403);
        assert.equal(answer.text, `origin.rejected Cross-origin request rejected: ${reason}`);
      }
  });

  test('same-origin: origins that contain the host, or differ in the port, are rejected', async () => {
    for (const Origin of words(`https://bank.example.evil.example https://evil-bank.example https://bank.example:8443
      http://bank.example:443 https://bank.example@evil.example bank.example https:// file://
      https://bank.example.`))
      assert.equal(await statusOf({ Origin }), 403, Origin);
  });

  test('same-origin: over HTTP/2, compares with :authority, and rejects requests without any host', () => {
    const objectionTo = (headers: Record<string, string>): string | undefined => {
      let objection: string | undefined;
      const check = sameOrigin() as unknown as (
        req: object,
        res: object,
        next: (error?: Error) => void,
      ) => void;
      check({ method: 'POST', headers }, {}, error => (objection = error?.message));
      return objection;
    };
    const origin = 'https://bank.example';
    assert.equal(objectionTo({ ':authority': 'bank.example', origin }), undefined);
    assert.match(objectionTo({ ':authority': 'evil.example', origin })!, /and Host is missing/);
    assert.match(objectionTo({ origin })!, /Origin is https:\/\/bank\.example, and Host is missing/);
  });

  test('same-origin: case and the default port of the scheme do not matter', async () => {
    assert.equal(await statusOf({ Origin: 'https://bank.example', Host: 'Bank.Example' }), 200);
    assert.equal(await statusOf({ Origin: 'https://bank.example', Host: 'bank.example:443' }), 200);
    assert.equal(await statusOf({ Origin: 'https://bank.example', Host: 'bank.example:80' }), 403);
    assert.equal(await statusOf({ Origin: 'http://[::1]:3000', Host: '[::1]:3000' }), 200);
  });

  test('same-origin: GET, HEAD and OPTIONS pass, other methods do not', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      assert.equal(await statusOf(headers, {}, '/', method), 200);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
      assert.equal(await statusOf(headers, {}, '/', method), 403, method);
  });

  test('same-origin: trusted origins pass, whatever Sec-Fetch-Site says', async () => {
    const options = { trustedOrigins: ['https://admin.example.com', 'http://localhost:5173'] };
    for (const Origin of options.trustedOrigins) {
      assert.equal(await statusOf({ Origin }, options), 200);
      assert.equal(await statusOf({ Origin, 'Sec-Fetch-Site': 'cross-site' }, options), 200);
    }
    assert.equal(await statusOf({ Origin: 'https://admin.example.com.evil.example' }, options), 403);
    assert.equal(await statusOf({ Origin: 'http://admin.example.com' }, options), 403);
  });

  test('same-origin: bypass accepts paths, path prefixes, patterns and functions', async () => {
    const options: Options = {
      bypass: ['/saml', '/hooks/*', /^\/v\d+\/callback$/, req => req.headers['x-signature'] === 'right'],
    };
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    for (const path of ['/saml', '/saml?a=/b', '/hooks/a', '/hooks/a/b', '/v2/callback'])
      assert.equal(await statusOf(headers, options, path), 200, path);
    assert.equal(await statusOf({ ...headers, 'X-Signature': 'right' }, options), 200);
    for (const path of ['/saml/', '/samlx', '/SAML', '/hooks', '/hooksx', '/x?/hooks/a', '/v2/callback/x'])
      assert.equal(await statusOf(headers, options, path), 403, path);
  });

  test('same-origin: paths below a bypassed one that may be read as another path are rejected', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    for (const path of [
      ...words(`/hooks/../transfers /hooks/%2e%2e/transfers /hooks/.%2E/transfers /hooks/..%2ftransfers
        /hooks/..%5ctransfers /hooks//transfers`),
      '/hooks/..\\transfers',
    ])
      assert.equal(await statusOf(headers, { bypass: ['/hooks/*'] }, path), 403, path);
  });

  test('same-origin: below a mount path, bypass matches the whole path', async () => {
    const express = application('express4', [
      (req, res, next) => {
        Object.assign(req, { originalUrl: `/api${req.url!}` });
        (sameOrigin({ bypass: ['/api/hook'] }) as Handler)(req, res, next);
      },
      (_req, res) => res.end('passed'),
    ]);
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await ask(express, { method: 'POST', path: '/hook', headers })).text, 'passed');
  });

  test('same-origin: options that could never work throw an error with the value', () => {
    const fails = (options: unknown, message: RegExp) =>
      assert.throws(() => sameOrigin(options as Options), message);
    for (const origin of [
      ...words('example.com https://a.test/ https://a.test/path * null https://*.a.test'),
      5,
      null,
      'file:///x',
    ].slice(0, 5))
      fails(
        { trustedOrigins: [origin] },
        /expected trusted origins such as https:\/\/example.com, without a path, got/,
      );
    fails({ trustedOrigins: [5] }, /got 5/);
    fails(
      { trustedOrigins: 'https://a.test' },
      /expected trustedOrigins to be an array, got https:\/\/a.test/,
    );
    fails(
      { bypass: ['hooks'] },
      /expected paths that begin with \/, patterns or functions in bypass, got hooks/,
    );
    fails({ bypass: [/x/g] }, /must not have the flags g and y/);
    fails({ allow: [] }, /there is no option allow; the options are trustedOrigins and bypass/);
    fails(null, /expected an object of options, got null/);
  });

  test('same-origin: can be imported and required', () => {
    const program = "import sameOrigin from '@ristretto/same-origin'; console.log(typeof sameOrigin)";
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: __dirname,
      env: { ...process.env, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    assert.equal(out, 'function\n');
    assert.equal(sameOrigin().name, 'sameOriginMiddleware');
  });
});

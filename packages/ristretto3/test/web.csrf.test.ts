/** `web.csrf`: which requests need a token, where it may be, and which tokens are rejected. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import type { Ask } from '../../engine/test/support/http.js';
import { askAll, given, loose, post, postJson, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

type Options = Parameters<Web['csrf']>[0];

const token: Handler = show(req => (req as unknown as { csrfToken(): string }).csrfToken());
const answer = show(() => 'ok');

/** A chain that shares a session, so that a token from one request is valid in the next. */
const protectedBy =
  (session: object, handler = answer, options?: Options) =>
  (web: Web) => [
    given({ session }),
    web.query() as unknown as Handler,
    web.json(),
    web.urlencoded(),
    web.csrf(options),
    handler,
  ];

async function tokenOf(session: object): Promise<string> {
  const [first] = await askAll(protectedBy(session, token)(web), [{}]);
  return JSON.parse(first!.text);
}

const statuses = (answers: { status: number }[]) => answers.map(one => one.status);

describe('web.csrf', () => {
  test('methods: GET, HEAD and OPTIONS need no token', async () => {
    const requests = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'].map(method => ({
      method,
    }));
    const answers = await sameEach(protectedBy({}), requests);
    assert.deepEqual(statuses(answers), [200, 200, 200, 403, 403, 403, 403, 403]);
    assert.equal(answers[3]!.text, '403 invalid csrf token EBADCSRFTOKEN');
  });

  test('token: is read from the body, the query and the headers', async () => {
    const session = {};
    const value = await tokenOf(session);
    const requests: Ask[] = [
      postJson({ _csrf: value }),
      post('application/x-www-form-urlencoded', `_csrf=${value}`),
      { method: 'POST', path: `/?_csrf=${value}` },
      ...['X-CSRF-Token', 'CSRF-Token', 'X-XSRF-Token', 'XSRF-Token'].map(name => ({
        method: 'POST',
        headers: { [name]: value },
      })),
    ];
    // Each accepts the other's tokens, so sessions survive a migration.
    assert.deepEqual(new Set(statuses(await sameEach(protectedBy(session), requests))), new Set([200]));
  });

  test('token: differs for each form, and each is valid only in its session', async () => {
    const session = {};
    const tokens = [await tokenOf(session), await tokenOf(session)];
    assert.notEqual(tokens[0], tokens[1]);
    const requests = tokens.map(value => postJson({ _csrf: value }));
    assert.deepEqual(statuses(await sameEach(protectedBy(session), requests)), [200, 200]);
    assert.deepEqual(statuses(await sameEach(protectedBy({}), requests)), [403, 403]);
  });

  test('token: a wrong or non-string token is rejected', async () => {
    const session = {};
    const value = await tokenOf(session);
    const wrong = ['x', '', null, 1, {}, [value], `${value}x`, value.slice(1)].map(one =>
      postJson({ _csrf: one }),
    );
    assert.deepEqual(new Set(statuses(await askAll(protectedBy(session)(web), wrong))), new Set([403]));
  });

  test('value: reads the token', async () => {
    const session = {};
    const options: Options = { value: req => req.headers['x-mine'] };
    const value = await tokenOf(session);
    const answers = await sameEach(protectedBy(session, answer, options), [
      { method: 'POST', headers: { 'X-Mine': value } },
      { method: 'POST', headers: { 'X-CSRF-Token': value } },
    ]);
    assert.deepEqual(statuses(answers), [200, 403]);
  });

  test('ignoreMethods: exempts these methods and no others', async () => {
    const build = protectedBy({}, answer, { ignoreMethods: ['post'] });
    assert.deepEqual(statuses(await sameEach(build, [{ method: 'POST' }, { method: 'GET' }])), [200, 403]);
  });

  test('sessionKey: is the name of the session property', async () => {
    const build = (web: Web) => [given({ mine: {} }), web.csrf({ sessionKey: 'mine' }), answer];
    assert.equal((await askAll(build(web), [{}]))[0]!.status, 200);
  });

  test('session: is required, else sends 500', async () => {
    const [none] = await askAll([web.csrf(), answer], [{}]);
    assert.match(none!.text, /^500 misconfigured csrf/);
  });

  test('session: a token belongs to the session at the time the token is requested', async () => {
    const next = {};
    const login: Handler = (req, res, done) => {
      req.session = next;
      token(req, res, done);
    };
    const [given] = await askAll(protectedBy({}, login)(web), [{}]);
    const request = postJson({ _csrf: JSON.parse(given!.text) });
    assert.deepEqual(statuses(await askAll(protectedBy(next)(web), [request])), [200]);
  });

  test('method override: a POST overridden to GET needs a token (Express 3 lets it pass)', async () => {
    const build = (web: Web) => [
      given({ session: {} }),
      web.json(),
      web.methodOverride(),
      web.csrf(),
      answer,
    ];
    const answers = await askAll(build(web), [postJson({ _method: 'GET' }), postJson({ _method: 'DELETE' })]);
    assert.deepEqual(statuses(answers), [403, 403]);
  });

  test('cookie: is rejected, since a secret in a cookie is not bound to a session', () => {
    assert.throws(
      () => loose(web.csrf)({ cookie: true }),
      /^TypeError: csrf\(\) keeps its secret in the session/,
    );
    assert.doesNotThrow(() => loose(web.csrf)({ cookie: false }));
  });
});

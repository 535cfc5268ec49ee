// runs: built
/**
 * docs/recipes/ about access control: tokens, OpenID Connect, CORS, CSRF, rate limits, redirects to https and
 * webhooks.
 */
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { SignJWT, createLocalJWKSet, exportJWK, generateKeyPair } from 'jose';
import { allowInsecureRequests, discovery } from 'openid-client';
import web from 'ristretto';
import type { RequestHandler } from 'ristretto';
import { project, serving } from './recipes';
import type { Load } from './recipes';

type Verify = (token: string) => unknown;
type Key = Parameters<SignJWT['sign']>[0];

/** An OpenID Connect provider with one user, who agrees to everything. */
async function createProvider() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Set<string>();
  const app = web().set('env', 'test');
  app.get('/.well-known/openid-configuration', (req, res) => {
    const issuer = `http://${req.get('Host')}`;
    res.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
    });
  });
  app.get('/jwks', (req, res) => res.json({ keys: [jwk] }));
  app.get('/authorize', (req, res) => {
    const { redirect_uri, state, code_challenge } = req.query as Record<string, string>;
    assert.ok(code_challenge);
    const code = randomUUID();
    codes.add(code);
    res.redirect(`${redirect_uri}?code=${code}&state=${state}`);
  });
  app.post('/token', web.urlencoded({ extended: false }), async (req, res) => {
    if (!codes.delete(req.body.code)) return res.status(400).json({ error: 'invalid_grant' });
    const token = await new SignJWT({ email: 'ada@example.com' })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(`http://${req.get('Host')}`)
      .setSubject('ada')
      .setAudience('books')
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
    res.json({ access_token: 'x', token_type: 'Bearer', id_token: token });
  });
  return app;
}

describe('recipes', () => {
  test('authentication: random tokens are looked up, and can be revoked', async () => {
    const { load } = await project('recipes/authentication');
    const { createApp } = await load<Load<[Verify]>>('app.js');
    const { Tokens } = await load<{
      Tokens: new () => { issue(user: object): string; revoke(token: string): void; verify: Verify };
    }>('tokens.js');
    const tokens = new Tokens();
    const app = createApp(token => tokens.verify(token));
    const token = tokens.issue({ id: 'ada', scopes: ['books:write'] });
    const weak = tokens.issue({ id: 'bob', scopes: [] });
    const me = (value?: string) =>
      app.inject({ url: '/api/me', headers: value === undefined ? {} : { Authorization: value } });
    assert.deepEqual((await me(`Bearer ${token}`)).json(), { id: 'ada' });
    const without = await me();
    assert.deepEqual([without.status, without.headers['www-authenticate']], [401, 'Bearer']);
    const wrong = await me('Bearer wrong');
    assert.equal(wrong.headers['www-authenticate'], 'Bearer error="invalid_token"');
    const remove = (value: string) =>
      app.inject({ method: 'DELETE', url: '/api/books/1', headers: { Authorization: `Bearer ${value}` } });
    assert.deepEqual([(await remove(weak)).status, (await remove(token)).status], [403, 204]);
    tokens.revoke(token);
    assert.equal((await me(`Bearer ${token}`)).status, 401);
  });

  test('authentication: basic auth accepts the name and password, and asks for them otherwise', async () => {
    const { load } = await project('recipes/authentication');
    const { basicAuth } = await load<{ basicAuth(credentials: string): RequestHandler }>('basic.js');
    const app = web().use(basicAuth('ada:s3cret'), (_req, res) => void res.send('in'));
    const status = async (credentials?: string) => {
      const authorization = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
      return (await app.inject({ url: '/', headers: credentials === undefined ? {} : { authorization } }))
        .status;
    };
    assert.deepEqual(
      [await status('ada:s3cret'), await status('ada:wrong'), await status(':'), await status()],
      [200, 401, 401, 401],
    );
    assert.match(
      (await app.inject('/')).headers['www-authenticate'] as string,
      /^Basic realm="admin", charset="UTF-8"$/,
    );
  });

  test('authentication: a JWT is accepted only from its issuer, for this audience, before it expires', async () => {
    const { load } = await project('recipes/authentication');
    const { createApp } = await load<Load<[Verify]>>('app.js');
    const { jwtVerifier } = await load<{ jwtVerifier(key: unknown, names: object): Verify }>('tokens.js');
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256' }] });
    const names = { issuer: 'https://id.example.com', audience: 'books' };
    const app = createApp(jwtVerifier(keys, names));
    const status = async (key: Key, given: object, alg = 'RS256', end = '1m') => {
      const { issuer, audience } = { ...names, ...given };
      const token = await new SignJWT({ scope: 'books:write' })
        .setProtectedHeader({ alg })
        .setSubject('ada')
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(end)
        .sign(key);
      return (await app.inject({ url: '/api/me', headers: { Authorization: `Bearer ${token}` } })).status;
    };
    assert.equal(await status(privateKey, {}), 200);
    assert.equal(await status(privateKey, { issuer: 'https://other.example.com' }), 401);
    assert.equal(await status(privateKey, { audience: 'films' }), 401);
    assert.equal(await status(privateKey, {}, 'RS256', '1m ago'), 401);
    assert.equal(await status((await generateKeyPair('RS256')).privateKey, {}), 401);
    assert.equal(await status(new Uint8Array(32), {}, 'HS256'), 401);
  });

  test('openid-connect: a login needs the browser that began it', async () => {
    const { load } = await project('recipes/openid-connect');
    const { createApp } = await load<Load<[object]>>('app.js');
    await serving(await createProvider(), async issuer => {
      const options = { execute: [allowInsecureRequests] };
      const config = await discovery(new URL(issuer), 'books', 'secret', undefined, options);
      const app = createApp({ config, origin: 'http://localhost:3000', secret: 'a secret of the test' });
      app.set('env', 'test');
      const begun = await app.inject('/login');
      const sid = begun.cookies[0]?.value ?? '';
      const agreed = await fetch(String(begun.headers.location), { redirect: 'manual' });
      const { pathname, search } = new URL(agreed.headers.get('location') ?? '');
      const url = pathname + search;
      assert.equal((await app.inject(url)).headers.location, '/login');
      const done = await app.inject({ url, cookies: { sid } });
      assert.equal(done.headers.location, '/me');
      const user = done.cookies[0]?.value ?? '';
      assert.notEqual(user, sid);
      const me = await app.inject({ url: '/me', cookies: { sid: user } });
      assert.deepEqual(me.json(), { id: 'ada', email: 'ada@example.com' });
      const again = await app.inject('/login');
      const other = again.cookies[0]?.value ?? '';
      const forged = await app.inject({ url, cookies: { sid: other } });
      assert.equal(forged.status, 401);
    });
  });

  test('cors: named origins may read responses and send credentials', async () => {
    const { load } = await project('recipes/cors');
    const { createApp } = await load<Load<[]>>('app.js');
    const app = createApp();
    const preflight = (Origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/api/orders/1',
        headers: { Origin, 'Access-Control-Request-Method': 'DELETE' },
      });
    const allowed = await preflight('https://app.example.com');
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers['access-control-allow-origin'], 'https://app.example.com');
    assert.equal(allowed.headers['access-control-max-age'], '600');
    const other = await preflight('https://evil.example.com');
    assert.equal(other.headers['access-control-allow-origin'], undefined);
    const headers = { Origin: 'https://app.example.com' };
    const rejected = await app.inject({ url: '/api/orders', headers });
    assert.deepEqual(
      [rejected.status, rejected.headers['access-control-allow-credentials'], rejected.headers.vary],
      [401, 'true', 'Origin'],
    );
    const open = await app.inject({ url: '/public/rates', headers });
    assert.equal(open.headers['access-control-allow-origin'], '*');
  });

  test('csrf: requests from other origins are rejected, those from programs and our own pages are not', async () => {
    const { load } = await project('recipes/csrf');
    const { createApp } = await load<Load<[]>>('app.js');
    const app = createApp().set('env', 'test');
    const post = async (headers: Record<string, string>) =>
      (await app.inject({ method: 'POST', url: 'https://bank.example/transfers', headers })).status;
    assert.equal(await post({}), 201);
    assert.equal(await post({ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://bank.example' }), 201);
    assert.equal(await post({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }), 403);
    assert.equal(await post({ 'Sec-Fetch-Site': 'same-site', Origin: 'https://x.bank.example' }), 403);
    assert.equal(await post({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://admin.example.com' }), 201);
    assert.equal(await post({ Origin: 'https://bank.example' }), 201);
    assert.equal(await post({ Origin: 'https://evil.example' }), 403);
    assert.equal(await post({ Origin: 'null' }), 403);
    assert.equal((await app.inject({ url: '/transfers', headers: { Origin: 'null' } })).status, 200);
  });

  test('rate-limits: failed logins count by account, requests by client', async () => {
    const { load } = await project('recipes/rate-limits');
    const { createApp } = await load<Load<[object]>>('app.js');
    const app = createApp({
      checkPassword: async (name: string, password: string) => password === 'right',
    });
    app.set('env', 'test');
    const login = async (name: string, password: string, address: string) =>
      (
        await app.inject({
          method: 'POST',
          url: '/login',
          headers: { 'X-Forwarded-For': address },
          body: { name, password },
        })
      ).status;
    for (let count = 0; count < 5; count++)
      assert.equal(await login('Ada', 'guess', `192.0.2.${count}`), 401);
    assert.equal(await login('ada', 'guess', '192.0.2.9'), 429);
    assert.equal(await login('bob', 'right', '192.0.2.9'), 204);
    const report = (headers: Record<string, string>) => app.inject({ url: '/api/reports', headers });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++)
      statuses.push((await report({ 'X-Forwarded-For': `2001:db8::${count}` })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    const other = await report({ 'X-Forwarded-For': '2001:db8:1::1' });
    assert.equal(other.status, 200);
    assert.match(String(other.headers.ratelimit), /r=1/);
    assert.equal((await app.inject('/livez')).status, 200);
  });

  test('https-redirect: redirects to the configured host only, and never a request with a body', async () => {
    const { load } = await project('recipes/https-redirect');
    const { createApp } = await load<Load<[object]>>('app.js');
    const app = createApp({ host: 'www.example.com' });
    const plain = await app.inject({ url: 'http://evil.example/a?b=c', headers: {} });
    assert.deepEqual([plain.status, plain.headers.location], [308, 'https://www.example.com/a?b=c']);
    const twice = await app.inject({ url: 'http://www.example.com//evil.example/' });
    assert.equal(twice.headers.location, 'https://www.example.com//evil.example/');
    assert.equal((await app.inject({ method: 'POST', url: '/hello', body: 'x' })).status, 403);
    const secure = await app.inject({
      url: '/hello',
      headers: { Host: 'www.example.com', 'X-Forwarded-Proto': 'https' },
    });
    assert.deepEqual([secure.status, secure.headers['strict-transport-security']], [200, 'max-age=31536000']);
    assert.equal((await app.inject('/livez')).status, 200);
  });

  test('webhooks: events are accepted only with a recent signature of their bytes', async () => {
    const { load } = await project('recipes/webhooks');
    const { createApp } = await load<Load<[object]>>('app.js');
    const events: unknown[] = [];
    const now = () => 1_700_000_000_000;
    const secret = 'a secret of the test';
    const app = createApp({ secret, now, enqueue: async (event: unknown) => void events.push(event) });
    const send = async (body: string, time = '1700000000', key = secret) => {
      const v1 = createHmac('sha256', key).update(`${time}.${body}`).digest('hex');
      const headers = {
        'Webhook-Signature': `t=${time},v1=${v1}`,
        'Content-Type': 'application/json',
      };
      return (await app.inject({ method: 'POST', url: '/webhooks', headers, body })).status;
    };
    assert.equal(await send('{ "id":  1 }'), 204);
    assert.equal(await send('{"id":2}', '1699999000'), 401);
    assert.equal(await send('{"id":3}', '1700000000', 'another'), 401);
    assert.equal(await send('{"id":3}', 'now'), 401);
    assert.equal((await app.inject({ method: 'POST', url: '/webhooks', body: { id: 4 } })).status, 401);
    assert.equal((await app.inject({ method: 'POST', url: '/webhooks' })).status, 401);
    assert.deepEqual(events, [{ id: 1 }]);
    assert.deepEqual((await app.inject({ url: '/orders', body: { a: 1 } })).json(), { a: 1 });
  });
});

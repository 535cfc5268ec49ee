/** better-auth with its handler for Node.js and an in-memory store. */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['better-auth'],
  exercised:
    'toNodeHandler on a wildcard path, before and behind express.json, and in a router: sign-up, sign-in, sessions and their cookies, wrong passwords and origins, sign-out; fromNodeHeaders in a route',
  express: [5],

  async run({ listen, request }) {
    const express = require('express');
    const { betterAuth } = await import('better-auth');
    const { memoryAdapter } = await import('better-auth/adapters/memory');
    const { fromNodeHeaders, toNodeHandler } = await import('better-auth/node');
    const { client, without } = require('../frameworks/support/client.cjs');
    const auth = betterAuth({
      baseURL: 'http://localhost',
      secret: 'a secret of this test that is long enough for it',
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      emailAndPassword: { enabled: true },
      telemetry: { enabled: false },
      logger: { disabled: true },
    });
    const app = express();
    app.all('/api/auth/{*any}', toNodeHandler(auth));
    app.get('/me', async (req, res) => {
      const session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) });
      res.json(session?.user.email ?? null);
    });
    app.use(express.json());
    app.post('/parsed/auth/{*any}', (req, res) => {
      req.url = req.originalUrl.replace('/parsed', '/api');
      return toNodeHandler(auth)(req, res);
    });
    const plain = client(request, await listen(app));
    const jar = new Map();
    const see = async (line, options = {}) => {
      const cookie = [...jar].map(pair => pair.join('=')).join('; ');
      const headers = { Origin: 'http://localhost', ...(cookie && { Cookie: cookie }), ...options.headers };
      const answer = await plain(line, { ...options, headers });
      for (const each of answer.headers) {
        const [, name, value] = /^set-cookie: ([^=]+)=([^;]*)/i.exec(each) ?? [];
        if (name) jar.set(name, value);
      }
      // Tokens, ids and times
      return without(
        answer,
        /(?<==|\\":\\")[\w%.-]{32,}(?=;|\\")|\d{4}-\d\d-\d\dT[\d:.]+Z|Content-Length: \d+/gi,
      );
    };
    const ann = { email: 'ann@example.com', password: 'a good password' };
    const record = {
      ok: await see('GET /api/auth/ok'),
      anonymous: await see('GET /api/auth/get-session'),
      weak: await see('POST /api/auth/sign-up/email', { json: { ...ann, name: 'Ann', password: 'x' } }),
      signedUp: await see('POST /api/auth/sign-up/email', { json: { ...ann, name: 'Ann' } }),
      session: await see('GET /api/auth/get-session'),
      me: await see('GET /me'),
      twice: await see('POST /api/auth/sign-up/email', { json: { ...ann, name: 'Ann' } }),
      signedOut: await see('POST /api/auth/sign-out', { json: {} }),
      nobody: await see('GET /me'),
      wrong: await see('POST /api/auth/sign-in/email', { json: { ...ann, password: 'a wrong password' } }),
      malformed: await see('POST /api/auth/sign-in/email', {
        body: '{',
        headers: { 'Content-Type': 'application/json' },
      }),
      signedIn: await see('POST /api/auth/sign-in/email', { json: ann }),
      parsed: await see('POST /parsed/auth/sign-in/email', { json: ann }),
      origin: await see('POST /api/auth/sign-out', { json: {}, headers: { Origin: 'http://evil.example' } }),
      missing: await see('GET /api/auth/nothing'),
      root: await see('GET /api/auth/'),
      method: await see('PUT /api/auth/sign-in/email', { json: ann }),
    };
    assert.deepEqual([record.signedUp.status, record.wrong.status], [200, 401]);
    assert.deepEqual([record.me.body, record.nobody.body], ['"ann@example.com"', 'null']);
    assert.match(record.session.body, /"email":"ann@example.com"/);
    return record;
  },
};

/** The MCP SDK's HTTP server, with its own client, and its OAuth routers. */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['@modelcontextprotocol/sdk'],
  exercised:
    'createMcpExpressApp with its check of Host, Streamable HTTP (sessions, event streams, resumed and ended, plain JSON) and the older SSE, driven by its client; mcpAuthRouter (metadata, registration, authorization, tokens, revocation, rate limits) and requireBearerAuth; requests that are refused',
  express: [5],

  async run(tools) {
    return { served: await served(tools), authorized: await authorized(tools) };
  },
};

/** A server with one tool, one prompt and one resource. */
function mcpServer() {
  const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
  const { z } = require('zod');
  const server = new McpServer({ name: 'compat', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, async ({ a, b }, extra) => {
    await extra.sendNotification({
      method: 'notifications/message',
      params: { level: 'info', data: 'adding' },
    });
    return { content: [{ type: 'text', text: String(a + b) }] };
  });
  server.registerResource('note', 'note://one', {}, async uri => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  return server;
}

async function served({ listen, request }) {
  const { createMcpExpressApp } = require('@modelcontextprotocol/sdk/server/express.js');
  const { client } = require('../frameworks/support/client.cjs');
  const app = createMcpExpressApp();
  const transports = streamable(app);
  eventStream(app);
  const server = await listen(app);
  const see = client(request, server);
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };
  const both = { Accept: 'application/json, text/event-stream' };
  const record = {
    raw: await see('POST /mcp', { json: hello, headers: both }),
    plain: await see('POST /mcp?json', { json: hello, headers: both }),
    wrongHost: await see('POST /mcp', { json: hello, headers: { ...both, Host: 'evil.example' } }),
    notAcceptable: await see('POST /mcp', { json: hello }),
    wrongType: await see('POST /mcp', { body: 'x', headers: { ...both, 'Content-Type': 'text/plain' } }),
    malformed: await see('POST /mcp', {
      body: '{',
      headers: { ...both, 'Content-Type': 'application/json' },
    }),
    noSession: await see('POST /mcp', { json: { ...hello, method: 'tools/list' }, headers: both }),
    wrongSession: await see('GET /mcp', { headers: { ...both, 'Mcp-Session-Id': 'none' } }),
    missing: await see('GET /nothing'),
    conversation: await converse(new URL(`http://127.0.0.1:${server.address().port}/mcp`), 'streamableHttp'),
    older: await converse(new URL(`http://127.0.0.1:${server.address().port}/sse`), 'sse'),
    sessions: transports.size,
  };
  assert.match(record.raw.body, /"serverInfo":\{"name":"compat"/);
  assert.equal(record.wrongHost.status, 403);
  for (const { sum, note } of [record.conversation, record.older]) {
    assert.equal(sum.content[0].text, '3');
    assert.equal(note.contents[0].text, 'a note');
  }
  return record;
}

/** The routes for Streamable HTTP, as in its documentation. */
function streamable(app) {
  const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const transports = new Map();
  let made = 0;
  app.post('/mcp', async (req, res) => {
    let transport = transports.get(req.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => `session-${++made}`,
        enableJsonResponse: 'json' in req.query,
        onsessioninitialized: id => void transports.set(id, transport),
        onsessionclosed: id => void transports.delete(id),
      });
      await mcpServer().connect(transport);
    }
    await transport.handleRequest(req, res, req.body);
  });
  const existing = async (req, res) => {
    const transport = transports.get(req.headers['mcp-session-id']);
    if (!transport) return res.status(400).send('Invalid or missing session ID');
    await transport.handleRequest(req, res);
  };
  app.get('/mcp', existing);
  app.delete('/mcp', existing);
  return transports;
}

/** The routes for the older transport: an event stream and a path for POST requests. */
function eventStream(app) {
  const { SSEServerTransport } = require('@modelcontextprotocol/sdk/server/sse.js');
  const transports = new Map();
  app.get('/sse', async (req, res) => {
    const transport = new SSEServerTransport('/messages', res);
    transports.set(transport.sessionId, transport);
    res.on('close', () => transports.delete(transport.sessionId));
    await mcpServer().connect(transport);
  });
  app.post('/messages', async (req, res) => {
    await transports.get(req.query.sessionId).handlePostMessage(req, res, req.body);
  });
}

/** Returns what a client of the SDK sees. */
async function converse(url, kind) {
  const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
  const transports = require(`@modelcontextprotocol/sdk/client/${kind}.js`);
  const Transport = transports.StreamableHTTPClientTransport ?? transports.SSEClientTransport;
  const transport = new Transport(url);
  const client = new Client({ name: 'compat', version: '1.0.0' });
  const notified = [];
  client.fallbackNotificationHandler = async notification => void notified.push(notification);
  await client.connect(transport);
  const record = {
    tools: await client.listTools(),
    sum: await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }),
    wrong: await client.callTool({ name: 'add', arguments: { a: 'x' } }).catch(error => error.message),
    note: await client.readResource({ uri: 'note://one' }),
    ping: await client.ping(),
    notified,
  };
  await transport.terminateSession?.();
  await client.close();
  return record;
}

/** Mounts the OAuth routers of the SDK and a protected path. */
async function authorized({ listen, request }) {
  const express = require('express');
  const { mcpAuthRouter } = require('@modelcontextprotocol/sdk/server/auth/router.js');
  const { requireBearerAuth } = require('@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js');
  const { client, without } = require('../frameworks/support/client.cjs');
  const provider = oauthProvider();
  const app = express();
  const issuerUrl = new URL('https://auth.example/');
  app.use(mcpAuthRouter({ provider, issuerUrl, scopesSupported: ['read'], resourceName: 'compat' }));
  app.get('/protected', requireBearerAuth({ verifier: provider, requiredScopes: ['read'] }), (req, res) =>
    res.json(req.auth),
  );
  const plain = client(request, await listen(app));
  // Leaves out what differs in each run: seconds until a limit is reset, and generated ids and secrets.
  const see = async (...args) =>
    without(
      await plain(...args),
      /(?<=reset=|Reset: |Retry-After: )\d+|(?<=_at\\":)\d+|[\da-f]{64}|[\da-f-]{36}/g,
    );
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const known = { client_id: 'known', client_secret: 'secret', redirect_uri: 'https://app.example/back' };
  const authorize = more =>
    `GET /authorize?${new URLSearchParams({ ...known, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256', state: 's', ...more })}`;
  const bearer = token => ({ headers: { Authorization: `Bearer ${token}` } });
  const exchange = { grant_type: 'authorization_code', code: 'a code', code_verifier: verifier };
  const record = {
    metadata: await see('GET /.well-known/oauth-authorization-server'),
    resource: await see('GET /.well-known/oauth-protected-resource'),
    preflight: await see('OPTIONS /token', { headers: { Origin: 'https://a.example' } }),
    wrongMethod: await see('GET /token'),
    registered: await see('POST /register', { json: { redirect_uris: ['https://app.example/back'] } }),
    badRegistration: await see('POST /register', { json: { redirect_uris: 'x' } }),
    authorized: await see(authorize({})),
    unknownClient: await see(authorize({ client_id: 'unknown' })),
    unknownRedirect: await see(authorize({ redirect_uri: 'https://evil.example' })),
    noChallenge: await see(authorize({ code_challenge: '' })),
    token: await see('POST /token', { form: { ...known, ...exchange } }),
    wrongVerifier: await see('POST /token', { form: { ...known, ...exchange, code_verifier: 'wrong' } }),
    wrongSecret: await see('POST /token', { form: { ...known, ...exchange, client_secret: 'x' } }),
    refreshed: await see('POST /token', {
      form: { ...known, grant_type: 'refresh_token', refresh_token: 'r' },
    }),
    revoked: await see('POST /revoke', { form: { ...known, token: 'a-token' } }),
    allowed: await see('GET /protected', bearer('a-token')),
    refused: await see('GET /protected', bearer('another')),
    anonymous: await see('GET /protected'),
  };
  assert.equal(record.registered.status, 201);
  assert.ok(record.authorized.headers.includes('Location: https://app.example/back?code=a+code&state=s'));
  assert.deepEqual(
    [record.token.status, record.wrongVerifier.status, record.wrongSecret.status],
    [200, 400, 400],
  );
  assert.deepEqual([record.allowed.status, record.refused.status, record.anonymous.status], [200, 401, 401]);
  return record;
}

/** Accepts one client, one code and one token. */
function oauthProvider() {
  const { InvalidTokenError } = require('@modelcontextprotocol/sdk/server/auth/errors.js');
  const known = { client_id: 'known', client_secret: 'secret', redirect_uris: ['https://app.example/back'] };
  const tokens = { access_token: 'a-token', token_type: 'bearer', refresh_token: 'r' };
  return {
    clientsStore: {
      getClient: id => (id === 'known' ? known : undefined),
      registerClient: registered => registered,
    },
    authorize: async (client, params, res) => {
      const target = new URL(params.redirectUri);
      target.search = String(new URLSearchParams({ code: 'a code', state: params.state }));
      res.redirect(target.href);
    },
    challengeForAuthorizationCode: async () => 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    exchangeAuthorizationCode: async () => tokens,
    exchangeRefreshToken: async () => ({ ...tokens, refresh_token: undefined }),
    revokeToken: async () => undefined,
    verifyAccessToken: async token => {
      if (token !== 'a-token') throw new InvalidTokenError('unknown');
      return { token, clientId: 'known', scopes: ['read'], expiresAt: 4e9 };
    },
  };
}

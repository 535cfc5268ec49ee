/** LoopBack 3, which adds phases to the stack of an application and copies all members of the framework. */
'use strict';
const assert = require('node:assert/strict');
const { client, without } = require('../support/client.cjs');

module.exports = {
  packages: ['loopback'],
  exercised:
    'memory connector, models over REST with CRUD, filters, relations, scopes, remote methods and hooks; users, tokens and ACLs; middleware phases in their order, routes and routers in phases, urlNotFound and error handler, static, status, mounted sub-applications',
  timeout: 60,
  async run({ listen, request }) {
    const loopback = require('loopback');
    const app = makeApplication(loopback);
    const server = await listen(app);
    const see = client(request, server, ['etag', 'last-modified']);
    const record = {
      members: Object.keys(loopback).filter(name => /^[a-z]/.test(name)).length > 30,
      rest: await rest(see),
      access: await access(see),
      phases: await phases(see),
      status: await status(client(request, server, ['etag', 'content-length'])),
      stack: app._router.stack.map(layer => [layer.name, layer.phase ?? null, layer.route?.path ?? null]),
      handlers: app.handler('rest') === app.handler('rest'),
    };
    assert.equal(record.rest.created.body, '{"title":"First","read":0,"id":1}');
    assert.match(record.rest.filtered.body, /^\[\{"title":"Third"\}\]$/);
    assert.equal(record.rest.greeted.body, '{"greeting":"hello ann from /api/books"}');
    assert.deepEqual([record.access.anonymous.status, record.access.allowed.status], [401, 200]);
    assert.equal(
      record.phases.order.body,
      '["initial:before","initial","session","auth","parse","routes:before","routes"]',
    );
    assert.equal(record.phases.unknown.status, 404);
    return record;
  },
};

function makeApplication(loopback) {
  const app = loopback();
  app.set('restApiRoot', '/api');
  app.set('legacyExplorer', false);
  app.set('remoting', { errorHandler: { debug: false, log: false }, json: { limit: '1kb' } });
  app.dataSource('db', { connector: 'memory' });
  models(loopback, app);
  const seen = name => (req, res, next) => {
    (req.seen ??= []).push(name);
    next();
  };
  app.middleware('routes:before', seen('routes:before'));
  app.middleware('auth', seen('auth'));
  app.middleware('initial', seen('initial'));
  app.middleware('parse', seen('parse'));
  app.middleware('session', ['/order', '/phase'], seen('session'));
  app.middleware('initial:before', seen('initial:before'));
  app.middleware('initial', loopback.favicon());
  app.middleware('auth', loopback.token({ model: app.models.accessToken }));
  app.get('/order', seen('routes'), (req, res) => res.json(req.seen));
  app.middleware('routes', '/api', loopback.rest());
  app.middleware('files', loopback.static(`${__dirname}/../fixtures/static`));
  app.get('/status', loopback.status());
  app.middleware('final', loopback.urlNotFound());
  app.middleware('final:after', (error, req, res, next) => {
    res.set('X-Failed', error.message);
    next(error);
  });
  app.middleware('final:after', require('strong-error-handler')({ debug: false, log: false }));
  const router = loopback.Router();
  router.get('/:id', (req, res) => res.json([req.params.id, req.baseUrl, req.seen]));
  app.middleware('routes', '/phase', router);
  const inner = loopback();
  inner.get('/', (req, res) => res.json({ inner: inner.mountpath, outer: inner.parent === app }));
  app.use('/inner', inner);
  app.get('/broken', () => {
    throw Object.assign(new Error('broken on purpose'), { statusCode: 422, details: { a: 1 } });
  });
  app.defineMiddlewarePhases('ours', 'routes');
  app.middleware('ours', (req, res, next) => {
    res.set('X-Ours', 'phase');
    next();
  });
  return app;
}

function models(loopback, app) {
  const Book = app.registry.createModel('book', {
    title: { type: 'string', required: true },
    read: { type: 'number', default: 0 },
  });
  const Author = app.registry.createModel('author', { name: 'string' });
  app.model(Book, { dataSource: 'db' });
  app.model(Author, { dataSource: 'db' });
  Author.hasMany(Book, { as: 'books', foreignKey: 'authorId' });
  Book.greet = async (name, request) => `hello ${name} from ${request.baseUrl}`;
  Book.remoteMethod('greet', {
    accepts: [
      { arg: 'name', type: 'string', required: true },
      { arg: 'req', type: 'object', http: { source: 'req' } },
    ],
    returns: { arg: 'greeting', type: 'string' },
    http: { path: '/greet', verb: 'get' },
  });
  Book.afterRemote('**', async context => void context.res.set('X-After', context.method.name));
  for (const [name, base] of [
    ['account', 'User'],
    ['accessToken', 'AccessToken'],
    ['acl', 'ACL'],
    ['role', 'Role'],
    ['roleMapping', 'RoleMapping'],
  ]) {
    app.model(app.registry.createModel(name, {}, { base }), { dataSource: 'db' });
  }
  app.models.account.settings.relations = {};
  app.models.account.hasMany(app.models.accessToken, { as: 'accessTokens', foreignKey: 'userId' });
  app.models.accessToken.belongsTo(app.models.account, { as: 'user', foreignKey: 'userId' });
  const Note = app.registry.createModel(
    'note',
    { text: 'string' },
    {
      acls: [
        { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
        { accessType: '*', principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' },
      ],
    },
  );
  app.model(Note, { dataSource: 'db' });
  app.enableAuth({ dataSource: 'db' });
}

async function rest(see) {
  const filter = value => `filter=${encodeURIComponent(JSON.stringify(value))}`;
  return {
    created: await see('POST /api/books', { json: { title: 'First' } }),
    createdByForm: await see('POST /api/books', { form: { title: 'Second' } }),
    createdTwo: await see('POST /api/books', { json: [{ title: 'Third', read: 5 }, { title: 'Fourth' }] }),
    invalid: await see('POST /api/books', { json: {} }),
    malformed: await see('POST /api/books', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    tooLarge: await see('POST /api/books', { json: { title: 'x'.repeat(2000) } }),
    all: await see('GET /api/books'),
    filtered: await see(`GET /api/books?${filter({ where: { read: { gt: 1 } }, fields: { title: true } })}`),
    nestedFilter: await see('GET /api/books?filter[order]=title%20DESC&filter[limit]=2&filter[skip]=1'),
    one: await see('GET /api/books/1'),
    head: await see('HEAD /api/books/1'),
    missing: await see('GET /api/books/99'),
    exists: await see('GET /api/books/1/exists'),
    count: await see('GET /api/books/count'),
    replaced: await see('PUT /api/books/1', { json: { title: 'Replaced' } }),
    patched: await see('PATCH /api/books/1', { json: { read: 2 } }),
    updatedAll: await see('POST /api/books/update?where[read]=0', { json: { read: 1 } }),
    deleted: await see('DELETE /api/books/2'),
    author: await see('POST /api/authors', { json: { name: 'Ann' } }),
    related: await see('POST /api/authors/1/books', { json: { title: 'Related' } }),
    relations: await see('GET /api/authors/1/books'),
    included: await see(`GET /api/authors?${filter({ include: 'books' })}`),
    greeted: await see('GET /api/books/greet?name=ann'),
    greetedNobody: await see('GET /api/books/greet'),
    xml: await see('GET /api/books/1', { headers: { Accept: 'application/xml' } }),
    notAcceptable: await see('GET /api/books/1', { headers: { Accept: 'text/csv' } }),
    unknownMethod: await see('GET /api/books/1/nothing'),
    unknownModel: await see('GET /api/nothing'),
    preflight: await see('OPTIONS /api/books', {
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'PUT' },
    }),
  };
}

async function access(see) {
  const random = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  const account = { email: 'ann@a.test', password: 'a password' };
  const created = await see('POST /api/accounts', { json: account });
  const login = await see('POST /api/accounts/login', { json: account });
  const { id: token } = JSON.parse(login.body);
  const steady = answer => JSON.parse(JSON.stringify(without(answer, random)).replaceAll(token, '<token>'));
  const headers = { Authorization: token };
  return {
    created: steady(created),
    login: steady(login),
    wrong: await see('POST /api/accounts/login', { json: { ...account, password: 'wrong' } }),
    anonymous: await see('GET /api/notes'),
    allowed: await see('GET /api/notes', { headers }),
    byQuery: steady(await see(`GET /api/notes?access_token=${token}`)),
    self: steady(await see('GET /api/accounts/1', { headers })),
    logout: await see('POST /api/accounts/logout', { headers }),
    after: await see('GET /api/notes', { headers }),
  };
}

async function phases(see) {
  return {
    order: await see('GET /order'),
    router: await see('GET /phase/7'),
    file: await see('GET /plain.txt'),
    inner: await see('GET /inner'),
    broken: await see('GET /broken', { headers: { Accept: 'application/json' } }),
    brokenPage: await see('GET /broken', { headers: { Accept: 'text/html' } }),
    unknown: await see('GET /unknown', { headers: { Accept: 'application/json' } }),
    favicon: (await see('GET /favicon.ico')).status,
  };
}

/** Removes the time and the uptime, which differ between runs. */
async function status(see) {
  return without(await see('GET /status'), /\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=uptime\\":)[\d.]+/g);
}

/** Feathers 5 over REST: an Express application extended with Feathers' members. */
'use strict';
const assert = require('node:assert/strict');
const { client } = require('../support/client.cjs');

module.exports = {
  packages: ['@feathersjs/express', '@feathersjs/feathers'],
  exercised:
    'express(feathers()), REST services with all methods, queries, hooks, custom methods, service middleware, nested routes, sub-applications, notFound and errorHandler in JSON and HTML, static files, app.listen and teardown',
  timeout: 30,
  async run({ request }) {
    const events = [];
    const app = makeApplication(events);
    const server = await app.listen(0, '127.0.0.1');
    const record = await requests(client(request, server, ['last-modified', 'etag']));
    record.stack = app._router.stack.map(layer => layer.name);
    record.lookup = [app.lookup('messages/1')?.params, app.lookup('none')];
    record.events = events;
    await app.teardown();
    record.listening = server.listening;
    assert.equal(
      record.find.body,
      '{"query":{"$limit":"2","read":{"$ne":"true"}},"provider":"rest","user":"from middleware"}',
    );
    assert.equal(record.created.status, 201);
    assert.match(record.created.body, /"checked":true/);
    assert.deepEqual([record.failed.status, record.missing.status, record.nowhere.status], [400, 404, 404]);
    assert.match(record.missing.body, /"className":"not-found"/);
    assert.equal(record.custom.body, '{"archived":{"id":3}}');
    assert.equal(record.wrongMethod.status, 405);
    assert.equal(record.asset.body, 'served as it is\n');
    assert.equal(record.listening, false);
    return record;
  },
};

class Messages {
  async find({ query, provider, user }) {
    return { query, provider, user };
  }
  async get(id, { query }) {
    const { NotFound } = require('@feathersjs/errors');
    if (id === 'none') throw new NotFound(`no message ${id}`, { id });
    return { id, query };
  }
  async create(data) {
    return Array.isArray(data) ? data : { id: 1, ...data };
  }
  async update(id, data) {
    return { id, data, method: 'update' };
  }
  async patch(id, data) {
    return { id, data, method: 'patch' };
  }
  async remove(id) {
    return id === null ? null : { id };
  }
  async archive(data) {
    return { archived: data };
  }
}

function makeApplication(events) {
  const { feathers } = require('@feathersjs/feathers');
  const express = require('@feathersjs/express').default;
  const { BadRequest } = require('@feathersjs/errors');
  const app = express(feathers());
  app.use(express.json());
  app.use(express.urlencoded({ extended: true }));
  app.use('/files', express.static(`${__dirname}/../fixtures/static`));
  app.use((req, res, next) => {
    req.feathers = { ...req.feathers, user: 'from middleware' };
    next();
  });
  app.configure(express.rest());
  app.use('/plain', (req, res) => res.json({ base: req.baseUrl, path: req.path }));
  app.use(
    '/messages',
    (req, res, next) => {
      res.set('X-Before', req.path);
      next();
    },
    new Messages(),
    (req, res, next) => {
      res.set('X-After', String(Boolean(res.data)));
      next();
    },
    { methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'archive'] },
  );
  app.use('/rooms/:roomId/messages', { find: async ({ route, query }) => ({ route, query }) });
  app.service('messages').hooks({
    before: {
      create: [
        async context => {
          if (context.data.text === '') throw new BadRequest('no text', { errors: { text: 'is empty' } });
          context.data.checked = true;
        },
      ],
    },
    error: { all: [async context => events.push(`error: ${context.error.message}`)] },
  });
  app.service('messages').on('created', message => events.push(`created: ${message.text}`));
  const inner = express(feathers());
  inner.configure(express.rest());
  inner.use('/things', { find: async () => ['a thing'] });
  app.use('/inner', inner);
  app.get('/broken', () => {
    throw new Error('broken on purpose');
  });
  app.use(express.notFound({ verbose: true }));
  app.use(
    express.errorHandler({
      logger: false,
      html: { 404: (error, req, res) => res.send(`<p>${error.message}</p>`) },
    }),
  );
  return app;
}

async function requests(see) {
  const html = { headers: { Accept: 'text/html' } };
  return {
    find: await see('GET /messages?$limit=2&read[$ne]=true'),
    get: await see('GET /messages/7?a=b'),
    missing: await see('GET /messages/none'),
    missingPage: await see('GET /messages/none', html),
    created: await see('POST /messages', { json: { text: 'hi' } }),
    form: await see('POST /messages', { form: { text: 'by form' } }),
    failed: await see('POST /messages', { json: { text: '' } }),
    malformed: await see('POST /messages', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    updated: await see('PUT /messages/1', { json: { a: 1 } }),
    patched: await see('PATCH /messages/1', { json: { a: 2 } }),
    removed: await see('DELETE /messages/1'),
    removedAll: await see('DELETE /messages'),
    custom: await see('POST /messages', { json: { id: 3 }, headers: { 'X-Service-Method': 'archive' } }),
    unknownCustom: await see('POST /messages', { json: {}, headers: { 'X-Service-Method': 'burn' } }),
    wrongMethod: await see('POST /rooms/5/messages', { json: {} }),
    nested: await see('GET /rooms/5/messages?q=1'),
    options: await see('OPTIONS /messages'),
    head: await see('HEAD /messages/7'),
    plain: await see('GET /plain/deep'),
    inner: await see('GET /inner/things'),
    innerNowhere: await see('GET /inner/nothing'),
    asset: await see('GET /files/plain.txt'),
    nowhere: await see('GET /nowhere'),
    nowherePage: await see('GET /nowhere', html),
    broken: await see('GET /broken'),
  };
}

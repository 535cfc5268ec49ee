/** Nest 10 on its Express platform: everything that a controller can do with a request and its response. */
'use strict';
const assert = require('node:assert/strict');
const { client, field, multipart } = require('../support/client.cjs');

module.exports = {
  packages: ['@nestjs/platform-express', '@nestjs/core', '@nestjs/common'],
  exercised:
    'controllers, pipes, a guard, an interceptor, an exception filter, file uploads, global prefix with exclusions, URI versions, middleware, events, streams, static assets, CORS, raw body, ExpressAdapter over a given application',
  timeout: 60,
  async run({ request }) {
    return { own: await ownApplication(request), given: await givenApplication(request) };
  },
};

/** Nest creates the application itself. */
async function ownApplication(request) {
  const { NestFactory } = require('@nestjs/core');
  const { ValidationPipe, VersioningType } = require('@nestjs/common');
  const { AppModule } = require('../fixtures/nest/app.cjs');
  const app = await NestFactory.create(AppModule, { logger: false, rawBody: true, cors: true });
  app.setGlobalPrefix('api', { exclude: ['health'] });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: undefined });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  app.useBodyParser('text', { type: 'text/plain' });
  app.useStaticAssets(`${__dirname}/../fixtures/static`, { prefix: '/assets/' });
  app.set('trust proxy', 'loopback');
  app.disable('etag');
  await app.listen(0, '127.0.0.1');
  const see = client(request, app.getHttpServer(), ['last-modified', 'etag']);
  const record = await requests(see);
  await app.close();

  assert.equal(record.one.body, '{"id":1,"name":"Tom","age":3}');
  assert.equal(record.badId.status, 400);
  assert.match(record.invalid.body, /name must be longer than or equal to 2 characters/);
  assert.match(record.added.body, /"class":"Cat"/);
  assert.deepEqual([record.noKey.status, record.wrongKey.status, record.secret.status], [401, 403, 200]);
  assert.equal(record.wrapped.body, '{"data":[1,2]}');
  assert.equal(record.teapot.status, 418);
  assert.equal(field(record.old, 'Location'), '/api/cats/1');
  assert.match(record.upload.body, /"originalname":"a.txt".*"text":"file's text".*"title":"one"/);
  assert.equal(record.tooLarge.status, 413);
  assert.match(record.events.body, /event: named\nid: 2\nretry: 5\ndata: two/);
  assert.match(record.raw.body, /^raw some text 203\.0\.113\.9/);
  assert.equal(record.health.body, '{"status":"up"}');
  assert.equal(record.prefixedHealth.status, 404);
  assert.equal(record.second.body, 'second version');
  assert.equal(record.asset.body, 'served as it is\n');
  assert.equal(field(record.preflight, 'Access-Control-Allow-Origin'), '*');
  return record;
}

async function requests(see) {
  const file = { name: 'file', filename: 'a.txt', type: 'text/plain', value: "file's text" };
  const files = ['a', 'b', 'c'].map(name => ({ ...file, name: 'files', filename: name }));
  return {
    all: await see('GET /api/cats?tags=a,b&limit=5'),
    badLimit: await see('GET /api/cats?limit=many'),
    one: await see('GET /api/cats/1'),
    head: await see('HEAD /api/cats/1'),
    missing: await see('GET /api/cats/9'),
    badId: await see('GET /api/cats/tom'),
    added: await see('POST /api/cats', { json: { name: 'Kit', age: '2', more: 'dropped' } }),
    invalid: await see('POST /api/cats', { json: { name: 'x', age: -1 } }),
    form: await see('POST /api/cats', { form: { name: 'Form', age: '4' } }),
    malformed: await see('POST /api/cats', { body: '{"', headers: { 'Content-Type': 'application/json' } }),
    removed: await see('DELETE /api/cats/1'),
    noKey: await see('GET /api/cats/secret'),
    wrongKey: await see('GET /api/cats/secret', { headers: { 'X-Key': 'no' } }),
    secret: await see('GET /api/cats/secret', { headers: { 'X-Key': 'open' } }),
    wrapped: await see('GET /api/cats/wrapped'),
    teapot: await see('GET /api/cats/teapot'),
    broken: await see('GET /api/cats/broken'),
    old: await see('GET /api/cats/old'),
    stream: await see('GET /api/cats/stream'),
    events: await see('GET /api/cats/events'),
    wild: await see('GET /api/cats/files/a/b%20c'),
    upload: await see('POST /api/cats/upload', multipart([{ name: 'title', value: 'one' }, file])),
    tooLarge: await see('POST /api/cats/upload', multipart([{ ...file, value: 'x'.repeat(101) }])),
    wrongField: await see('POST /api/cats/upload', multipart([{ ...file, name: 'other' }])),
    uploads: await see('POST /api/cats/uploads', multipart(files.slice(1))),
    tooMany: await see('POST /api/cats/uploads', multipart(files)),
    raw: await see('PUT /api/cats/raw', {
      body: 'some text',
      headers: { 'Content-Type': 'text/plain', 'X-Forwarded-For': '203.0.113.9' },
    }),
    passthrough: await see('PATCH /api/cats/passthrough'),
    health: await see('GET /health'),
    prefixedHealth: await see('GET /api/health'),
    first: await see('GET /api/v1/versioned'),
    second: await see('GET /api/v3/versioned'),
    noVersion: await see('GET /api/versioned'),
    asset: await see('GET /assets/plain.txt'),
    noAsset: await see('GET /assets/none.txt'),
    preflight: await see('OPTIONS /api/cats', { headers: { 'Access-Control-Request-Method': 'POST' } }),
    nothing: await see('GET /nothing'),
  };
}

/** The application is created first, with its own layers, and passed to Nest. */
async function givenApplication(request) {
  const express = require('express');
  // In Express 5 the stack is in `app.router`, and queries are flat.
  const isOn4 = require('express/package.json').version.startsWith('4.');
  const { NestFactory } = require('@nestjs/core');
  const { ExpressAdapter } = require('@nestjs/platform-express');
  const { AppModule } = require('../fixtures/nest/app.cjs');
  const own = express();
  own.use(express.json({ limit: '50b' }));
  own.get('/own', (req, res) => res.json({ own: true, query: req.query }));
  const app = await NestFactory.create(AppModule, new ExpressAdapter(own), { logger: false });
  app.use('/mounted', (req, res) => res.send(`${req.baseUrl} ${req.path}`));
  await app.init();
  const stack = (isOn4 ? own._router : own.router).stack.map(layer => layer.name);
  await app.listen(0, '127.0.0.1');
  const see = client(request, app.getHttpServer());
  const record = {
    stack,
    own: await see('GET /own?a[b]=1'),
    mounted: await see('GET /mounted/deep'),
    cat: await see('GET /cats/1'),
    tagged: await see('GET /cats/1', { headers: { 'If-None-Match': '*' } }),
    limited: await see('POST /cats', { json: { name: 'x'.repeat(100), age: 1 } }),
  };
  await app.close();
  assert.equal(record.stack.filter(name => name === 'jsonParser').length, 1);
  assert.equal(record.own.body, `{"own":true,"query":${isOn4 ? '{"a":{"b":"1"}}' : '{"a[b]":"1"}'}}`);
  assert.equal(record.tagged.status, 304);
  assert.equal(record.limited.status, 413);
  return record;
}

/** json-server 0.17, as a module and from its command line. */
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { setTimeout } = require('node:timers/promises');
const { client } = require('../support/client.cjs');
const { commandOf, freePort, start } = require('../support/program.cjs');

module.exports = {
  packages: ['json-server'],
  exercised:
    'create, defaults, router, rewriter and bodyParser as modules, and the command with routes, delay, static files and a read-only mode; CRUD, filters, operators, full text, sorting, paging with Link, slices, relations, singular resources',
  timeout: 60,
  async run(tools) {
    const asModule = await moduleRecord(tools);
    const command = await commandRecord(tools);
    assert.equal(JSON.parse(asModule.filtered.body).length, 2);
    assert.equal(asModule.created.status, 201);
    assert.match(asModule.page.headers.join('\n'), /Link: <.*_page=2.*>; rel="next"/);
    assert.match(asModule.embedded.body, /some comment/);
    assert.equal(JSON.parse(asModule.custom.body).wrapped.title, 'json-server');
    assert.match(asModule.home.body, /JSON Server/);
    assert.equal(command.readOnly.status, 403);
    return { asModule, command };
  },
};

async function moduleRecord({ listen, request }) {
  const jsonServer = require('json-server');
  const data = require('../fixtures/json-server/db.cjs')();
  const app = jsonServer.create();
  const router = jsonServer.router(data);
  app.use(jsonServer.defaults({ logger: false }));
  app.use(jsonServer.rewriter({ '/api/*': '/$1', '/blog/:resource/:id/show': '/:resource/:id' }));
  app.get('/echo', (req, res) => res.jsonp(req.query));
  app.use(jsonServer.bodyParser);
  app.use((req, res, next) => {
    if (req.method === 'POST') req.body.made = true;
    next();
  });
  app.use(
    '/wrapped',
    Object.assign(jsonServer.router(require('../fixtures/json-server/db.cjs')()), {
      render: (req, res) => res.jsonp({ wrapped: res.locals.data }),
    }),
  );
  app.use(router);
  return apiRequests(client(request, await listen(app), ['last-modified', 'etag']));
}

async function apiRequests(see) {
  return {
    all: await see('GET /posts'),
    one: await see('GET /posts/1'),
    missing: await see('GET /posts/99'),
    filtered: await see('GET /posts?author=ann'),
    twoValues: await see('GET /posts?id=1&id=2'),
    operators: await see('GET /posts?views_gte=60&views_lte=80'),
    not: await see('GET /posts?id_ne=1'),
    like: await see('GET /posts?title_like=^s'),
    fullText: await see('GET /posts?q=json'),
    sorted: await see('GET /posts?_sort=author,views&_order=asc,desc'),
    page: await see('GET /posts?_page=1&_limit=2'),
    slice: await see('GET /posts?_start=1&_end=2'),
    embedded: await see('GET /posts/1?_embed=comments'),
    expanded: await see('GET /comments?_expand=post'),
    nested: await see('GET /posts/1/comments'),
    nestedCreated: await see('POST /posts/2/comments', { json: { body: 'nested' } }),
    created: await see('POST /posts', { json: { title: 'made', author: 'bea' } }),
    createdByForm: await see('POST /posts', { form: { title: 'form' } }),
    replaced: await see('PUT /posts/2', { json: { title: 'replaced' } }),
    patched: await see('PATCH /posts/3', { json: { views: 76 } }),
    patchedMissing: await see('PATCH /posts/99', { json: {} }),
    deleted: await see('DELETE /posts/1'),
    after: await see('GET /db'),
    profile: await see('GET /profile'),
    profilePatched: await see('PATCH /profile', { json: { age: 5 } }),
    rewritten: await see('GET /api/posts/2'),
    rewrittenByName: await see('GET /blog/posts/3/show'),
    echo: await see('GET /echo?callback=done&a=1'),
    custom: await see('GET /wrapped/posts/1'),
    malformed: await see('POST /posts', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    home: await see('GET /'),
    options: await see('OPTIONS /posts', {
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'PUT' },
    }),
    nothing: await see('GET /nothing'),
  };
}

/** Returns the content of a file once it matches: it is written after the response. */
async function fileWith(name, pattern) {
  for (;;) {
    const text = fs.readFileSync(name, 'utf8');
    if (pattern.test(text)) return text;
    await setTimeout(10);
  }
}

/** Runs the command with a file that it watches, and with a module in read-only mode. */
async function commandRecord({ request }) {
  const data = require('../fixtures/json-server/db.cjs')();
  fs.writeFileSync('db.json', JSON.stringify(data));
  fs.writeFileSync('routes.json', JSON.stringify({ '/v1/*': '/$1' }));
  fs.mkdirSync('public');
  fs.writeFileSync('public/own.txt', 'own file\n');
  const port = await freePort();
  const readOnlyPort = await freePort();
  const command = commandOf('json-server');
  const common = ['--host', '127.0.0.1', '--port'];
  const options = ['--routes', 'routes.json', '--static', 'public', '--delay', '5', '--id', 'id'];
  const ready = /Home/;
  const served = await start(command, ['db.json', ...common, String(port), ...options], { ready });
  const fixture = `${__dirname}/../fixtures/json-server/db.cjs`;
  const readOnly = await start(command, [fixture, ...common, String(readOnlyPort), '--ro'], { ready });
  const ignored = ['last-modified', 'etag'];
  const see = client(request, port, ignored);
  const record = {
    posts: await see('GET /posts'),
    created: await see('POST /v1/posts', { json: { title: 'written' } }),
    file: JSON.parse(await fileWith('db.json', /written/)),
    own: await see('GET /own.txt'),
    gzip: await see('HEAD /posts', { headers: { 'Accept-Encoding': 'gzip' } }),
    home: await client(request, readOnlyPort, ignored)('GET /'),
    readOnly: await client(request, readOnlyPort, ignored)('POST /posts', { json: {} }),
  };
  record.stopped = [await served.stop(), await readOnly.stop()];
  return record;
}

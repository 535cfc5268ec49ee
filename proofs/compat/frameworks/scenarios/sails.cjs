/** Sails 1.5: an application with models, actions, policies, views and blueprints. */
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { client, field, multipart, without } = require('../support/client.cjs');
const { write } = require('../support/program.cjs');

/** Beside the controller in fixtures. */
const APPLICATION = {
  'api/controllers/pet/rename.js': `module.exports = {
  inputs: { id: { type: 'number', required: true }, name: { type: 'string', required: true } },
  exits: {
    success: { description: 'renamed' },
    notFound: { responseType: 'notFound' },
    taken: { statusCode: 409 },
  },
  async fn({ id, name }, exits) {
    if (name === 'taken') throw { taken: { name } };
    const pet = await this.req._sails.models.pet.updateOne({ id }).set({ name });
    if (!pet) throw 'notFound';
    return exits.success({ name: pet.name });
  },
};
`,
  'api/models/Owner.js': `module.exports = {
  attributes: {
    name: { type: 'string', required: true, unique: true },
    pets: { collection: 'pet', via: 'owner' },
  },
};
`,
  'api/models/Pet.js': `module.exports = {
  attributes: {
    name: { type: 'string', required: true },
    age: { type: 'number', defaultsTo: 1 },
    owner: { model: 'owner' },
  },
};
`,
  'api/policies/has-key.js':
    "module.exports = (req, res, proceed) => (req.get('x-key') === 'open' ? proceed() : res.forbidden());\n",
  'api/responses/teapot.js': `module.exports = function teapot(data) {
  return this.res.status(418).json({ teapot: data, path: this.req.path });
};
`,
  'assets/plain.txt': 'served as it is\n',
  'views/home.ejs': '<ul><% for (const item of items) { %><li><%= item %></li><% } %></ul>\n',
  'views/layouts/layout.ejs': `<!doctype html>
<title><%= title %></title>
<%- body %>
`,
};

module.exports = {
  packages: ['sails', 'sails-hook-orm', 'sails-disk'],
  exercised:
    'lift and lower; explicit routes with wildcards and regular expressions, REST and shortcut blueprints over a database, populate, classic actions and actions2, policies, custom responses, EJS views with layout, sessions, uploads, CORS, static files, middleware order, sails.request',
  timeout: 60,
  async run({ request }) {
    const { Sails } = require('sails');
    const app = new Sails();
    await new Promise((resolve, reject) => {
      app.lift(configuration(), error => (error ? reject(error) : resolve()));
    });
    const see = client(request, app.hooks.http.server, ['etag', 'last-modified', 'set-cookie']);
    const record = { pages: await pages(see), blueprints: await blueprints(see) };
    record.session = await session(request, app.hooks.http.server, see);
    record.virtual = await virtual(app);
    record.stack = app.hooks.http.app._router.stack.map(layer => layer.name);
    await new Promise((resolve, reject) => app.lower(error => (error ? reject(error) : resolve())));
    assert.match(record.pages.home.body, /<title>Fixture<\/title>\n<ul><li>one<\/li><li>two<\/li><\/ul>/);
    assert.deepEqual([record.pages.noKey.status, record.pages.secret.status], [403, 200]);
    assert.match(record.pages.upload.body, /"filename": ?"a\.txt"/);
    assert.equal(record.pages.teapot.status, 418);
    assert.match(record.blueprints.owner.body, /Kit/);
    assert.deepEqual(JSON.parse(record.blueprints.renamed.body), { name: 'Kitty' });
    assert.deepEqual(
      [record.blueprints.renamedTaken.status, record.blueprints.renamedMissing.status],
      [409, 404],
    );
    assert.deepEqual(JSON.parse(record.session.second), { count: 2 });
    assert.deepEqual(record.virtual.body.all, { a: '1', word: 'virtual' });
    return record;
  },
};

function configuration() {
  const appPath = path.resolve('application');
  write(APPLICATION, appPath);
  fs.copyFileSync(
    path.resolve(__dirname, '../fixtures/PageController.js'),
    path.join(appPath, 'api/controllers/PageController.js'),
  );
  return {
    appPath,
    port: 0,
    explicitHost: '127.0.0.1',
    environment: 'development',
    log: { level: 'silent' },
    hooks: { grunt: false, orm: require('sails-hook-orm'), i18n: false, pubsub: false, sockets: false },
    paths: { public: path.join(appPath, 'assets'), tmp: path.resolve('.tmp') },
    datastores: { default: { adapter: require('sails-disk'), dir: path.resolve('db') } },
    models: {
      migrate: 'drop',
      schema: true,
      primaryKey: 'id',
      attributes: { id: { type: 'number', autoIncrement: true } },
      dataEncryptionKeys: { default: Buffer.alloc(32).toString('base64') },
    },
    blueprints: { rest: true, shortcuts: true, actions: true },
    policies: { PageController: { secret: 'has-key' } },
    session: { secret: 'a secret', cookie: { maxAge: null } },
    views: { layout: 'layouts/layout' },
    security: { cors: { allRoutes: true, allowOrigins: ['http://a.test'], allowCredentials: true } },
    http: {
      middleware: {
        order: [
          ...['cookieParser', 'session', 'ours', 'bodyParser', 'compress', 'poweredBy', 'router', 'www'],
          'favicon',
        ],
        ours: (req, res, next) => {
          res.set('X-Ours', req.url);
          next();
        },
      },
      trustProxy: true,
    },
    routes: routes(),
  };
}

function routes() {
  return {
    '/': 'PageController.home',
    'GET /echo/:word': 'PageController.echo',
    'POST /echo/:word': 'PageController.echo',
    'r|^/number/(\\d+)/(\\w+)$|number,word': 'PageController.echo',
    '/wild/*': { controller: 'page', action: 'echo', skipAssets: true },
    'GET /count': 'PageController.count',
    'POST /upload': 'PageController.upload',
    'GET /secret': 'PageController.secret',
    'GET /teapot': (req, res) => res.teapot('short'),
    'GET /moved': '/echo/moved',
    'PATCH /pet/:id/rename': 'pet/rename',
    'ALL /any': { fn: (req, res) => res.send(`${req.method} ${req.ip}`) },
    'GET /view': { view: 'home', locals: { title: 'Static', items: [] } },
    'GET /cors': { controller: 'page', action: 'echo', cors: { allowOrigins: ['http://b.test'] } },
  };
}

async function pages(see) {
  const file = { name: 'avatar', filename: 'a.txt', type: 'text/plain', value: 'some text' };
  const html = { headers: { Accept: 'text/html' } };
  const json = { headers: { Accept: 'application/json' } };
  return {
    home: await see('GET /', html),
    view: await see('GET /view', html),
    echo: await see('GET /echo/there?a[b]=1'),
    posted: await see('POST /echo/there?a=1', { json: { b: 2 } }),
    form: await see('POST /echo/there', { form: { 'b[c]': '2' } }),
    malformed: withoutStack(
      await see('POST /echo/there', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    ),
    expression: await see('GET /number/12/twelve'),
    wild: await see('GET /wild/a/b'),
    wildAsset: await see('GET /wild/a.js'),
    upload: await see('POST /upload', multipart([{ name: 'title', value: 't' }, file])),
    tooLarge: await see('POST /upload', multipart([{ ...file, value: 'x'.repeat(2000) }])),
    noKey: await see('GET /secret'),
    secret: await see('GET /secret', { headers: { 'X-Key': 'open' } }),
    teapot: await see('GET /teapot'),
    moved: await see('GET /moved'),
    any: await see('DELETE /any', { headers: { 'X-Forwarded-For': '203.0.113.9' } }),
    jump: await see('GET /page/jump'),
    file: await see('GET /page/file'),
    broken: withoutStack(await see('GET /page/broken', json)),
    rejected: withoutStack(await see('GET /page/rejected', json)),
    missing: await see('GET /page/missing', json),
    bad: await see('GET /page/bad', json),
    negotiated: await see('GET /page/negotiate', html),
    negotiatedJson: await see('GET /page/negotiate', json),
    asset: await see('GET /plain.txt'),
    nowhere: await see('GET /nowhere', json),
    preflight: await see('OPTIONS /echo/x', {
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'POST' },
    }),
    cors: await see('GET /cors', { headers: { Origin: 'http://b.test' } }),
  };
}

/** Sails sends the error's stack in development: only its first frame is kept. */
function withoutStack(answer) {
  const headers = answer.headers.filter(line => !line.startsWith('Content-Length: '));
  return { ...answer, headers, body: answer.body.replace(/(?:\\n|\n)[ +'"]+at [^]*$/, '<stack>') };
}

async function blueprints(see) {
  const steady = async (line, options) => without(await see(line, options), /\b\d{13}\b/g);
  return {
    owner1: await steady('POST /owner', { json: { name: 'Ann' } }),
    pet1: await steady('POST /pet', { json: { name: 'Tom', age: 3, owner: 1 } }),
    pet2: await steady('POST /pet', { json: { name: 'Kit' } }),
    invalid: withoutStack(await steady('POST /pet', { json: { age: 'x' } })),
    twice: withoutStack(await steady('POST /owner', { json: { name: 'Ann' } })),
    found: await steady('GET /pet?where={"age":{">":1}}'),
    sorted: await steady('GET /pet?sort=name%20DESC&limit=1&skip=1'),
    one: await steady('GET /pet/1'),
    missing: await steady('GET /pet/9'),
    added: await steady('PUT /owner/1/pets/2'),
    owner: await steady('GET /owner/1?populate=pets'),
    pets: await steady('GET /owner/1/pets'),
    replaced: await steady('PUT /owner/1/pets', { json: [1] }),
    removedFrom: await steady('DELETE /owner/1/pets/1'),
    updated: await steady('PATCH /pet/2', { json: { age: 9 } }),
    renamed: await see('PATCH /pet/2/rename', { json: { name: 'Kitty' } }),
    renamedWrong: withoutStack(await see('PATCH /pet/2/rename', { json: {} })),
    renamedTaken: await see('PATCH /pet/2/rename', { json: { name: 'taken' } }),
    renamedMissing: await see('PATCH /pet/9/rename', { json: { name: 'x' } }),
    shortcut: await steady('GET /pet/create?name=Short'),
    shortcutFind: await steady('GET /pet/find?name=Short'),
    deleted: await steady('DELETE /pet/1'),
  };
}

async function session(request, server, see) {
  const first = await request(server, { path: '/count' });
  const [cookie] = first.headers['set-cookie'];
  const second = await see('GET /count', { headers: { Cookie: cookie.split(';')[0] } });
  return {
    first: first.body,
    attributes: cookie.replace(/=.*?;/, '=<id>;'),
    second: second.body,
    length: field(second, 'Content-Length'),
  };
}

/** A request without a connection: Sails runs it through its own router. */
async function virtual(app) {
  const answer = await new Promise((resolve, reject) => {
    app.request('GET /echo/virtual?a=1', (error, response, body) =>
      error ? reject(error) : resolve({ response, body }),
    );
  });
  return { status: answer.response.statusCode, body: answer.body };
}

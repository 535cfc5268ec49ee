/** Starts an application of each version with all middleware that is installed beside it, and sends it requests. */
'use strict';
const assert = require('node:assert/strict');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

/** Arguments of middleware that is not mounted as it is. */
const SECRET = { secret: 'x'.repeat(32) };
const MOUNTED = {
  compression: create => create({ threshold: 0 }),
  'cookie-parser': create => create(),
  'cookie-session': create => create({ keys: ['key'], name: 'cookies' }),
  cors: create => create(),
  helmet: create => create(),
  morgan: create => create('tiny', { stream: { write: () => undefined } }),
  'rate-limit': create => create({ validate: false }),
  'same-origin': create => create(),
  'serve-static': create => create(__dirname),
  session: create => create({ ...SECRET, resave: false, saveUninitialized: false }),
};

const middleware = fs.readdirSync(path.join(__dirname, 'node_modules/@ristretto'));

/** Creates an application with what can be mounted; the rest is only loaded. */
function create(name) {
  const web = require(name);
  const app = web();
  for (const each of middleware) {
    const loaded = each === 'private-engine' ? undefined : require(`@ristretto/${each}`);
    if (Object.hasOwn(MOUNTED, each)) app.use(MOUNTED[each](loaded));
  }
  const upload = require('@ristretto/multer')();
  app.post('/json', web.json(), (req, res) => res.json(req.body));
  app.post('/form', upload.single('file'), (req, res) => res.json([req.file.size, req.body]));
  app.get('/page', (req, res) => res.send('page '.repeat(100)));
  return app;
}

/** Sends requests to an application. */
async function check(name) {
  const server = http.createServer(create(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}`;
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };
  assert.deepEqual(await (await fetch(`${address}/json`, json)).json(), { a: 1 });
  const body = new FormData();
  body.append('file', new Blob(['content']), 'a.txt');
  body.append('b', 'c');
  assert.deepEqual(await (await fetch(`${address}/form`, { method: 'POST', body })).json(), [7, { b: 'c' }]);
  const page = await fetch(`${address}/page`, { headers: { 'Accept-Encoding': 'br' } });
  assert.deepEqual([page.headers.get('content-encoding'), await page.text()], ['br', 'page '.repeat(100)]);
  assert.equal((await fetch(`${address}/start.cjs`)).status, 200);
  assert.equal((await fetch(`${address}/missing`)).status, 404);
  server.closeAllConnections();
  server.close();
}

(async () => {
  const versions = ['ristretto', 'ristretto3', 'ristretto5'];
  process.env.NODE_ENV = 'production';
  for (const name of versions) await check(name);
  console.log(
    `Node ${process.versions.node} started ${versions.join(', ')} with ${middleware.length - 1} packages of middleware`,
  );
})().catch(error => {
  console.error(error);
  process.exitCode = 1;
});

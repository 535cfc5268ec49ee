/**
 * Serves one response of every kind, to clients in the same process, and prints them as JSON with the modules that were
 * loaded meanwhile. Usage: `node served.cjs package mode part`, in a folder whose `node_modules` has the package; `mode` is
 * `plain`, `descriptors` (all file descriptors are in use) or `renamed` (`node_modules` is gone), `part` is `all` or
 * `express` (without what Express does not have).
 */
const channels = require('node:diagnostics_channel');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const http2 = require('node:http2');
const Module = require('node:module');
const net = require('node:net');
const path = require('node:path');
const { Readable } = require('node:stream');
const { setTimeout: wait } = require('node:timers/promises');
const zlib = require('node:zlib');

const [name, mode, part] = process.argv.slice(2);
const home = process.cwd();
const web = Module.createRequire(path.join(home, 'main.js'))(name);
const isExpress = part === 'express';
const version = Number(/\d?$/.exec(name)[0] || 4);

const schema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    validate: value => (value.a === '1' ? { value } : { issues: [{ message: 'is not 1', path: ['a'] }] }),
  },
};

function makeApplication() {
  const app = web();
  app.engine('txt', (file, options, callback) => callback(null, `${fs.existsSync(file)} ${options.name}`));
  app.set('views', home).enable('view cache').enable('trust proxy');
  app.use('/static', web.static(path.join(home, 'static')));
  if (version === 3) addMiddlewareOf3(app);
  app.post('/json', web.json({ limit: '1kb' }), echo);
  app.post('/form', web.urlencoded({ extended: true }), echo);
  app.post('/simple', web.urlencoded({ extended: false }), echo);
  if (version !== 3) {
    app.post('/text', web.text(), echo);
    app.post('/raw', web.raw(), (req, res) => res.send(req.body));
  }
  app.get('/text', (req, res) => res.send('text'));
  app.get('/json', (req, res) => res.json({ a: 1 }));
  app.get('/jsonp', (req, res) => res.jsonp({ a: 1 }));
  app.get('/buffer', (req, res) => res.send(Buffer.from('bytes')));
  app.get('/status', (req, res) => (version === 3 ? res.send(418) : res.sendStatus(418)));
  app.get('/redirect', (req, res) => res.redirect('/text'));
  app.get('/back', (req, res) => res.location('/a b').vary('Accept').links({ next: '/b' }).send(204));
  app.get('/type', (req, res) => res.type('epub').send('x'));
  app.get('/attachment', (req, res) => res.attachment('a.ics').send('x'));
  app.get('/accepts', (req, res) => res.send(String([req.accepts('ogg'), req.is('ico'), req.range?.(9)])));
  app.get('/query', (req, res) => res.json([req.query, req.ip, req.hostname, req.subdomains, req.protocol]));
  app.get('/error', () => {
    throw new Error('broken');
  });
  app.get('/teapot', (req, res, next) => next(Object.assign(new Error('short'), { status: 418 })));
  app.get('/file', (req, res) => send(res, path.join(home, 'static/a.txt')));
  app.get('/data', (req, res) => send(res, path.join(home, 'static/b.parquet')));
  app.get('/gone', (req, res) => send(res, path.join(home, 'static/gone.txt')));
  app.get('/download', (req, res) => res.download(path.join(home, 'static/a.txt'), 'ä.txt'));
  app.get('/view.txt', (req, res) => res.render('view.txt', { name: 'Ada' }));
  app.get('/format', (req, res) => {
    res.format({ 'text/plain': () => res.send('text'), json: () => res.json({ a: 1 }) });
  });
  app.get('/cookie', (req, res) => {
    req.secret = 'a secret that is long enough to be accepted';
    res.cookie('a', { b: 1 }, { signed: true, maxAge: 0 });
    res.clearCookie('c');
    res.send('');
  });
  app.get('/options/:id', (req, res) => res.send(req.params.id));
  if (!isExpress) addAdditions(app);
  return app;
}

function echo(req, res) {
  res.json(req.body);
}

function send(res, file) {
  if (version === 3) res.sendfile(file);
  else res.sendFile(file, { maxAge: '1d' });
}

function addAdditions(app) {
  // Loaded when it is set: when a view is rendered, `node_modules/engine` may be gone.
  app.set('view engine', 'engine').get('/default', (req, res) => res.render('default'));
  app.get('/stream', (req, res) => res.send(Readable.from(['a', 'b'])));
  app.get('/response', (req, res) => res.send(new Response('web')));
  app.get('/blob', (req, res) => res.send(new Blob(['blob'])));
  app.get('/hook', (req, res) => res.onSend(body => `${body}!`).send('hooked'));
  app.get('/signal', (req, res) => res.send(String(req.signal.aborted)));
  app.get('/events', (req, res) => {
    const events = res.sse();
    void events.send({ data: { a: 1 } });
    events.close();
  });
  if (version !== 3) app.get('/routes', (req, res) => res.json(app.routes().length > 9));
  const additions = version === 3 ? Module.createRequire(path.join(home, 'main.js'))('ristretto') : web;
  const { deadline, health, openApi, requestId, validate } = additions;
  app.get('/late', deadline('20ms', { retryAfter: 1000 }), (req, res) =>
    req.signal.addEventListener('abort', () => res.send('late')),
  );
  app.get('/id', requestId({ generate: () => 'one' }), (req, res) => res.send(req.id));
  app.get(
    '/validate',
    validate({
      query: schema,
      cookies: { ...schema, '~standard': { ...schema['~standard'], validate: value => ({ value }) } },
    }),
    (req, res) => res.json(req.query),
  );
  app.get('/checked', validate({ response: { 200: schema } }), (req, res) => res.json({ a: '1' }));
  app.use(health());
  if (version !== 3) app.get('/openapi.json', openApi(app, { info: { title: 'T', version: '1' } }));
}

function addMiddlewareOf3(app) {
  app.use(web.cookieParser('secret')).use(web.compress()).use(web.responseTime()).use(web.favicon());
  app.use('/session', web.session({ secret: 's' })).use('/session', web.csrf());
  app.use('/auth', web.basicAuth('a', 'b'));
  app.use('/upload', web.multipart()).use('/timeout', web.timeout(20));
  // The first route places the router, and what is added later comes after it.
  app.get('/session', (req, res) => res.send(String(req.csrfToken().length)));
  app.post('/upload', (req, res) => res.json(req.body));
  app.get('/timeout', () => undefined);
}

/** The requests: name, path, and what differs from a GET request without headers. */
const gzip = zlib.gzipSync('{"a":1}');
const json = { 'Content-Type': 'application/json' };
const typed = type => ({ 'Content-Type': type });
const requests = [
  ...['text', 'json', 'jsonp?callback=f', 'buffer', 'status', 'redirect', 'back', 'type', 'attachment'],
  ...[
    'query?a[b]=1',
    'error',
    'teapot',
    'file',
    'data',
    'gone',
    'download',
    'view.txt',
    'default',
    'format',
    'cookie',
  ],
  ...['missing', '%ff', 'options/7', 'static/a.txt', 'static/b.parquet', 'static/deep', 'static/gone'],
  ...['static/%2e%2e/x', 'static/.hidden', 'favicon.ico'],
  ...['stream', 'response', 'blob', 'hook', 'signal', 'events', 'routes', 'list', 'late', 'id'],
  ...['valid?a=1', 'valid?a=2', 'checked', 'readyz', 'openapi.json', 'session', 'auth', 'timeout'],
].map(target => ({ target: `/${target}` }));
const also = (target, headers, rest) => requests.push({ target, headers, ...rest });
also('/accepts', { Accept: 'audio/ogg', Range: 'bytes=0-3', 'X-Forwarded-For': '1.2.3.4' });
also('/error', { Accept: 'application/json' });
also('/error', { Accept: 'text/html' });
also('/missing', { Accept: 'application/json' });
also('/validate?a=2', { Accept: 'application/json', Cookie: 'a=b' });
also('/format', { Accept: 'application/json' });
also('/format', { Accept: 'image/png' });
also('/json', { 'If-None-Match': '*' });
also('/file', { 'If-None-Match': '*' });
also('/file', { Range: 'bytes=1-2' });
also('/file', { Range: 'bytes=0-0,2-2' });
also('/file', { Range: 'bytes=99-' });
also('/static/a.txt', { Range: 'bytes=1-2' });
also('/static/a.txt', { 'If-Match': '"x"' });
also('/options/7', {}, { method: 'OPTIONS' });
also('/text', {}, { method: 'HEAD' });
also('/text', {}, { method: 'DELETE' });
also('/static/a.txt', {}, { method: 'POST' });
const post = (target, headers, body) => also(target, headers, { method: 'POST', body });
post('/json', json, '{"a":1}');
post('/json', json, '{"a":');
post('/json', json, JSON.stringify('x'.repeat(2000)));
post('/json', typed('application/json; charset=utf-16le'), Buffer.from('{"a":1}', 'utf16le'));
post('/json', typed('application/json; charset=utf-32'), Buffer.from('7b0000007d000000', 'hex'));
post('/json', typed('application/json; charset=utf-99'), '{}');
post('/json', typed('application/json; charset=koi8-r'), '{}');
post('/json', { ...json, 'Content-Encoding': 'gzip' }, gzip);
post('/json', { ...json, 'Content-Encoding': 'gzip' }, '{"a":1}');
post('/json', { ...json, 'Content-Encoding': 'deflate' }, zlib.deflateSync('{"a":1}'));
post('/json', { ...json, 'Content-Encoding': 'br' }, zlib.brotliCompressSync('{"a":1}'));
post('/json', { ...json, 'Content-Encoding': 'zstd' }, zlib.zstdCompressSync?.('{"a":1}') ?? 'x');
post('/json', { ...json, 'Content-Encoding': 'lzma' }, 'x');
const form = typed('application/x-www-form-urlencoded');
post('/form', form, 'a[b]=1&c=2');
post('/form', typed('application/x-www-form-urlencoded; charset=iso-8859-1'), 'a=%e4');
post('/form', form, `${'a'.repeat(1001).split('').join('&')}`);
post('/simple', form, 'a=1&b=2');
for (const charset of [
  'utf-8',
  'iso-8859-1',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
])
  post('/text', typed(`text/plain; charset=${charset}`), Buffer.from('e4d6cefe', 'hex'));
post('/text', typed('text/plain; charset=none'), 'x');
post('/raw', typed('application/octet-stream'), 'raw');
post(
  '/upload',
  typed('multipart/form-data; boundary=b'),
  '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
);

const fillers = [];
/** Takes all file descriptors, except for the given number. */
function takeDescriptors(spare) {
  if (mode !== 'descriptors') return;
  try {
    for (;;) fillers.push(fs.openSync('/dev/null'));
  } catch (error) {
    if (error.code !== 'EMFILE') throw error;
  }
  for (let i = 0; i < spare; i++) fs.closeSync(fillers.pop());
}

async function connect(port) {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

/** Headers that differ between two runs of one program. */
const CHANGING = /^(?:date|x-response-time|set-cookie|x-request-id)$/;

async function ask(socket, { target, method = 'GET', headers = {}, body }) {
  const req = http.request({ createConnection: () => socket, path: target, method, headers });
  req.end(body);
  const [res] = await once(req, 'response').catch(error => {
    throw new Error(`${target}: ${error}`);
  });
  const chunks = [];
  res.on('data', chunk => chunks.push(chunk)).on('error', error => chunks.push(Buffer.from(String(error))));
  await new Promise(resolve => res.once('close', resolve));
  socket.destroy();
  const kept = Object.entries(res.headers).filter(([field]) => !CHANGING.test(field));
  return [method, target, res.statusCode, Object.fromEntries(kept), Buffer.concat(chunks).toString('latin1')];
}

async function askHttp2(session, target) {
  const stream = session.request({ ':path': target });
  stream.end();
  const [headers] = await once(stream, 'response');
  return ['HTTP/2', target, headers[':status'], Buffer.concat(await stream.toArray()).toString('latin1')];
}

async function main() {
  const app = makeApplication();
  const server = http.createServer(app).listen(0, '127.0.0.1');
  const second = http2.createServer(app).listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(second, 'listening')]);
  await wait(5);

  const sockets = [];
  for (let i = 0; i <= requests.length; i++) sockets.push(await connect(server.address().port));
  const session = http2.connect(`http://127.0.0.1:${second.address().port}`);
  await once(session, 'connect');
  if (mode === 'renamed') fs.renameSync('node_modules', 'renamed');
  const loaded = [];
  // Not called for cached modules; Node's own modules are not files.
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    if (!Module.isBuiltin(request)) loaded.push(request);
    return resolve.call(this, request, ...rest);
  };

  const responses = [];
  for (const request of requests) {
    takeDescriptors(/file|data|download|static/.test(request.target) ? 1 : 0);
    responses.push(await ask(sockets.pop(), request));
  }
  takeDescriptors(0);
  if (!isExpress) {
    for (const target of ['/text', '/missing', '/error', '/json'])
      responses.push(await askHttp2(session, target));
    const answer = await app.fetch(new Request('http://localhost/json'));
    responses.push(['fetch', answer.status, await answer.text()]);
    const { status, text } = await app.inject('/missing');
    responses.push(['inject', status, text()]);
    for (const traced of ['tracing:express.router.request:start', 'tracing:ristretto.request:start'])
      channels.subscribe(traced, () => undefined);
    responses.push(await ask(sockets.pop(), { target: '/error' }));
    session.destroy();
    second.close();
    if (version !== 3) await web.stop(server, { timeout: 100 });
  }
  fs.writeSync(1, JSON.stringify({ responses, loaded }));
  process.exit();
}

process.on('uncaughtException', error => {
  fs.writeSync(2, `uncaught: ${error.stack}\n`);
  process.exit(1);
});
void main();

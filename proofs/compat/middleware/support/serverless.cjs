/** An application for adapters that call it without a server, with their own request and response classes. */
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const LARGE = 'a large file\n'.repeat(20_000);

/** Returns an application with every kind of response; files are written to the working directory. */
function application() {
  const express = require('express');
  fs.writeFileSync('large.txt', LARGE);
  fs.writeFileSync('small.txt', 'a small file\n');
  for (const name of ['large.txt', 'small.txt']) fs.utimesSync(name, 1e9, 1e9);
  const app = express();
  app.disable('x-powered-by').set('env', 'production').set('trust proxy', true);
  app.use(express.json(), express.urlencoded({ extended: true }), express.text(), express.raw());
  app.get('/text', (req, res) => res.send('text'));
  app.get('/json/:id', (req, res) => res.status(201).json({ params: req.params, query: req.query }));
  app.get('/seen', (req, res) =>
    res.json({
      ip: req.ip,
      host: req.hostname,
      protocol: req.protocol,
      url: req.originalUrl,
      mine: req.get('x-mine'),
    }),
  );
  app.get('/bytes', (req, res) => res.type('png').send(Buffer.from([0x89, 0x50, 0, 0xff])));
  app.get('/gzip', (req, res) =>
    res.set('Content-Encoding', 'gzip').type('text').send(zlib.gzipSync('text')),
  );
  app.get('/cookies', (req, res) =>
    res.cookie('a', '1').cookie('b', { c: 2 }, { httpOnly: true }).sendStatus(200),
  );
  app.get('/redirect', (req, res) => res.redirect('/text'));
  app.get('/empty', (req, res) => res.status(204).end());
  app.get('/end', (req, res) => res.end('ended'));
  app.get('/head', (req, res) => res.writeHead(203, { 'X-Head': 'written' }).end('written'));
  app.get('/pieces', (req, res) => {
    res.type('text').write('one,');
    setImmediate(() => res.write('two,', () => res.end('three')));
  });
  app.get('/piped', (req, res) => fs.createReadStream('large.txt').pipe(res.type('text')));
  app.get('/file/:name', (req, res) => res.sendFile(path.resolve(req.params.name)));
  app.get('/download', (req, res) => res.download('small.txt', 'naïve.txt'));
  app.get('/format', (req, res) => res.format({ json: () => res.json({}), html: () => res.send('<p>') }));
  app.post('/echo', (req, res) =>
    res.json({
      type: req.get('content-type'),
      body: Buffer.isBuffer(req.body) ? req.body.toString('hex') : req.body,
    }),
  );
  app.get('/throws', () => {
    throw Object.assign(new Error('thrown'), { status: 418 });
  });
  app.get('/finished', (req, res) => {
    const seen = [];
    for (const event of ['prefinish', 'finish']) res.on(event, () => seen.push(event));
    app.locals.finished = seen;
    res.send('finished');
  });
  app.use(
    '/mounted',
    express.Router().get('/', (req, res) => res.send(`${req.baseUrl} ${req.path}`)),
  );
  const inner = express().disable('x-powered-by');
  inner.get('/', (req, res) => res.send(req.app.mountpath));
  app.use('/sub', inner);
  app.use('/static', express.static('.'));
  return app;
}

/** The requests: `{ method, path, query, headers, body }`. */
const requests = [
  { path: '/text' },
  { path: '/text', method: 'HEAD' },
  { path: '/json/7', query: { a: '1', b: 'é' } },
  { path: '/seen', headers: { 'x-mine': 'yes', 'x-forwarded-proto': 'https' } },
  { path: '/bytes' },
  { path: '/gzip' },
  { path: '/cookies' },
  { path: '/redirect' },
  { path: '/empty' },
  { path: '/end' },
  { path: '/head' },
  { path: '/pieces' },
  { path: '/piped' },
  { path: '/file/small.txt' },
  { path: '/file/large.txt' },
  { path: '/file/large.txt', headers: { range: 'bytes=5-9' } },
  { path: '/file/none.txt' },
  { path: '/static/large.txt' },
  { path: '/static/large.txt', headers: { 'if-none-match': '*' } },
  { path: '/static/small.txt', method: 'HEAD' },
  { path: '/download' },
  { path: '/format', headers: { accept: 'text/html' } },
  { path: '/echo', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":[1]}' },
  {
    path: '/echo',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a[b]=c',
  },
  { path: '/echo', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(90_000) },
  { path: '/echo', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' },
  { path: '/throws' },
  { path: '/finished' },
  { path: '/mounted' },
  { path: '/sub' },
  { path: '/none' },
  { path: '/text', method: 'OPTIONS' },
];

/** Returns a value with placeholders for current dates, and with the length and hash of long bodies. */
function comparable(value) {
  const text = JSON.stringify(value, (key, member) => {
    if (/^date$/i.test(key)) return '<date>';
    if (typeof member !== 'string' || member.length < 2000) return member;
    return `${member.length} ${require('node:crypto').createHash('sha1').update(member).digest('hex')}`;
  });
  return JSON.parse(text);
}

/** Rejects if a promise does not settle in time, naming the request that hangs. */
function within(promise, what, seconds = 3) {
  let timer;
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response to ${what} in ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Sends all requests in order; a request that hangs is noted as such, and the rest are still sent. */
async function askAll(ask) {
  const seen = [];
  for (const wanted of requests) {
    const asked = `${wanted.method ?? 'GET'} ${wanted.path} ${wanted.headers?.range ?? ''}`;
    const answer = await within(ask({ method: 'GET', query: {}, headers: {}, ...wanted }), asked).catch(
      error => ({
        error: error.message,
      }),
    );
    seen.push({ asked, answer: comparable(answer) });
  }
  return seen;
}

module.exports = { LARGE, application, askAll, comparable, requests, within };

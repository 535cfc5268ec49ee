/**
 * The application that runs on every runtime, unchanged: one router for each group of checks. It uses only the
 * framework, middleware from npm, and Node.js modules that every runtime has.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import ejs from 'ejs';
import session from 'express-session';
import morgan from 'morgan';
import multer from 'multer';
import web from '../../../packages/ristretto/index.js';

/** Returns a router inside a router, which shows the URL it sees. */
function mounted() {
  const router = web.Router();
  router.get('/leaf/:id', (req, res) => {
    res.json({ url: req.url, baseUrl: req.baseUrl, originalUrl: req.originalUrl, path: req.path });
  });
  return router;
}

/** Routes: parameters, mounting, methods, and what the framework reports about the request and the response. */
function routing(app) {
  const router = web.Router();
  const lines = [];
  router.use(
    '/logged',
    morgan(':method :url :status :res[content-type]', { stream: { write: line => lines.push(line) } }),
  );
  router.get('/hello', (_req, res) => res.send('hello'));
  router.get('/users/:name', (req, res) => res.json(req.params));
  router.get(/^\/expression\/(\d+)$/, (req, res) => res.json(req.params));
  router.get('/query', (req, res) => res.json(req.query));
  router.use('/mounted', mounted());
  router.all('/method', (req, res) => res.send(req.method));
  router.get('/redirect', (_req, res) => res.redirect('/routing/hello?from=é'));
  router.get('/empty', (_req, res) => res.status(204).json({ discarded: true }));
  router.get('/status', (_req, res) => res.status(299).send('of its own'));
  router.get('/header-case', (_req, res) => res.set('X-CamelCase', 'kept').end('x'));
  router.get('/network', (req, res) => {
    const { ip, protocol, secure, hostname, httpVersion } = req;
    res.json({ ip, protocol, secure, hostname, httpVersion });
  });
  router.get('/repeated', (req, res) =>
    res.json({ raw: req.rawHeaders.filter(text => /^x-two/i.test(text)) }),
  );
  router.get('/negotiated', (req, res) => {
    res.format({ text: () => res.send('text'), json: () => res.json('json') });
  });
  router.get('/proxied', (req, res) => {
    app.set('trust proxy', true);
    const { ip, protocol, hostname } = req;
    app.set('trust proxy', false);
    res.json({ ip, protocol, hostname });
  });
  router.get('/logged/x', (_req, res) => res.type('text').send('x'));
  router.get('/lines', (_req, res) => res.json(lines.splice(0)));
  router.get('/hints', (_req, res) => {
    res.writeEarlyHints({ link: '</style.css>; rel=preload' });
    res.send('hinted');
  });
  return router;
}

/** Request bodies, and the lengths and encodings of responses. */
function bodies() {
  const router = web.Router();
  router.post('/json', web.json({ limit: '1kb' }), (req, res) => res.json(req.body));
  router.post('/form', web.urlencoded({ extended: true }), (req, res) => res.json(req.body));
  router.post('/text', web.text(), (req, res) => res.json(req.body));
  router.post('/raw', web.raw({ limit: '5mb' }), (req, res) => {
    res.json({ isBuffer: Buffer.isBuffer(req.body), length: req.body.length });
  });
  router.post('/unread', (_req, res) => res.send('not read'));
  router.post('/twice', web.json(), web.urlencoded({ extended: false }), (req, res) => res.json(req.body));
  router.post('/echo', (req, res) => req.pipe(res));
  router.post('/iterated', async (req, res) => {
    let length = 0;
    for await (const chunk of req) length += chunk.length;
    res.json({ length });
  });
  router.get('/compressed', compression({ threshold: 0 }), (_req, res) => {
    res.type('text').send('compress me '.repeat(100));
  });
  router.get('/written', (_req, res) => {
    res.type('text').write('one ');
    res.write(Buffer.from('two '));
    res.end('three');
  });
  router.get('/trailers', (_req, res) => {
    res.set('Trailer', 'X-Sum').write('body');
    res.addTrailers({ 'X-Sum': '4' });
    res.end();
  });
  router.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ type: err.type }));
  return router;
}

/** Files: `web.static`, `res.sendFile`, `res.download`. */
function files(folder) {
  const router = web.Router();
  router.use('/static', web.static(folder, { maxAge: '1h' }));
  router.get('/sent', (_req, res) => res.sendFile('digits.txt', { root: folder }));
  router.get('/attachment', (_req, res) => res.download(path.join(folder, 'digits.txt'), '€.txt'));
  router.get('/missing', (_req, res) => {
    res.sendFile(path.join(folder, 'none.txt'), err => res.status(err.status).json({ code: err.code }));
  });
  router.get('/large', (_req, res) => res.sendFile(path.join(folder, '../../../../package-lock.json')));
  return router;
}

/** Replaces `{name}` with values. */
function fill(file, options, callback) {
  fs.readFile(file, 'utf8', (err, text) => {
    if (err) callback(err);
    else
      callback(
        null,
        text.replace(/\{(\w+)\}/g, (_, name) => options[name]),
      );
  });
}

/** Views: an engine from npm that compiles templates, and one that only fills in values. */
function engines(app) {
  app.engine('ejs', ejs.renderFile);
  app.engine('txt', fill);
  const router = web.Router();
  router.get('/compiled', (_req, res) => res.render('page.ejs', { title: '<views>' }));
  router.get('/filled', (_req, res) => {
    res.locals.who = 'locals';
    res.render('page.txt', { title: 'filled' });
  });
  router.get('/missing', (_req, res) => res.render('none.txt'));
  router.get('/callback', (_req, res, next) => {
    app.render('page.txt', { title: 'called', who: 'back' }, (err, text) =>
      err ? next(err) : res.send(text),
    );
  });
  return router;
}

/** Cookies and sessions. */
function state() {
  const router = web.Router();
  router.use(cookieParser('secret'));
  router.get('/set', (_req, res) => {
    res.cookie('plain', 'a b', { httpOnly: true, sameSite: 'lax', path: '/' });
    res.cookie('json', { n: 1 });
    res.cookie('signed', 'value', { signed: true });
    res.clearCookie('old');
    res.send('set');
  });
  router.get('/read', (req, res) => res.json({ cookies: req.cookies, signed: req.signedCookies }));
  router.use('/session', session({ secret: 'secret', resave: false, saveUninitialized: false }));
  router.get('/session/count', (req, res) => {
    req.session.count = (req.session.count ?? 0) + 1;
    res.json({ count: req.session.count });
  });
  router.get('/session/none', (_req, res) => res.send('not touched'));
  router.get('/session/end', (req, res, next) =>
    req.session.destroy(err => (err ? next(err) : res.send('ended'))),
  );
  return router;
}

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Event streams, and large responses that wait for their client. */
function streams() {
  const router = web.Router();
  let confirmed = 0;
  router.get('/events', async (_req, res) => {
    confirmed = 0;
    res.type('text/event-stream').set('Cache-Control', 'no-cache').flushHeaders();
    for (let id = 1; id <= 3; id++) {
      res.write(`id: ${id}\ndata: event ${id}\n\n`);
      // Polled: in workerd, a request cannot wait for a promise that another one resolves.
      while (confirmed < id && !res.destroyed) await sleep(20);
    }
    res.end();
  });
  router.get('/events/confirm', (_req, res) => res.json(++confirmed));
  router.get('/piped', async (_req, res) => {
    const chunk = Buffer.alloc(65_536, 'x');
    await pipeline(Readable.from(Array.from({ length: 64 }, () => chunk)), res.type('text'));
  });
  router.get('/slow', async (req, res) => {
    req.app.emit('in flight');
    await sleep(Number(req.query.ms));
    res.send('slow');
  });
  router.get('/slow-stream', async (req, res) => {
    res.type('text').write('begun ');
    await sleep(Number(req.query.ms));
    res.end('ended');
  });
  router.get('/never', (_req, res) => res.write('begun'));
  return router;
}

/** WebSockets: `app.ws`. Events are noted, and can be requested afterwards. */
function sockets() {
  const router = web.Router();
  const visitor = new AsyncLocalStorage();
  /** @type {string[]} */
  const notes = [];
  router.get('/notes', (_req, res) => res.json(notes));
  router.use((req, res, next) => {
    res.cookie('first', '1');
    res.cookie('second', '2');
    visitor.run(req.get('x-visitor'), next);
  });
  router.ws('/echo/:room', { protocols: ['b', 'a'] }, (socket, req) => {
    socket.on('message', (data, isBinary) => {
      const text = data.toString();
      if (text === 'fail') throw new Error('of a listener');
      if (text === 'state') socket.send(`${req.params.room} ${visitor.getStore()} ${socket.readyState}`);
      else if (text === 'leave') socket.close(3001, 'left');
      else socket.send(data, { binary: isBinary });
    });
    socket.on('close', (code, reason) => notes.push(`${visitor.getStore()} ${code} ${reason}`));
  });
  router.ws(
    '/private',
    (_req, res) => res.status(401).json({ error: 'log in first' }),
    () => undefined,
  );
  router.ws('/single', { maxConnectionsPerAddress: 1 }, () => undefined);
  router.ws('/flood', { maxBacklog: '64kb' }, socket => {
    socket.on('message', () => {
      const chunk = Buffer.alloc(1_000_000);
      for (let sent = 0; sent < 100; sent++) socket.send(chunk, () => undefined);
      notes.push(`flood ${socket.readyState === 1 ? 'goes on' : 'ended'}`);
      socket.terminate();
    });
  });
  return router;
}

/** Uploaded forms with files. */
function uploads() {
  const router = web.Router();
  const memory = multer({ storage: multer.memoryStorage(), limits: { fileSize: 100_000 } });
  router.post('/memory', memory.array('files'), (req, res) => {
    const files = req.files.map(({ originalname, mimetype, size }) => ({ originalname, mimetype, size }));
    res.json({ files, fields: req.body });
  });
  router.post('/disk', multer({ dest: '/tmp' }).single('file'), (req, res) => {
    res.json({ size: req.file.size });
  });
  router.post('/counted', async (req, res) => {
    let length = 0;
    req.on('data', chunk => (length += chunk.length));
    req.on('end', () => res.json({ length }));
  });
  router.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ code: err.code }));
  return router;
}

/** Requests whose client disconnects: the emitted events are noted, and can be requested afterwards. */
function aborts() {
  const router = web.Router();
  /** @type {Record<string, string[]>} */
  const notes = {};
  const note = (id, text) => (notes[id] ??= []).push(text);
  router.get('/notes/:id', (req, res) => res.json(notes[req.params.id] ?? []));
  router.use('/:kind(pending|silent|download|body|stream)/:id', (req, _res, next) => {
    note(req.params.id, 'begun');
    next();
  });
  router.get('/pending/:id', (req, res) => {
    const { id } = req.params;
    res.on('close', () => note(id, `response closed, finished: ${res.writableFinished}`));
    res.write('begun');
  });
  router.get('/silent/:id', (req, res) => {
    const { id } = req.params;
    res.on('close', () => note(id, `response closed, finished: ${res.writableFinished}`));
  });
  router.get('/download/:id', (req, res) => {
    const { id } = req.params;
    // The executable of the runtime itself, because it is larger than any buffer.
    res.download(process.execPath, err => note(id, err ? err.code : 'sent'));
  });
  router.post('/body/:id', web.json(), (_req, res) => res.send('parsed'));
  router.use('/body/:id', (err, req, _res, _next) => note(req.params.id, err.type));
  router.post('/stream/:id', (req, _res) => {
    const { id } = req.params;
    req.on('data', () => undefined);
    req.on('aborted', () => note(id, 'aborted'));
    req.on('end', () => note(id, 'end'));
    req.on('close', () => note(id, `request closed, complete: ${req.complete}`));
    req.on('error', err => note(id, err.code));
  });
  return router;
}

// workerd cannot access files of its host: the files in its configuration are in the working directory.
const home = import.meta.dirname ?? path.join(process.cwd(), 'proofs/runtimes/application');

export const app = web();
app.set('views', path.join(home, 'views'));
app.locals.site = 'Ristretto';
app.use('/routing', routing(app));
app.use('/bodies', bodies());
app.use('/files', files(path.join(home, 'public')));
app.use('/views', engines(app));
app.use('/state', state());
app.use('/streams', streams());
app.use('/sockets', sockets());
app.use('/uploads', uploads());
app.use('/aborts', aborts());
/** The calls noted by a tool that patched functions of Node.js (tool.mjs). */
app.get('/patched', (_req, res) => res.json(globalThis.patchedCalls.splice(0)));
app.use('/errors/custom', (_req, _res, next) => next(Object.assign(new Error('tea only'), { status: 418 })));
app.use('/errors/thrown', () => {
  throw new Error('thrown here');
});
app.use('/errors/rejected', async () => {
  await Promise.resolve();
  throw Object.assign(new Error('rejected here'), { status: 409 });
});
app.use('/errors/late', (_req, res, next) => {
  res.write('begun');
  setTimeout(() => next(new Error('too late for a page')), 20);
});

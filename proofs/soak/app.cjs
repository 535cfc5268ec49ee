/**
 * The application under stress, on each of the frameworks: every kind of route that can fail. `told` counts the events
 * that handlers received.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const querystring = require('node:querystring');
const { pipeline } = require('node:stream');
const zlib = require('node:zlib');

const LIMIT = 1024 * 1024;
const json = { hello: 'world', list: Array.from({ length: 20 }, (_, i) => ({ id: i, name: `name ${i}` })) };

/** Saves the body of a request to a file, which is removed once it is closed. */
function save(req, res, folder, told) {
  const file = path.join(folder, `upload-${process.hrtime.bigint()}`);
  const output = fs.createWriteStream(file);
  // Deletes the file only now: if the client disconnects early, the file may not exist yet.
  output.on('close', () => fs.unlink(file, () => {}));
  pipeline(req, output, error => {
    told[error ? 'cut' : 'saved']++;
    if (!error) res.end('saved');
  });
}

/** Counts the bytes of a body as they arrive. */
function count(req, res) {
  let bytes = 0;
  req.on('data', chunk => (bytes += chunk.length));
  req.on('end', () => res.end(String(bytes)));
}

/** Creates the application for Express 4 and Ristretto, with the same code. */
function onFramework(web, { folder, told }) {
  const app = web();
  app.set('env', 'production');
  app.set('views', folder);
  app.engine('boom', () => {
    throw new Error('view');
  });
  const fail = kind => {
    throw new Error(kind);
  };
  app.param('bad', (req, res, next, value) => (value === 'bad' ? fail('param') : next()));
  app.get('/hello', (req, res) => res.json(json));
  app.get('/wait/:ms', (req, res) => void setTimeout(() => res.json(json), Number(req.params.ms)));
  app.get('/users/:id/posts/:post', (req, res) => res.json(req.params));
  app.get('/search', (req, res) => res.json(req.query));
  app.post('/json', web.json(), (req, res) => res.json(req.body));
  app.post('/form', web.urlencoded({ extended: true }), (req, res) => res.json(req.body));
  app.post('/raw', web.raw({ limit: LIMIT }), (req, res) => res.json({ bytes: req.body.length }));
  app.post('/large', web.raw({ limit: 64 * LIMIT }), (req, res) => res.json({ bytes: req.body.length }));
  app.post('/file', (req, res) => save(req, res, folder, told));
  app.post('/count', count);
  app.use('/static', web.static(folder));
  app.use('/gzip', require('compression')(), web.static(folder));
  app.get('/throw', () => fail('throw'));
  app.get('/reject', async () => fail('reject'));
  app.get('/param/:bad', (req, res) => res.send('never'));
  app.get('/view', (req, res) => res.render('page.boom'));
  app.get('/handler', () => fail('handler'));
  app.get('/late', (req, res) => {
    res.write('half of it');
    fail('late');
  });
  app.use((err, req, res, next) => {
    if (err.type === 'request.aborted') told.cut++;
    if (err.type === 'entity.too.large') return res.status(413).send('too large');
    if (err.message === 'handler') throw new Error('in the error handler');
    next(err);
  });
  return app;
}

/**
 * Creates the application by hand, with a minimum of code; errors that a bare server does not handle crash the process.
 */
function bare({ folder, told }) {
  const send = (res, value) => {
    const text = JSON.stringify(value);
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    res.end(text);
  };
  const read = (req, res, limit, use) => {
    const chunks = [];
    let size = 0;
    req.on('data', chunk => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    req.on('end', () => {
      if (size > limit) res.writeHead(413).end();
      else use(Buffer.concat(chunks));
    });
    req.on('close', () => {
      if (!req.complete) told.cut++;
    });
  };
  const file = (req, res) => fs.createReadStream(path.join(folder, path.basename(req.url)));
  return (req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://x');
    const [, first, second, , fourth] = pathname.split('/');
    switch (first) {
      case 'hello':
        return send(res, json);
      case 'wait':
        return void setTimeout(() => send(res, json), Number(second));
      case 'users':
        return send(res, { id: second, post: fourth });
      case 'search':
        return send(res, Object.fromEntries(searchParams));
      case 'json':
        return read(req, res, LIMIT, body => {
          try {
            send(res, JSON.parse(body));
          } catch {
            res.writeHead(400).end();
          }
        });
      case 'form':
        return read(req, res, LIMIT, body => send(res, querystring.parse(body.toString())));
      case 'raw':
        return read(req, res, LIMIT, body => send(res, { bytes: body.length }));
      case 'large':
        return read(req, res, 64 * LIMIT, body => send(res, { bytes: body.length }));
      case 'file':
        return save(req, res, folder, told);
      case 'count':
        return count(req, res);
      case 'static':
        return pipeline(file(req), res, () => {});
      case 'gzip':
        res.setHeader('Content-Encoding', 'gzip');
        return pipeline(file(req), zlib.createGzip(), res, () => {});
      case 'late':
        res.write('half of it');
        throw new Error('late');
      case 'reject':
        return Promise.reject(new Error('reject'));
      default:
        throw new Error(first);
    }
  };
}

const builders = {
  ristretto: context => onFramework(require('ristretto'), context),
  'express 4': context => onFramework(require('express'), context),
  'bare http': bare,
};

module.exports = { builders };

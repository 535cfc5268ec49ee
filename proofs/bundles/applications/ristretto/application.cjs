/** The application that is bundled. It uses every part of the framework that is loaded on first use. */
'use strict';
const fs = require('node:fs');
const http2 = require('node:http2');
const path = require('node:path');
const ejs = require('ejs');
const web = require('ristretto');
const { traced } = require('./environment.cjs');

// Files other than code are next to the bundle, in the working directory.
const at = name => path.resolve('public', name);

/** An engine without a package: `{name}` is replaced by a local. */
function letters(file, locals, callback) {
  fs.readFile(file, 'utf8', (error, text) =>
    callback(
      error,
      text?.replace(/\{(\w+)\}/g, (_, name) => locals[name]),
    ),
  );
}

function addRoutes(app) {
  app.get('/', (req, res) => res.send('hello'));
  app.get('/users/:id(\\d+)/:tab?', (req, res) => res.json({ params: req.params, query: req.query }));
  app.get('/files/*', (req, res) => res.json(req.params));
  app.get(/^\/v(\d+)(?=\/|$)/, (req, res) => res.json(req.params));
  app.get('/(a|b)+c{2}', (req, res) => res.json(req.params));
  app.param('pet', (req, res, next, name) => next(name === 'none' ? 'route' : undefined));
  app.get('/pets/:pet', (req, res) => res.send(req.params.pet));
  app.get('/request', (req, res) =>
    res.json({
      ip: req.ip,
      ips: req.ips,
      host: req.hostname,
      secure: req.secure,
      subdomains: req.subdomains,
      accepts: req.accepts(['html', 'json']),
      languages: req.acceptsLanguages(),
      encodings: req.acceptsEncodings(),
      range: req.range(100),
      fresh: req.fresh,
    }),
  );
}

function addBodies(app) {
  const echo = (req, res) => res.json({ body: req.body, is: req.is('json', 'urlencoded', 'text/*') || null });
  app.post('/json', web.json({ limit: '1kb' }), echo);
  app.post('/form', web.urlencoded({ extended: true }), echo);
  app.post('/simple', web.urlencoded({ extended: false }), echo);
  // `extended` is left out: it prints a deprecation warning.
  app.post('/undecided', web.urlencoded(), echo);
  app.post('/text', web.text(), echo);
  app.post('/raw', web.raw(), (req, res) => res.send(req.body.toString('hex')));
}

function addResponses(app) {
  app.get('/cookies', (req, res) => {
    res.cookie('plain', 'a b', { expires: new Date(0), httpOnly: true, path: '/x' });
    res.cookie('signed', { id: 7 }, { signed: true, sameSite: 'lax' });
    res.clearCookie('old').end();
  });
  app.get('/format', (req, res) =>
    res.format({
      html: () => res.send('<p>html</p>'),
      json: () => res.json({ format: 'json' }),
    }),
  );
  app.get('/headers', (req, res) => {
    res.type('md').links({ next: '/2' }).vary('Accept').append('X-Many', ['1', '2']);
    res.location('/ä b').attachment('ä.pdf').status(203).end('headers');
  });
  app.get('/jsonp', (req, res) => res.jsonp({ text: '</script>\u2028' }));
  app.get('/redirect', (req, res) => res.redirect('/users/1?a=<b>'));
  app.get('/status', (req, res) => res.sendStatus(418));
  app.get('/stream', (req, res) => void (res.write('one '), res.end('two')));
  app.get('/deprecated', (req, res) => res.send(201, 'two arguments'));
}

function addFiles(app) {
  app.use('/public', web.static(path.resolve('public'), { maxAge: '1d', index: 'index.html' }));
  app.get('/send', (req, res) => res.sendFile('data.json', { root: path.resolve('public') }));
  app.get('/download', (req, res, next) => res.download(at('site.css'), 'stíl.css', next));
  app.get('/missing', (req, res) => res.sendFile(at('missing.json')));
  app.get('/type/:extension', (req, res) => res.send(String(web.static.mime.lookup(req.params.extension))));
}

function addViews(app) {
  app.engine('ejs', ejs.__express);
  app.engine('txt', letters);
  app.set('view engine', 'ejs');
  app.get('/view', (req, res) => res.render('list', { title: '<views>', names: ['Tobi', 'Jane & co'] }));
  app.get('/letter', (req, res) => res.render('letter.txt', { name: 'Tobi' }));
  app.get('/beside', (req, res) => res.render('beside.plain'));
  app.get('/no-view', (req, res) => res.render('none'));
  app.get('/no-engine', (req, res) => {
    try {
      app.render('list.unregistered', res.end);
    } catch (error) {
      // In a bundle, the error message has further lines with instructions.
      res.json({ code: error.code, message: error.message.split('\n')[0] });
    }
  });
}

/** Adds routes that use the application through other servers and test clients. */
function addServers(app) {
  app.get('/by-fetch', async (req, res) => {
    const body = JSON.stringify({ by: 'fetch' });
    const headers = { 'content-type': 'application/json' };
    const request = new Request('https://a.example/json', { method: 'POST', headers, body });
    const response = await app.fetch(request, { remoteAddress: '192.0.2.1' });
    response.headers.delete('date');
    res.json([response.status, [...response.headers], await response.text()]);
  });
  app.get('/by-inject', async (req, res) => {
    const { status, headers, cookies, json } = await app.inject({ url: '/request', query: { a: 1 } });
    res.json([status, headers['content-type'], cookies, json()]);
  });
  app.get('/by-http2', (req, res, next) => {
    const server = app.listen({ http2: true, host: '127.0.0.1', port: 0 }, () => {
      const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
      const stream = session.on('error', next).request({ ':path': '/users/7/by-http2' });
      const seen = [];
      stream.on('response', ({ date, ...headers }) => seen.push(headers));
      stream.setEncoding('utf8').on('data', text => seen.push(text));
      stream.on('close', () => {
        session.close();
        server.close(() => res.json(seen));
      });
    });
  });
}

function addErrors(app) {
  app.get('/throws', () => {
    throw new Error('secret');
  });
  app.get('/rejects', () =>
    Promise.reject(Object.assign(new Error('not here'), { status: 410, expose: true })),
  );
  app.get('/passes', (req, res, next) => next(Object.assign(new Error('busy'), { statusCode: 503 })));
}

/**
 * Creates the application.
 * @param entry the members of the framework that the main program imports
 */
exports.makeApplication = entry => {
  const app = web();
  app.set('cookie secret', 'x').set('trust proxy', 'loopback').enable('strict http');
  app.use((req, res, next) => {
    req.secret = 'keyboard cat';
    next();
  });
  addRoutes(app);
  addBodies(app);
  addResponses(app);
  addFiles(app);
  addViews(app);
  addServers(app);
  addErrors(app);
  app.get('/one-copy', (req, res) =>
    res.json(Object.entries(entry).map(([name, member]) => [name, member === web[name]])),
  );
  app.get('/traced', (req, res) => res.json(traced));
  const router = entry.Router({ mergeParams: true });
  router.get('/:name', (req, res) => res.json([req.baseUrl, req.params]));
  app.use('/in/:place', router);
  const inner = web();
  inner.get('/', (req, res) => res.send(req.app.path()));
  app.use('/inner', inner);
  app.use((error, req, res, next) => (error.status === 400 ? res.status(400).send(error.type) : next(error)));
  return app;
};

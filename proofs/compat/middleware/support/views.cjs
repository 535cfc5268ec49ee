/**
 * Shared by the scenarios of view engines: a folder of templates, and requests for everything an application does with
 * them.
 */
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { statuses, visit } = require('./visit.cjs');

/** Writes files at paths below the working directory. */
function write(files) {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, text);
  }
}

/**
 * Adds routes that render, to an application whose engine is set. Needs the views `index` (of `title`, `list`, `user`,
 * `nothing` and `site`), `broken` (that fails to compile) and `failing` (that calls `fail()`).
 */
function routes(app) {
  app.locals.site = 'Site & Söhne';
  app.use((req, res, next) => {
    res.locals.user = req.query.user;
    next();
  });
  const locals = { title: '<Title>', list: ['a', 'b<c>'] };
  app.get('/', (req, res) => res.render('index', locals));
  app.get('/again', (req, res) =>
    res
      .status(201)
      .type('text')
      .render('index', { ...locals, site: 'mine' }),
  );
  app.get('/callback', (req, res, next) =>
    res.render('index', locals, (err, text) => (err ? next(err) : res.json({ length: text.length, text }))),
  );
  app.get('/app', (req, res, next) =>
    app.render('index', { ...locals, user: 'app' }, (err, text) => (err ? next(err) : res.send(text))),
  );
  const fail = () => {
    throw Object.assign(new Error('from a helper'), { status: 418 });
  };
  app.get('/failing', (req, res) => res.render('failing', { fail }));
  app.get('/broken', (req, res) => res.render('broken'));
  app.get('/missing', (req, res) => res.render('missing'));
}

/**
 * Starts the application, and requests the routes of `routes`, twice if views may be cached, and others. Messages of errors of engines
 * contain paths; those of the working directory are random. Returns the responses and their statuses.
 */
async function tour({ listen, request }, app, more) {
  app.use((err, req, res, next) => {
    if (res.headersSent) return next(err);
    const message = err.message.replaceAll(process.cwd(), '<cwd>');
    res.status(err.status ?? 500).json({ name: err.name, message, view: err.view?.name });
  });
  const paths = [
    '/',
    '/?user=Ada',
    '/again?user=%3Ci%3E',
    '/callback',
    '/app',
    '/failing',
    '/broken',
    '/missing',
  ];
  const seen = await visit(
    request,
    await listen(app),
    [...paths, '/', ...more].map(each => `GET ${each}`),
  );
  return { seen, statuses: statuses(seen) };
}

module.exports = { routes, tour, write };

/** Views: an engine from npm that compiles templates, and one that only fills in values. */
import fs from 'node:fs';
import ejs from 'ejs';
import web from '../../../packages/ristretto/index.js';

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

export function engines(app) {
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

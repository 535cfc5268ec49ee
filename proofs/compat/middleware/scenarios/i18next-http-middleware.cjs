/** i18next-http-middleware: detects the language of a request. */
'use strict';

const assert = require('node:assert/strict');
const { field, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['i18next-http-middleware', 'i18next'],
  exercised:
    'detection by path, query, cookie, header and session with its order and caches, req.t in handlers and views, res.locals, changeLanguage, ignoreRoutes, addRoute, getResourcesHandler, missingKeyHandler, Content-Language',

  async run({ listen, request, note }) {
    const express = require('express');
    const i18next = require('i18next');
    const middleware = require('i18next-http-middleware');
    const instance = i18next.createInstance();
    await instance.use(middleware.LanguageDetector).init({
      supportedLngs: ['en', 'de', 'fr'],
      fallbackLng: 'en',
      preload: ['en', 'de'],
      saveMissing: true,
      showSupportNotice: false,
      resources: {
        en: {
          translation: {
            hello: 'Hello {{name}}',
            cups_one: 'one cup',
            cups_other: '{{count}} cups',
            route: 'about',
          },
        },
        de: {
          translation: {
            hello: 'Hallo {{name}}',
            cups_one: 'eine Tasse',
            cups_other: '{{count}} Tassen',
            route: 'ueber',
          },
        },
      },
      detection: {
        order: ['path', 'querystring', 'cookie', 'header'],
        lookupFromPathIndex: 0,
        lookupQuerystring: 'lng',
        lookupCookie: 'lang',
        caches: ['cookie'],
        cookieSecure: false,
      },
    });
    const app = express();
    app.engine('txt', (file, locals, callback) =>
      callback(
        null,
        `${locals.t('hello', { name: 'view' })} ${locals.language} ${locals.languageDir} ${typeof locals.i18n}`,
      ),
    );
    require('node:fs').mkdirSync('views');
    require('node:fs').writeFileSync('views/page.txt', '');
    app.set('view engine', 'txt');
    app.use(express.json(), express.urlencoded({ extended: true }));
    app.use(middleware.handle(instance, { ignoreRoutes: ['/ignored'], removeLngFromUrl: false }));
    app.get('/locales/resources.json', middleware.getResourcesHandler(instance));
    app.post('/locales/add/:lng/:ns', middleware.missingKeyHandler(instance));
    middleware.addRoute(instance, '/:lng/route', ['en', 'de'], app, 'get', (req, res) =>
      res.send(`route ${req.language}`),
    );
    app.get('/ignored', (req, res) => res.json({ t: typeof req.t }));
    app.get('/view', (req, res) => res.render('page'));
    app.get('/change', (req, res) => {
      req.i18n.changeLanguage('de');
      res.send(req.t('hello', { name: 'changed' }));
    });
    app.get(/.*/, (req, res) => {
      const { language, languages, resolvedLanguage } = req;
      res.json({
        language,
        languages,
        resolvedLanguage,
        text: req.t('hello', { name: 'Ada' }),
        cups: [1, 2].map(count => req.t('cups', { count })),
        missing: req.t('nothing'),
        exists: req.i18n.exists('hello'),
      });
    });
    instance.on('missingKey', (...args) => note('missing', ...args));
    const server = await listen(app);
    const seen = await visit(request, server, [
      'GET /',
      ['GET /', { headers: { 'Accept-Language': 'de, en;q=0.5' } }],
      ['GET /', { headers: { 'Accept-Language': 'es, pt;q=0.5' } }],
      ['GET /', { headers: { Cookie: 'lang=de', 'Accept-Language': 'en' } }],
      'GET /?lng=de',
      'GET /?lng=__proto__',
      'GET /de/x',
      'GET /fr/x',
      ['GET /view', { headers: { 'Accept-Language': 'de' } }],
      'GET /change',
      'GET /ignored',
      'GET /locales/resources.json?lng=de&ns=translation',
      'GET /locales/resources.json?lng=de+en&ns=translation&ns=constructor',
      ['POST /locales/add/en/translation', { json: { added: 'new key' } }],
      'GET /de/route',
      'GET /en/about',
      'GET /de/ueber',
    ]);
    assert.equal(JSON.parse(seen[1].body).text, 'Hallo Ada');
    assert.equal(field(seen[1], 'content-language'), 'de');
    assert.deepEqual(JSON.parse(seen[3].body).cups, ['eine Tasse', '2 Tassen']);
    assert.match(seen[8].body, /^Hallo view de ltr/);
    assert.match(seen[9].body, /^Hallo changed/);
    return JSON.parse(JSON.stringify(seen).replace(/Expires(=|: )[^;"]+/g, 'Expires$1<date>'));
  },
};

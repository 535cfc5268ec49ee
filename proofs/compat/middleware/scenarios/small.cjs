/**
 * Middleware that reads requests, sets headers or responds by itself: a small application of each, in a table. `mount` adds the
 * middleware and routes, `visits` are sent one after the other, with these `statuses`, and `did` asserts that the package did its work.
 */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { field, statuses, visit } = require('../support/visit.cjs');
const { write } = require('../../frameworks/support/program.cjs');

const named = name => ({ headers: { 'X-Name': name } });
const from = (Origin, method, names) => ({
  headers: {
    Origin,
    ...(method && { 'Access-Control-Request-Method': method }),
    ...(names && { 'Access-Control-Request-Headers': names }),
  },
});
const at = (path, Host) => [`GET ${path}`, { headers: { Host } }];
const accepting = (path, Accept) => [`GET ${path}`, { headers: { Accept } }];
const as = (name, password) => ({
  headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
});
const bodyOf = answer => JSON.parse(answer.body);
const failing = (message, status) => Object.assign(new Error(message), { status });

/** Notes what a function returns or throws. */
function noteOutcome(note, make) {
  try {
    note(typeof make());
  } catch (error) {
    note(error.name, error.code, error.message.replaceAll(process.cwd(), '<cwd>'));
  }
}

/** A handler that sends members of the request. */
const show =
  (...names) =>
  (req, res) =>
    res.json(Object.fromEntries(names.map(name => [name, req[name]])));

/** Adds routes that respond in different ways to a router. */
function addResponses(router, express) {
  router.get('/', (req, res) => setTimeout(() => res.send('hello'), 20));
  router.get('/stream', (req, res) => {
    res.write('a');
    res.end('b');
  });
  router.get('/empty', (req, res) => res.sendStatus(204));
  router.get('/away', (req, res) => res.redirect('/'));
  router.get('/fail', (req, res, next) => next(failing('failed', 403)));
  router.use('/files', express.static('.', { etag: false, lastModified: false }));
  return router;
}
const RESPONSES = ['', '/set', '/stream', '/empty', '/away', '/fail', '/files/file.txt', '/missing'];

const table = {
  celebrate: {
    packages: ['celebrate', 'cookie-parser'],
    exercised:
      'each segment, conversions that change req, full mode, reqContext, errors(), isCelebrateError in a router',
    http2: false,
    mount(app, { express }) {
      const { celebrate, celebrator, errors, isCelebrateError, Joi, Modes, Segments } = require('celebrate');
      const send = show('params', 'query', 'body', 'cookies');
      app.use(express.json(), require('cookie-parser')('secret'));
      const query = Joi.object({
        page: Joi.number().integer().min(1).default(1),
        tags: Joi.array().items(Joi.string().uppercase()).single(),
      });
      app.get('/list/:id', celebrate({ params: { id: Joi.number().required() }, query }), send);
      const body = Joi.object({ name: Joi.string().trim().min(2).required() });
      const headers = Joi.object({ 'x-number': Joi.number() }).unknown();
      app.post('/user', celebrate({ body, headers }, { abortEarly: false }), send);
      const cookies = { a: Joi.string().required() };
      app.post('/full', celebrate({ body, query, cookies }, {}, { mode: Modes.FULL }), send);
      app.get('/signed', celebrate({ [Segments.SIGNEDCOOKIES]: { s: Joi.string().required() } }), send);
      const own = celebrator({ reqContext: true, mode: Modes.FULL }, { convert: false });
      const router = express.Router();
      router.post('/:n', own({ body: { n: Joi.number() }, params: { n: Joi.ref('$method') } }), send);
      router.use((err, req, res, next) => {
        if (!isCelebrateError(err)) return next(err);
        res.status(422).json([...err.details].map(([segment, { details }]) => [segment, details[0].message]));
      });
      app.use('/own', router);
      app.use('/user', errors({ statusCode: 409, message: 'not like that' }));
      app.use(errors());
    },
    visits: [
      'GET /list/7?tags=a',
      'GET /list/7?page=0',
      'GET /list/x',
      ['POST /user', { json: { name: ' Ada ' }, headers: { 'X-Number': '42' } }],
      ['POST /user', { json: { name: 'A' } }],
      ['POST /user', { json: { name: 'Ada' }, headers: { 'X-Number': 'x' } }],
      ['POST /full?page=x', { json: {} }],
      ['POST /full', { json: { name: 'Ada' }, headers: { Cookie: 'a=1' } }],
      'GET /signed',
      ['POST /own/POST', { json: { n: 1 } }],
      ['POST /own/x', { json: { n: 'x' } }],
      ['POST /user', { headers: { 'Content-Type': 'application/json' }, body: '{' }],
    ],
    statuses: [200, 400, 400, 200, 409, 409, 400, 200, 400, 200, 422, 400],
    did(seen) {
      const { params, query } = bodyOf(seen[0]);
      assert.deepEqual([params, query], [{ id: 7 }, { page: 1, tags: ['A'] }]);
      assert.equal(bodyOf(seen[3]).body.name, 'Ada');
    },
  },

  'connect-timeout': {
    packages: ['connect-timeout'],
    exercised:
      'a response in time, 503 from an application and a router, respond: false, clearTimeout, halting on req.timedout',
    mount(app, { express, note }) {
      const timeout = require('connect-timeout');
      app.get('/fast', timeout('5s'), show('timedout'));
      app.get('/slow', timeout('30ms'), () => {});
      const halt = (req, res, next) => req.timedout || next();
      const wait = (req, res, next) => setTimeout(next, 90);
      app.get('/halted', timeout(30), wait, halt, () => note('never'));
      app.get('/silent', timeout(30, { respond: false }), (req, res) =>
        req.on('timeout', time => res.status(202).json({ time, timedout: req.timedout })),
      );
      const clear = (req, res, next) => next(req.clearTimeout());
      app.get('/cleared', timeout(30), clear, wait, show('timedout'));
      const router = express.Router().use(timeout(30));
      router.get('/slow', () => {});
      app.use('/router', router);
    },
    visits: ['GET /fast', 'GET /slow', 'GET /halted', 'GET /silent', 'GET /cleared', 'GET /router/slow'],
    statuses: [200, 503, 503, 202, 200, 503],
  },

  cors: {
    packages: ['cors'],
    exercised:
      'defaults, origins as string, list, pattern and function, options by request, preflights with each option, for an application and a route',
    knownWithAliases: [
      {
        places: /^\.seen\.(?:9|10|13)\.headers/,
        reason: 'what a function of cors refuses varies by origin, too',
      },
    ],
    mount(app) {
      const cors = require('cors');
      const ok = (req, res) => res.json({ ok: true });
      app.get('/default', cors(), ok);
      app.options('/default', cors());
      const one = {
        origin: 'http://one.test',
        credentials: true,
        exposedHeaders: ['X-A', 'X-B'],
        maxAge: 60,
      };
      app.route('/one').options(cors(one)).get(cors(one), ok).put(cors(one), ok);
      app.use('/list', cors({ origin: ['http://one.test', /\.two\.test$/], methods: ['GET', 'PATCH'] }), ok);
      app.use('/continued', cors({ preflightContinue: true }));
      app.options('/continued', (req, res) => res.status(206).send('mine'));
      const choose = (origin, callback) =>
        origin === 'http://bad.test'
          ? callback(failing('bad', 403))
          : callback(null, origin !== 'http://no.test');
      app.use('/function', cors({ origin: choose, allowedHeaders: 'X-Only', optionsSuccessStatus: 200 }), ok);
      app.use(
        '/request',
        cors((req, callback) => callback(null, { origin: req.query.open === 'yes' })),
        ok,
      );
    },
    visits: [
      ['GET /default', from('http://one.test')],
      ['OPTIONS /default', from('http://one.test', 'DELETE', 'X-Token, Content-Type')],
      ['GET /one', from('http://two.test')],
      ['OPTIONS /one', from('http://one.test', 'PUT', 'X-Token')],
      ['PUT /one', from('http://one.test')],
      ['GET /list', from('http://a.two.test')],
      ['OPTIONS /list', from('http://one.test', 'PATCH')],
      ['OPTIONS /continued', from('http://one.test', 'GET')],
      ['GET /function', from('http://yes.test')],
      ['GET /function', from('http://no.test')],
      ['GET /function', from('http://bad.test')],
      ['OPTIONS /function', from('http://yes.test', 'GET', 'X-Other')],
      ['GET /request?open=yes', from('http://one.test')],
      ['GET /request', from('http://one.test')],
    ],
    statuses: [200, 204, 200, 204, 200, 200, 204, 206, 200, 200, 403, 200, 200, 200],
    did(seen) {
      assert.equal(field(seen[0], 'access-control-allow-origin'), '*');
      assert.equal(field(seen[3], 'access-control-max-age'), '60');
      assert.equal(field(seen[5], 'access-control-allow-origin'), 'http://a.two.test');
    },
  },

  errorhandler: {
    packages: ['errorhandler'],
    exercised:
      'HTML, JSON and text by Accept, statuses of errors and responses, values that are no errors, a log function, the title',
    mount(app, { note }) {
      const errorhandler = require('errorhandler');
      const values = {
        plain: new Error('plain <b>'),
        status: Object.assign(failing('teapot', 418), { extra: { a: 1 } }),
        low: failing('low', 200),
        text: 'just text',
        object: { message: 'an object', stack: 'line 1\n  line 2' },
      };
      for (const error of Object.values(values))
        if (error instanceof Error) error.stack = `${error.message}\n    at one (file.js:1:2)\n    at two`;
      app.get('/fail/:kind', (req, res, next) => next(values[req.params.kind]));
      app.get('/status', (req, res, next) => res.status(409) && next(values.plain));
      errorhandler.title = 'My application';
      app.use('/fail/object', errorhandler({ log: false }));
      app.use(
        errorhandler({ log: (err, text, req, res) => note(text.split('\n')[0], req.url, res.statusCode) }),
      );
    },
    visits: ['text/html', 'application/json', 'text/plain'].flatMap(type =>
      ['/fail/plain', '/fail/status', '/fail/low', '/fail/text', '/fail/object', '/status'].map(path =>
        accepting(path, type),
      ),
    ),
    did(seen) {
      assert.deepEqual(statuses(seen.slice(0, 6)), [500, 418, 500, 500, 500, 409]);
      assert.match(seen[0].body, /<h1>My application<\/h1>/);
      assert.equal(bodyOf(seen[7]).error.extra.a, 1);
    },
  },

  'express-basic-auth': {
    packages: ['express-basic-auth'],
    exercised:
      'users, authorizers, challenges with a realm, unauthorizedResponse, req.auth, malformed headers, errors of options',
    mount(app, { note }) {
      const basicAuth = require('express-basic-auth');
      const users = { ada: 'lovelace', empty: '' };
      app.use('/users', basicAuth({ users }));
      const unauthorizedResponse = { no: 'entry' };
      app.use('/realm', basicAuth({ users, challenge: true, realm: req => req.path, unauthorizedResponse }));
      const safe = (name, password) =>
        basicAuth.safeCompare(name, 'ada') & basicAuth.safeCompare(password, 'ü:x');
      app.use(
        '/custom',
        basicAuth({ authorizer: safe, unauthorizedResponse: req => `no: ${req.auth?.user}` }),
      );
      const authorizer = (name, password, callback) => setImmediate(callback, null, password === 'yes');
      app.use(
        '/async',
        basicAuth({ authorizeAsync: true, authorizer, challenge: true, realm: 'Engine "1"' }),
      );
      app.use(show('auth'));
      for (const options of [{ users: 'x' }, { authorizer: true }, { users, challenge: true, realm: 1 }])
        noteOutcome(note, () => basicAuth(options));
    },
    visits: ['users', 'realm/x', 'custom', 'async'].flatMap(path => [
      `GET /${path}`,
      ...[as('ada', 'lovelace'), as('empty', ''), as('ada', 'ü:x'), as('eve', 'yes')].map(headers => [
        `GET /${path}`,
        headers,
      ]),
      [`GET /${path}`, { headers: { Authorization: 'Bearer x' } }],
      [`GET /${path}`, { headers: { Authorization: 'Basic ???' } }],
    ]),
    did(seen) {
      assert.deepEqual(statuses(seen.slice(0, 7)), [401, 200, 200, 401, 401, 401, 401]);
      assert.deepEqual([seen[17].status, seen[25].status], [200, 200]);
    },
  },

  'express-mongo-sanitize': {
    packages: ['express-mongo-sanitize'],
    exercised:
      'body, params and query (assigned anew) with keys with $ and dots, replaceWith, dryRun, onSanitize',
    express: [4],
    http2: false,
    mount(app, { express, note }) {
      const sanitize = require('express-mongo-sanitize');
      app.use(express.urlencoded({ extended: true }), express.json());
      const onSanitize = ({ req, key }) => note('sanitized', key, req.originalUrl.split('?')[0]);
      app.use('/remove', sanitize({ onSanitize }));
      app.use('/replace', sanitize({ replaceWith: '_', onSanitize }));
      app.use('/dry', sanitize({ dryRun: true, onSanitize }));
      app.all('*', show('body', 'query', 'params'));
    },
    visits: ['remove', 'replace', 'dry'].flatMap(path => [
      [
        `POST /${path}?user[$ne]=x&a.b=1&ok[deep]=2`,
        { json: { user: { $gt: '' }, list: [{ $where: 'x', ok: 1 }] } },
      ],
      [`POST /${path}`, { form: { 'user[$ne]': '', 'a.b': '1', name: '$value' } }],
    ]),
    did(seen) {
      assert.deepEqual(bodyOf(seen[0]).query, { user: {}, ok: { deep: '2' } });
      assert.deepEqual(bodyOf(seen[2]).query, { user: { _ne: 'x' }, a_b: '1', ok: { deep: '2' } });
    },
  },

  'express-slow-down': {
    packages: ['express-slow-down'],
    exercised:
      'delayAfter and delayMs as functions, maxDelayMs, keyGenerator, skip, req.slowDown, errors and files',
    warnings: { RISTRETTO_UNDEFINED_VALUE: 'a request that is skipped has no delay' },
    mount(app, { express }) {
      const { slowDown } = require('express-slow-down');
      app.use(
        slowDown({
          windowMs: 600_000,
          delayAfter: async req => (req.query.vip ? 10 : 1),
          delayMs: used => (used - 1) * 60,
          maxDelayMs: 100,
          skip: req => req.query.skip === 'yes',
          keyGenerator: req => req.get('X-Name') ?? 'all',
        }),
      );
      const send = ({ slowDown: { limit, used, delay } = {} }, res) =>
        res.set('X-Delay', delay).json({ limit, used, delay });
      addResponses(app.get('/', send), express);
    },
    visits: [
      ...['GET /', 'GET /', 'GET /', 'GET /?skip=yes', 'GET /fail', 'GET /files/file.txt'],
      ['GET /?vip=1', named('other')],
    ],
    statuses: [200, 200, 200, 200, 403, 200, 200],
    did(seen) {
      assert.deepEqual(
        seen.slice(0, 3).map(answer => field(answer, 'x-delay')),
        ['0', '60', '100'],
      );
    },
  },

  'express-validator': {
    packages: ['express-validator'],
    exercised:
      'chains for each part of a request, async validators, sanitizers that change req, checkSchema, oneOf, checkExact, run()',
    http2: false,
    mount(app, { express }) {
      const { body, check, checkExact, checkSchema, cookie, header } = require('express-validator');
      const { matchedData, oneOf, param, query, validationResult } = require('express-validator');
      app.use(express.json(), (req, res, next) => {
        req.cookies = { theme: req.get('X-Name') };
        next();
      });
      const send = (req, res) => {
        const errors = validationResult(req);
        const data = matchedData(req, { includeOptionals: false });
        const { body, query, params } = req;
        res.status(errors.isEmpty() ? 200 : 422).json({ errors: errors.array(), data, body, query, params });
      };
      const isFree = async value => {
        await null;
        if (value === 'taken@example.com') throw new Error('taken');
      };
      const user = [
        body('email').trim().isEmail().normalizeEmail().bail().custom(isFree),
        body('age').optional().isInt({ min: 18 }).toInt(),
        body('tags.*.name').isLength({ min: 2 }).escape(),
        body('again').custom((value, { req }) => value === req.body.password),
      ];
      app.post('/user', ...user, send);
      const list = [
        ...[query('page').default(1).toInt(), query('sort').isIn(['up', 'down']).optional()],
        ...[param('id').isNumeric().toInt(), header('x-name').exists(), cookie('theme').optional().isAlpha()],
      ];
      app.get('/list/:id', list, send);
      app.get('/any', check('name').exists().toUpperCase(), send);
      app.get('/one', oneOf([query('a').exists(), query('b').isInt()]), send);
      const name = { in: ['body'], isLength: { options: { min: 3 }, errorMessage: 'short' } };
      app.post('/schema', checkSchema({ name }), send);
      app.post('/exact', checkExact([body('known').exists()], { message: 'unknown' }), send);
      app.post('/run', async (req, res) => res.json((await body('n').isInt().run(req)).array()));
      app.post('/throw', body('n').isInt(), (req, res) => res.json(validationResult(req).throw()));
    },
    visits: [
      ['POST /user', { json: { email: ' Ada@Example.COM ', age: '36', tags: [{ name: 'a<b' }] } }],
      ['POST /user', { json: { email: 'taken@example.com', age: 7, tags: [{ name: 'x' }, {}], again: 'x' } }],
      ['GET /list/7?sort=up', named('dark')],
      ['GET /list/x?page=3&sort=none', named('1')],
      ...['GET /any?name=ada', 'GET /any', 'GET /one?a=1', 'GET /one?b=x'],
      ['POST /schema', { json: { name: 'A' } }],
      ['POST /exact', { json: { known: 1, other: 2 } }],
      ['POST /run', { json: { n: 'x' } }],
      ['POST /throw', { json: { n: 'x' } }],
    ],
    statuses: [200, 422, 200, 422, 200, 422, 200, 422, 422, 422, 200, 500],
    did(seen) {
      assert.equal(bodyOf(seen[0]).data.email, 'ada@example.com');
      // In Express 5 the query is parsed on each read, so changes to it are lost.
      const isOn4 = require('express/package.json').version.startsWith('4.');
      assert.deepEqual(bodyOf(seen[2]).query, { ...(isOn4 && { page: 1 }), sort: 'up' });
      assert.deepEqual(bodyOf(seen[2]).params, { id: 7 });
    },
  },

  helmet: {
    packages: ['helmet'],
    exercised:
      'defaults, a policy with functions of req and res, options, single middleware; on streams, redirects, errors, files and 404',
    mount(app, { express, note }) {
      const helmet = require('helmet');
      app.use('/default', helmet());
      const nonce = (req, res) => `'nonce-${req.query.nonce}'`;
      const directives = { defaultSrc: ["'self'"], scriptSrc: ["'self'", nonce], styleSrc: null };
      app.use('/csp', helmet({ contentSecurityPolicy: { directives, reportOnly: true } }));
      const strictTransportSecurity = { maxAge: 123, includeSubDomains: false, preload: true };
      const referrerPolicy = { policy: ['no-referrer', 'origin'] };
      const xFrameOptions = { action: 'deny' };
      const options = { contentSecurityPolicy: false, xPoweredBy: false, crossOriginEmbedderPolicy: true };
      app.use('/options', helmet({ ...options, strictTransportSecurity, referrerPolicy, xFrameOptions }));
      app.use('/single', helmet.noSniff(), helmet.hidePoweredBy(), helmet.xssFilter());
      const router = express.Router();
      router.get('/set', (req, res) => res.set('X-Frame-Options', 'mine').json({}));
      app.use(['/default', '/csp', '/options', '/single', '/none'], addResponses(router, express));
      const bad = { directives: { 'bad directive': [] } };
      noteOutcome(note, () => helmet({ contentSecurityPolicy: bad }));
      noteOutcome(note, () => helmet({ strictTransportSecurity: { maxAge: -1 } }));
    },
    visits: ['default', 'csp', 'options', 'single', 'none'].flatMap(name =>
      [...RESPONSES, '?nonce=abc', '?nonce=a;b'].map(path => `GET /${name}${path}`),
    ),
    did(seen) {
      assert.match(field(seen[0], 'content-security-policy'), /^default-src 'self'/);
      assert.equal(field(seen[0], 'x-powered-by'), undefined);
      assert.match(field(seen[18], 'content-security-policy-report-only'), /'nonce-abc'/);
      assert.equal(field(seen[20], 'strict-transport-security'), 'max-age=123; preload');
    },
  },

  hpp: {
    packages: ['hpp'],
    exercised:
      'query (changed in place) and body, whitelists, checkQuery, checkBodyOnlyForContentType, in a router, twice',
    express: [4],
    mount(app, { express }) {
      const hpp = require('hpp');
      app.use(express.urlencoded({ extended: true }), express.json());
      app.use('/list', hpp({ whitelist: ['ids', 'a'] }), hpp());
      app.use('/body', hpp({ checkQuery: false, checkBodyOnlyForContentType: 'json' }));
      app.use('/router', express.Router().use(hpp()));
      app.all('*', show('query', 'queryPolluted', 'body', 'bodyPolluted'));
    },
    visits: ['list', 'body', 'router'].flatMap(path => [
      `GET /${path}?a=1&a=2&ids=3&ids=4&one=5&deep[x]=6&deep[x]=7&__proto__=8&__proto__=9`,
      [
        `POST /${path}?q=1&q=2`,
        {
          form: [...'ab'].flatMap(name => [
            [name, 1],
            [name, 2],
          ]),
        },
      ],
      [`POST /${path}`, { json: { a: ['1', '2'], ids: [], n: 1 } }],
    ]),
    did(seen) {
      assert.deepEqual(bodyOf(seen[0]).query.ids, ['3', '4']);
      assert.deepEqual([bodyOf(seen[6]).query.a, bodyOf(seen[6]).queryPolluted.a], ['2', ['1', '2']]);
    },
  },

  'i18next-http-middleware': {
    packages: ['i18next-http-middleware', 'i18next'],
    exercised:
      'the language by path, query, cookie and header, its caches, req.t, views, ignoreRoutes, addRoute, resources, missing keys',
    http2: false,
    random: /(?<=Expires(?:=|: ))[^;"]+/g,
    async mount(app, { express, note }) {
      const middleware = require('i18next-http-middleware');
      const instance = require('i18next').createInstance();
      instance.on('missingKey', (...args) => note('missing', ...args));
      await instance.use(middleware.LanguageDetector).init({
        supportedLngs: ['en', 'de', 'fr'],
        fallbackLng: 'en',
        preload: ['en', 'de'],
        saveMissing: true,
        showSupportNotice: false,
        resources: {
          en: { translation: { hello: 'Hello {{name}}', route: 'about' } },
          de: { translation: { hello: 'Hallo {{name}}', route: 'ueber' } },
        },
        detection: {
          order: ['path', 'querystring', 'cookie', 'header'],
          lookupQuerystring: 'lng',
          lookupCookie: 'lang',
          caches: ['cookie'],
          cookieSecure: false,
        },
      });
      write({ 'views/page.txt': '' });
      app.engine('txt', (file, { t, language, languageDir }, callback) =>
        callback(null, `${t('hello', { name: 'view' })} ${language} ${languageDir}`),
      );
      app.set('view engine', 'txt').use(express.json());
      app.use(middleware.handle(instance, { ignoreRoutes: ['/ignored'], removeLngFromUrl: false }));
      app.get('/locales', middleware.getResourcesHandler(instance));
      app.post('/add/:lng/:ns', middleware.missingKeyHandler(instance));
      middleware.addRoute(instance, '/:lng/route', ['en', 'de'], app, 'get', show('language'));
      app.get('/ignored', (req, res) => res.json({ t: typeof req.t }));
      app.get('/view', (req, res) => res.render('page'));
      app.get(/.*/, (req, res) => {
        const { language, languages, resolvedLanguage, t } = req;
        if (req.path === '/change') req.i18n.changeLanguage('de');
        res.json({
          language,
          languages,
          resolvedLanguage,
          texts: [t('hello', { name: 'Ada' }), t('nothing')],
        });
      });
    },
    visits: [
      ['GET /', { headers: { 'Accept-Language': 'de, en;q=0.5' } }],
      ['GET /', { headers: { 'Accept-Language': 'es, pt;q=0.5' } }],
      ['GET /', { headers: { Cookie: 'lang=de', 'Accept-Language': 'en' } }],
      ['GET /view', { headers: { 'Accept-Language': 'de' } }],
      ['POST /add/en/translation', { json: { added: 'new key' } }],
      ...['GET /?lng=de', 'GET /?lng=__proto__', 'GET /de/x', 'GET /fr/x', 'GET /change', 'GET /ignored'],
      ...[
        'GET /locales?lng=de+en&ns=translation&ns=constructor',
        'GET /de/route',
        'GET /en/about',
        'GET /de/ueber',
      ],
    ],
    did(seen) {
      assert.equal(bodyOf(seen[0]).texts[0], 'Hallo Ada');
      assert.equal(field(seen[0], 'content-language'), 'de');
      assert.match(seen[3].body, /^Hallo view de ltr/);
    },
  },

  'method-override': {
    packages: ['method-override'],
    exercised:
      'by headers, a query parameter and a function of the body, methods, unknown methods, req.originalMethod, Vary, OPTIONS',
    warnings: { RISTRETTO_NO_ROUTE: 'COPY has no route' },
    mount(app, { express }) {
      const methodOverride = require('method-override');
      app.use('/header', methodOverride(), methodOverride('X-Name'));
      app.use('/query', methodOverride('_method', { methods: ['POST', 'GET'] }));
      const fromBody = (req, res) => req.body?._method && res.set('X-Overridden', 'yes') && req.body._method;
      app.use('/body', express.urlencoded({ extended: false }), methodOverride(fromBody));
      app.use('/any', methodOverride('X-Name', { methods: null }));
      const router = express.Router();
      const route = router.route(['/', '/:id']);
      for (const method of ['get', 'post', 'put', 'patch', 'delete', 'propfind'])
        route[method](show('originalMethod', 'method', 'body'));
      for (const path of ['/header', '/query', '/body', '/any']) app.use(path, router);
    },
    visits: [
      ...['PUT', 'NONSENSE', 'PUT, DELETE', 'OPTIONS', 'COPY'].map(name => ['POST /header/1', named(name)]),
      ['GET /header/1', named('DELETE')],
      ...[
        'POST /header/1',
        'POST /query/1?_method=PUT',
        'GET /query?_method=DELETE',
        'POST /query?_method[x]=PUT',
      ],
      ['POST /body', { form: { _method: 'PATCH', a: '1' } }],
      ['POST /body', { form: { a: '1' } }],
      ['PUT /any', named('PROPFIND')],
      ['HEAD /any', named('GET')],
      ['OPTIONS /any', named('DELETE')],
    ],
    did(seen) {
      assert.deepEqual(bodyOf(seen[0]), { originalMethod: 'POST', method: 'PUT' });
      assert.equal(field(seen[0], 'vary'), 'X-HTTP-Method-Override, X-Name');
      assert.deepEqual(
        [seen[4].status, bodyOf(seen[7]).method, bodyOf(seen[10]).method],
        [404, 'PUT', 'PATCH'],
      );
    },
  },

  'response-time': {
    packages: ['response-time'],
    exercised:
      'the header and its options, a function of req, res and time; on streams, files, errors, redirects and 404',
    random: /(?<=X-(?:Response-Time|Took): )\d[\d.]*/gi,
    mount(app, { express, note }) {
      const responseTime = require('response-time');
      app.use('/default', responseTime());
      app.use('/options', responseTime({ digits: 0, header: 'X-Took', suffix: false }));
      const set = (req, res, time) => {
        note(req.url, req.baseUrl, res.statusCode, res.headersSent, time > 0);
        res.setHeader('X-Function', 'yes');
      };
      app.use('/function', responseTime(set));
      const router = express.Router();
      router.get('/set', (req, res) => res.set('X-Response-Time', 'mine').send('set'));
      app.use(['/default', '/options', '/function'], addResponses(router, express));
    },
    visits: ['default', 'options', 'function'].flatMap(name => RESPONSES.map(path => `GET /${name}${path}`)),
    did(seen) {
      assert.ok(parseFloat(field(seen[0], 'x-response-time')) >= 18);
      assert.match(field(seen[8], 'x-took'), /^\d+$/);
      assert.equal(field(seen[1], 'x-response-time'), 'mine');
      assert.ok(seen.slice(16).every(answer => field(answer, 'x-function') === 'yes'));
    },
  },

  'serve-favicon': {
    packages: ['serve-favicon'],
    exercised:
      'a path and a buffer, maxAge, conditional requests, other methods and paths, mounted, errors of options, a deleted file',
    http2: false,
    mount(app, { note }) {
      const favicon = require('serve-favicon');
      app.use(favicon('file.txt'));
      app.use('/buffer', favicon(Buffer.from('icon from memory'), { maxAge: '2h' }));
      app.delete('/file', (req, res) => res.json({ error: fs.rmSync('file.txt') }));
      for (const bad of [undefined, '', 7, '.', 'missing.ico']) noteOutcome(note, () => favicon(bad));
    },
    visits: [
      ...['GET /favicon.ico', 'DELETE /file', 'GET /favicon.ico?v=2'],
      ['GET /favicon.ico', { headers: { 'If-None-Match': '*' } }],
      ['GET /favicon.ico', { headers: { 'If-None-Match': '*', 'Cache-Control': 'no-cache' } }],
      ...[
        'HEAD /favicon.ico',
        'OPTIONS /favicon.ico',
        'POST /favicon.ico',
        'GET /buffer',
        'GET /FAVICON.ICO',
      ],
      ['GET /buffer/favicon.ico', { headers: { Range: 'bytes=0-1' } }],
    ],
    statuses: [200, 200, 200, 304, 200, 200, 200, 405, 404, 404, 200],
    did(seen) {
      assert.equal(seen[2].body, 'file');
      assert.equal(field(seen[10], 'cache-control'), 'public, max-age=7200');
    },
  },

  'swagger-ui-express': {
    packages: ['swagger-ui-express', 'swagger-jsdoc'],
    exercised:
      'serve, setup and serveFiles with options, req.swaggerDoc, generateHTML, the assets, documents from comments and files',
    http2: false,
    // The modification time of the installed files is that of the installation.
    ignored: ['last-modified', 'etag'],
    mount(app, { express }) {
      const swaggerJsdoc = require('swagger-jsdoc');
      const swaggerUi = require('swagger-ui-express');
      write({
        'routes.js':
          '/**\n * @openapi\n * /users:\n *   get:\n *     responses:\n *       200: { description: a user }\n */',
        'more.yaml': 'paths:\n  /more:\n    get:\n      responses:\n        200: { description: more }\n',
        'bad.js': '/**\n * @openapi\n * /bad:\n *   get:\n *  - x: [\n */',
      });
      const definition = { openapi: '3.0.0', info: { title: 'Users & more', version: '1.0.0' } };
      const document = swaggerJsdoc({ definition, apis: ['./routes.js', './more.yaml'] });
      assert.deepEqual(Object.keys(document.paths), ['/users', '/more']);
      assert.throws(() => swaggerJsdoc({ definition, apis: ['./bad.js'], failOnErrors: true }));
      const options = {
        explorer: true,
        customCss: 'p {}',
        customSiteTitle: 'Mine',
        customfavIcon: '/icon.png',
      };
      app.use('/docs', swaggerUi.serveFiles(document, options), swaggerUi.setup(document, options));
      const url = { swaggerUrl: '/docs.json' };
      app.use('/url', swaggerUi.serveFiles(null, url), swaggerUi.setup(null, url));
      const choose = (req, res, next) => {
        req.swaggerDoc = { ...document, host: req.get('host') };
        next();
      };
      app.use('/request', choose, swaggerUi.serve, swaggerUi.setup());
      const router = express.Router().use(swaggerUi.serve);
      router.get('/', (req, res) => res.send(swaggerUi.generateHTML(document, { customJs: '/mine.js' })));
      app.use('/router', router);
    },
    visits: ['docs', 'url', 'request', 'router'].flatMap(name =>
      [
        ...['', '/', '/swagger-ui.css', '/swagger-ui-init.js', '/index.html', '/missing.js'],
        '/../package.json',
      ].map(path => `GET /${name}${path}`),
    ),
    did(seen) {
      assert.match(seen[1].body, /<title>Mine<\/title>[^]*swagger-ui-init\.js/);
      assert.match(seen[3].body, /"title": "Users & more"/);
    },
  },

  vhost: {
    packages: ['vhost'],
    exercised:
      'names, wildcards and patterns; applications, routers and functions; req.vhost, nested, mounted, errors that come back out',
    http2: false,
    mount(app, { express }) {
      const vhost = require('vhost');
      const send = name => (req, res) => {
        const { host, hostname, length } = req.vhost;
        const { url, baseUrl, hostname: own } = req;
        res.json({
          name,
          host,
          hostname,
          length,
          first: req.vhost[0],
          url,
          baseUrl,
          own,
          app: req.app.get('name'),
        });
      };
      const api = express().set('name', 'api');
      api.get('/fail', (req, res, next) => next(failing('of api', 409)));
      api.get(['/', '/:id'], send('api'));
      const users = express.Router();
      users.get('/', send('users'));
      users.use('/nested', vhost('ada.*.example.com', send('nested')));
      app.use(vhost('api.example.com', api));
      app.use(vhost('*.users.example.com', users));
      app.use('/path', vhost(/^(\w+)-(\d+)\.example\.com$/i, send('pattern')));
      app.use((req, res) => res.status(404).json({ left: req.vhost, url: req.url }));
    },
    visits: [
      ...[at('/', 'api.example.com'), at('/7', 'API.Example.com:8080'), at('/fail', 'api.example.com')],
      ...[
        at('/x/y', 'api.example.com'),
        at('/', 'ada.users.example.com'),
        at('/nested/x', 'ada.users.example.com'),
      ],
      ...[
        at('/nested/x', 'eve.users.example.com'),
        at('/path/x?y', 'WEB-42.example.com:80'),
        at('/', '[::1]:80'),
      ],
    ],
    statuses: [200, 200, 409, 404, 200, 200, 404, 200, 404],
    did: seen => assert.deepEqual([bodyOf(seen[5]).name, bodyOf(seen[7]).first], ['nested', 'WEB']),
  },
};

/** Returns the scenario of a row. */
function scenario({ mount, visits, statuses: expected, did, random, ignored, ...head }) {
  return {
    http2: true,
    ...head,
    async run({ listen, request, note }) {
      const express = require('express');
      write({ 'file.txt': 'file' });
      const app = express();
      await mount(app, { express, note });
      app.use((err, req, res, next) => {
        if (res.headersSent) return next(err);
        const { name, message, code, timeout } = err;
        res.status(err.status ?? 500).json({ name, message, code, timeout, timedout: req.timedout });
      });
      const seen = await visit(request, await listen(app), visits, ignored);
      if (expected) assert.deepEqual(statuses(seen), expected);
      did?.(seen);
      return random ? JSON.parse(JSON.stringify(seen).replace(random, '<random>')) : seen;
    },
  };
}

module.exports = {
  programs: Object.fromEntries(Object.entries(table).map(([name, row]) => [name, scenario(row)])),
};

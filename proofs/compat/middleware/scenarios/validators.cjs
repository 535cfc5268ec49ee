/** Validators of what clients send, and what cleans it. */
'use strict';

const assert = require('node:assert/strict');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  programs: {
    /** celebrate: Joi validation before handlers. */
    celebrate: {
      packages: ['celebrate', 'cookie-parser'],
      exercised:
        'headers, params, query, cookies, signed cookies and body, modes (full, partial), defaults and conversions that change req, references, celebrator, joi options, reqContext, errors() with options and a custom error handler, isCelebrateError, routers',

      async run({ listen, request, note }) {
        const express = require('express');
        const {
          celebrate,
          celebrator,
          CelebrateError,
          errors,
          isCelebrateError,
          Joi,
          Modes,
          Segments,
        } = require('celebrate');
        const app = express();
        app.use(express.json(), require('cookie-parser')('secret'), (req, res, next) => {
          req.role = req.get('X-Role');
          next();
        });
        const show = (req, res) =>
          res.json({
            params: req.params,
            query: req.query,
            body: req.body,
            cookies: req.cookies,
            header: req.headers['x-number'],
          });
        const query = Joi.object({
          page: Joi.number().integer().min(1).default(1),
          tags: Joi.array().items(Joi.string().uppercase()).single(),
          until: Joi.date().iso(),
        });
        app.get(
          '/list/:id',
          celebrate({ [Segments.PARAMS]: { id: Joi.number().required() }, [Segments.QUERY]: query }),
          show,
        );
        const body = Joi.object({
          name: Joi.string().trim().min(2).required(),
          email: Joi.string().email(),
          nested: { list: Joi.array().items(Joi.number()).max(2) },
        });
        app.post(
          '/user',
          celebrate(
            { [Segments.BODY]: body, [Segments.HEADERS]: Joi.object({ 'x-number': Joi.number() }).unknown() },
            { abortEarly: false },
          ),
          show,
        );
        app.post(
          '/full',
          celebrate(
            {
              [Segments.BODY]: body,
              [Segments.QUERY]: query,
              [Segments.COOKIES]: { a: Joi.string().required() },
            },
            { abortEarly: false },
            { mode: Modes.FULL },
          ),
          show,
        );
        app.get('/signed', celebrate({ [Segments.SIGNEDCOOKIES]: { s: Joi.string().required() } }), show);
        app.get(
          '/context',
          celebrate(
            {
              [Segments.QUERY]: {
                admin: Joi.boolean().when(Joi.ref('$role'), { is: 'root', otherwise: Joi.forbidden() }),
              },
            },
            { context: {} },
            { reqContext: true },
          ),
          show,
        );
        app.get(
          '/request',
          celebrate(
            { [Segments.QUERY]: { id: Joi.ref('$params.id') }, [Segments.PARAMS]: { id: Joi.string() } },
            undefined,
            { reqContext: true },
          ),
          show,
        );
        const own = celebrator({ reqContext: true, mode: Modes.FULL }, { convert: false });
        const router = express.Router();
        router.post(
          '/:n',
          own({ [Segments.BODY]: Joi.object({ n: Joi.number() }), [Segments.PARAMS]: { n: Joi.number() } }),
          show,
        );
        router.use((err, req, res, next) => {
          if (!isCelebrateError(err)) return next(err);
          const details = [...err.details].map(([segment, joi]) => [
            segment,
            joi.details.map(detail => detail.message),
          ]);
          res.status(422).json({ message: err.message, details, kind: err instanceof CelebrateError });
        });
        app.use('/own', router);
        app.get('/other', () => {
          throw Object.assign(new Error('of another kind'), { status: 418 });
        });
        app.use('/user', errors({ statusCode: 409, message: 'not like that' }));
        app.use(errors());
        const server = await listen(app);
        const seen = await visit(request, server, [
          'GET /list/7?tags=a&until=2020-01-02',
          'GET /list/7?page=0',
          'GET /list/x',
          'GET /list/7?unknown=1',
          [
            'POST /user',
            {
              json: { name: ' Ada ', email: 'a@b.de', nested: { list: ['1', 2] } },
              headers: { 'X-Number': '42' },
            },
          ],
          ['POST /user', { json: { name: 'A', nested: { list: ['x', 1, 2] } } }],
          ['POST /user', { json: { name: 'Ada' }, headers: { 'X-Number': 'x' } }],
          ['POST /full?page=x', { json: {} }],
          ['POST /full', { json: { name: 'Ada' }, headers: { Cookie: 'a=1' } }],
          'GET /signed',
          ['GET /context?admin=true', { headers: { 'X-Role': 'root' } }],
          'GET /context?admin=true',
          ['POST /own/1', { json: { n: 1 } }],
          ['POST /own/x', { json: { n: 'x' } }],
          'GET /other',
          ['POST /user', { headers: { 'Content-Type': 'application/json' }, body: '{' }],
        ]);
        assert.deepEqual(statuses(seen).slice(0, 10), [200, 400, 400, 400, 200, 409, 409, 400, 200, 400]);
        const { params, query: changed } = JSON.parse(seen[0].body);
        assert.deepEqual([params, changed.page, changed.tags], [{ id: 7 }, 1, ['A']]);
        assert.equal(JSON.parse(seen[4].body).body.name, 'Ada');
        try {
          celebrate({ nonsense: {} });
        } catch (err) {
          note(err.name, err.message);
        }
        return seen;
      },
    },

    /** express-mongo-sanitize: removes database operators from client input. */
    'express-mongo-sanitize': {
      packages: ['express-mongo-sanitize'],
      exercised:
        'body, params, headers and query (assigned anew) with keys with $ and dots, replaceWith, allowDots, dryRun, onSanitize, the functions has and sanitize',
      express: [4],

      async run({ listen, request, note }) {
        const express = require('express');
        const sanitize = require('express-mongo-sanitize');
        const app = express();
        app.use(express.urlencoded({ extended: true }), express.json());
        const onSanitize = ({ req, key }) => note('sanitized', key, req.originalUrl.split('?')[0]);
        app.use('/remove', sanitize({ onSanitize }));
        app.use('/replace', sanitize({ replaceWith: '_', onSanitize }));
        app.use('/dots', sanitize({ allowDots: true }));
        app.use('/dry', sanitize({ dryRun: true, onSanitize }));
        app.all('*', (req, res) => res.json({ body: req.body, query: req.query, params: req.params }));
        const server = await listen(app);
        const visits = ['remove', 'replace', 'dots', 'dry'].flatMap(path => [
          [
            `POST /${path}?user[$ne]=x&a.b=1&ok[deep]=2`,
            { json: { user: { $gt: '' }, 'a.b': 1, list: [{ $where: 'x', ok: 1 }] } },
          ],
          [`POST /${path}`, { form: { 'user[$ne]': '', 'a.b': '1', name: '$value' } }],
          `GET /${path}/x?$where=1&x[]=1&x[]=2`,
        ]);
        const seen = await visit(request, server, visits);
        assert.deepEqual(JSON.parse(seen[0].body), {
          body: { user: {}, list: [{ ok: 1 }] },
          query: { user: {}, ok: { deep: '2' } },
          params: { 0: '/remove' },
        });
        assert.deepEqual(JSON.parse(seen[3].body).query, { user: { _ne: 'x' }, a_b: '1', ok: { deep: '2' } });
        note(sanitize.has({ a: { $b: 1 } }), sanitize.has({ a: 1 }), sanitize.sanitize({ $a: 1, b: 2 }));
        return seen;
      },
    },

    /** express-validator: chains, schemas and sanitizers. */
    'express-validator': {
      packages: ['express-validator'],
      exercised:
        'body, query, param, header, cookie and check chains, custom validators and sanitizers (async too), bail, if, optional, wildcards, withMessage, checkSchema, oneOf, checkExact, matchedData with locations, run() by hand, formatters, sanitizers that change req.query and req.params',

      async run({ listen, request }) {
        const express = require('express');
        const validator = require('express-validator');
        const {
          body,
          check,
          checkExact,
          checkSchema,
          cookie,
          header,
          matchedData,
          oneOf,
          param,
          query,
          validationResult,
        } = validator;
        const app = express();
        app.use(express.json(), (req, res, next) => {
          req.cookies = { theme: req.get('X-Theme') };
          next();
        });
        const show = (req, res) => {
          const errors = validationResult(req);
          const data = matchedData(req, { includeOptionals: false });
          res.status(errors.isEmpty() ? 200 : 422).json({
            errors: errors.array(),
            mapped: Object.keys(errors.mapped()),
            data,
            body: req.body,
            query: req.query,
            params: req.params,
          });
        };
        app.post(
          '/user',
          body('email')
            .trim()
            .isEmail()
            .normalizeEmail()
            .bail()
            .custom(async value => {
              await null;
              if (value === 'taken@example.com') throw new Error('taken');
            }),
          body('age')
            .optional()
            .isInt({ min: 18, max: 120 })
            .withMessage((value, { path }) => `${path} is ${value}`)
            .toInt(),
          body('tags.*.name').isLength({ min: 2 }).escape(),
          body('password').if(body('email').exists()).isStrongPassword().hide('*****'),
          body('again')
            .custom((value, { req }) => value === req.body.password)
            .withMessage({ code: 'E_AGAIN' }),
          show,
        );
        const chains = [
          query('page').default(1).toInt(),
          query('sort').isIn(['up', 'down']).optional(),
          param('id').isNumeric().toInt(),
          header('x-token').equals('open'),
          cookie('theme').optional().isAlpha(),
        ];
        app.get('/list/:id', chains, show);
        app.get('/any', check('name').exists().toUpperCase(), show);
        app.get(
          '/one',
          oneOf([query('a').exists(), [query('b').isInt(), query('c').isInt()]], {
            message: 'a, or b and c',
          }),
          show,
        );
        const schema = {
          name: {
            in: ['body'],
            isLength: { options: { min: 3 }, errorMessage: 'short' },
            customSanitizer: { options: value => `<${value}>` },
          },
          'address.zip': {
            in: 'body',
            isPostalCode: { options: 'DE' },
            optional: { options: { nullable: true } },
          },
        };
        app.post('/schema', checkSchema(schema), show);
        app.post('/exact', checkExact([body('known').exists()], { message: 'unknown fields' }), show);
        app.post('/run', async (req, res) => {
          const result = await body('n').isInt().run(req);
          const format = validationResult.withDefaults({ formatter: error => `${error.path}: ${error.msg}` });
          res.json({ own: result.array(), formatted: format(req).array() });
        });
        app.post('/throw', body('n').isInt(), (req, res) => {
          validationResult(req).throw();
          res.send('fine');
        });
        app.use((err, req, res, next) =>
          res.status(400).json({ message: err.message, errors: err.array?.() }),
        );
        const server = await listen(app);
        const good = {
          email: ' Ada@Example.COM ',
          age: '36',
          tags: [{ name: 'a<b' }],
          password: 'Str0ng!pass',
          again: 'Str0ng!pass',
        };
        const seen = await visit(request, server, [
          ['POST /user', { json: good }],
          [
            'POST /user',
            { json: { ...good, email: 'taken@example.com', age: 7, tags: [{ name: 'x' }, {}], again: 'x' } },
          ],
          ['POST /user', { json: { email: ['a@b.c', 'no'], password: 'weak' } }],
          ['POST /user', { json: {} }],
          ['GET /list/7?sort=up', { headers: { 'X-Token': 'open', 'X-Theme': 'dark' } }],
          ['GET /list/x?page=3&sort=none', { headers: { 'X-Theme': '1' } }],
          'GET /any?name=ada',
          'GET /any',
          'GET /one?a=1',
          'GET /one?b=1&c=2',
          'GET /one?b=1&c=x',
          ['POST /schema', { json: { name: 'Ada', address: { zip: '10115' } } }],
          ['POST /schema', { json: { name: 'A', address: { zip: 'x' } } }],
          ['POST /exact', { json: { known: 1 } }],
          ['POST /exact', { json: { known: 1, other: 2 } }],
          ['POST /run', { json: { n: 'x' } }],
          ['POST /throw', { json: { n: 'x' } }],
          ['POST /throw', { json: { n: 1 } }],
        ]);
        assert.deepEqual(
          statuses(seen),
          [200, 422, 422, 422, 200, 422, 200, 422, 200, 200, 422, 200, 422, 200, 422, 200, 400, 200],
        );
        assert.deepEqual(JSON.parse(seen[0].body).data.email, 'ada@example.com');
        // In Express 5 the query is parsed on each read, so changes to it are lost.
        const isOn4 = require('express/package.json').version.startsWith('4.');
        assert.deepEqual(JSON.parse(seen[4].body).query, { ...(isOn4 && { page: 1 }), sort: 'up' });
        assert.deepEqual(JSON.parse(seen[4].body).params, { id: 7 });
        return seen;
      },
    },

    /** hpp: parameters that were sent more than once. */
    hpp: {
      packages: ['hpp'],
      exercised:
        'query (changed in place) and body, queryPolluted and bodyPolluted, whitelist as a string and list, checkQuery, checkBody, checkBodyOnlyForContentType, in a router, twice',
      http2: true,
      express: [4],

      async run({ listen, request }) {
        const express = require('express');
        const hpp = require('hpp');
        const app = express();
        app.use(express.urlencoded({ extended: true }), express.json());
        app.use('/all', hpp());
        app.use('/list', hpp({ whitelist: ['ids', 'a'] }));
        app.use('/text', hpp({ whitelist: 'ids' }), hpp());
        app.use('/query', hpp({ checkBody: false }));
        app.use('/body', hpp({ checkQuery: false, checkBodyOnlyForContentType: 'json' }));
        const router = express.Router();
        router.use(hpp());
        app.use('/router', router);
        app.all('*', (req, res) => {
          const { query, queryPolluted, body, bodyPolluted } = req;
          res.json({ query, queryPolluted, body, bodyPolluted });
        });
        const server = await listen(app);
        const search = '?a=1&a=2&ids=3&ids=4&one=5&deep[x]=6&deep[x]=7&__proto__=8&__proto__=9';
        const seen = await visit(
          request,
          server,
          ['all', 'list', 'text', 'query', 'body', 'router'].flatMap(path => [
            `GET /${path}${search}`,
            [
              `POST /${path}?q=1&q=2`,
              { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: search.slice(1) },
            ],
            [`POST /${path}`, { json: { a: ['1', '2'], ids: [], n: 1 } }],
          ]),
        );
        const first = JSON.parse(seen[0].body);
        assert.equal(first.query.a, '2');
        assert.deepEqual(first.queryPolluted.a, ['1', '2']);
        assert.deepEqual(JSON.parse(seen[3].body).query.ids, ['3', '4']);
        return seen;
      },
    },
  },
};

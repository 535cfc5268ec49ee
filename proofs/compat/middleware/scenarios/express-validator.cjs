/** express-validator: chains, schemas and sanitizers. */
'use strict';

const assert = require('node:assert/strict');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
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
      oneOf([query('a').exists(), [query('b').isInt(), query('c').isInt()]], { message: 'a, or b and c' }),
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
    app.use((err, req, res, next) => res.status(400).json({ message: err.message, errors: err.array?.() }));
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
};

/** celebrate: Joi validation before handlers. */
'use strict';

const assert = require('node:assert/strict');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
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
};

/** OpenAPI documents: requests checked against one. */
'use strict';

const assert = require('node:assert/strict');
const { multipart } = require('../../frameworks/support/client.cjs');
const { statuses, visit } = require('../support/visit.cjs');

function rethrow(req, err) {
  if (req.originalUrl.includes('bad')) throw err;
}

async function checkKey(req, scopes, schema) {
  if (req.get('X-Key') === 'wrong') return false;
  if (req.get('X-Key') === 'broken') throw Object.assign(new Error('no key server'), { status: 500 });
  req.user = `${schema.name} ${scopes.length}`;
  return true;
}

const pet = { $ref: '#/components/schemas/Pet' };
const json = schema => ({ 'application/json': { schema } });
const answers = (schema, status = 200) => ({
  [status]: { description: 'fine', content: json(schema) },
  default: { description: 'an error', content: json({}) },
});
const inPath = (name, schema) => ({ name, in: 'path', required: true, schema });
const form = {
  type: 'object',
  required: ['photo', 'title'],
  properties: { photo: { type: 'string', format: 'binary' }, title: { type: 'string' } },
};

const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', minLength: 1 },
          born: { type: 'string', format: 'date' },
          kind: { type: 'string', default: 'dog' },
        },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 10 } },
          { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          {
            name: 'deep',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { x: { type: 'integer' } } },
          },
          { name: 'X-Request', in: 'header', schema: { type: 'integer' } },
        ],
        responses: answers({ type: 'array', items: pet }),
      },
      post: { requestBody: { required: true, content: json(pet) }, responses: answers(pet, 201) },
    },
    '/pets/{id}': {
      get: {
        operationId: 'show',
        parameters: [inPath('id', { type: 'integer' })],
        responses: answers({}),
      },
    },
    '/bad/{kind}': { get: { parameters: [inPath('kind', { type: 'string' })], responses: answers(pet) } },
    '/secret': { get: { security: [{ key: [] }], responses: answers(pet) } },
    '/photos': {
      post: { requestBody: { content: { 'multipart/form-data': { schema: form } } }, responses: answers({}) },
    },
  },
};

module.exports = {
  programs: {
    /** express-openapi-validator: validates requests and responses against a document. */
    'express-openapi-validator': {
      packages: ['express-openapi-validator'],
      exercised:
        'params, query, headers, cookies and bodies with coercion and defaults, validateResponses (with onError), security handlers, uploads, unknown paths, methods and media types, ignorePaths, readOnly, operationHandlers with a resolver, req.openapi, basePath from servers, errors with their list',
      timeout: 60,

      async run({ listen, request, note }) {
        const express = require('express');
        const OpenApiValidator = require('express-openapi-validator');
        const show = (req, res) => res.json({ id: req.params.id, by: 'operation handler' });
        const resolver = (folder, route) => {
          note('operation', route.method, route.expressRoute, route.basePath);
          return route.expressRoute === '/v1/pets/:id' ? show : (req, res, next) => next();
        };
        const app = express();
        app.use(express.json(), express.text(), express.urlencoded({ extended: false }));
        app.use(
          OpenApiValidator.middleware({
            apiSpec: document,
            validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false },
            validateResponses: {
              onError: (err, body, req) =>
                note('response', err.message, req.originalUrl, body) || rethrow(req, err),
            },
            validateSecurity: { handlers: { key: (req, scopes, schema) => checkKey(req, scopes, schema) } },
            ignorePaths: /\/ignored/,
            operationHandlers: { basePath: process.cwd(), resolver },
            fileUploader: { limits: { fileSize: 20 } },
          }),
        );
        app.get('/v1/pets', (req, res) => {
          const { pathParams, expressRoute, openApiRoute, schema } = req.openapi;
          res.json([
            {
              id: 1,
              name: JSON.stringify({
                query: req.query,
                pathParams,
                expressRoute,
                openApiRoute,
                operation: schema.operationId,
              }),
            },
          ]);
        });
        app.post('/v1/pets', (req, res) => res.status(201).json({ id: 7, ...req.body }));
        app.get('/v1/bad/:kind', (req, res) =>
          res.json(req.params.kind === 'good' ? { id: 1, name: 'x' } : { id: 'x', extra: true }),
        );
        app.get('/v1/secret', (req, res) => res.json({ id: 1, name: req.user }));
        app.post('/v1/photos', (req, res) =>
          res.json({
            files: req.files.map(({ fieldname, originalname, size }) => [fieldname, originalname, size]),
            body: req.body,
          }),
        );
        app.get('/v1/ignored', (req, res) => res.send('ignored'));
        app.use((err, req, res, next) => {
          if (res.headersSent) return next(err);
          res
            .status(err.status ?? 500)
            .json({ name: err.name, message: err.message, errors: err.errors, headers: err.headers });
        });
        const server = await listen(app);
        const photo = (value, more = []) =>
          multipart([{ name: 'photo', filename: 'a.png', type: 'image/png', value }, ...more]);
        const seen = await visit(request, server, [
          ...['GET /v1/pets', 'GET /v1/pets?limit=5&tags=a,b&deep[x]=1', 'GET /v1/pets?limit=x'],
          ...['GET /v1/pets?limit=500', 'GET /v1/pets?unknown=1'],
          ['GET /v1/pets', { headers: { 'X-Request': 'no' } }],
          ['POST /v1/pets', { json: { name: 'Tobi', born: '2020-01-02' } }],
          ['POST /v1/pets', { json: { name: '', id: 3 } }],
          ['POST /v1/pets', { json: {} }],
          ['POST /v1/pets', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
          ...['DELETE /v1/pets', 'GET /v1/nothing', 'GET /elsewhere', 'GET /v1/pets/7', 'GET /v1/pets/x'],
          ...['GET /v1/bad/good', 'GET /v1/bad/bad', 'GET /v1/secret'],
          ['GET /v1/secret', { headers: { 'X-Key': 'wrong' } }],
          ['GET /v1/secret', { headers: { 'X-Key': 'broken' } }],
          ['GET /v1/secret', { headers: { 'X-Key': 'right' } }],
          ['POST /v1/photos', photo('pixels', [{ name: 'title', value: 'x' }])],
          ['POST /v1/photos', photo('x'.repeat(50))],
          ['POST /v1/photos', photo('pixels')],
          'GET /v1/ignored',
        ]);
        assert.deepEqual(
          statuses(seen),
          [
            200, 200, 400, 400, 400, 400, 201, 400, 400, 415, 405, 404, 404, 200, 400, 200, 500, 401, 401,
            500, 200, 200, 413, 400, 200,
          ],
        );
        const shown = JSON.parse(JSON.parse(seen[1].body)[0].name);
        assert.deepEqual(
          [shown.query.limit, shown.query.tags, shown.openApiRoute],
          [5, ['a', 'b'], '/v1/pets'],
        );
        assert.match(seen[13].body, /operation handler/);
        return seen;
      },
    },
  },
};

// runs: slow
/** `web.openApi`: its documents pass a third-party linter, which finds planted faults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type } from 'arktype';
import web from 'ristretto';
import type { OpenApiDocument } from 'ristretto';
import * as v from 'valibot';
import { z } from 'zod';
import { words } from '../support/random.js';

const show: web.RequestHandler = (_req, res) => void res.json({});

/** Returns the linter's findings, except about what only authors can add: licence, servers, summaries, errors. */
async function faultsOf(document: OpenApiDocument): Promise<string[]> {
  // Loaded here because it is a large ES module.
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const rules = Object.fromEntries(
    words(`
      info-license no-empty-servers operation-summary operation-4xx-response security-defined
    `).map(name => [name, 'off' as const]),
  );
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: { ...rules, 'operation-parameters-unique': 'error', 'no-invalid-schema-examples': 'error' },
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

/** Returns the document of an application that uses a bit of everything. */
function make(): OpenApiDocument {
  const Node_ = z.object({
    name: z.string().default('x'),
    get next() {
      return Node_.optional();
    },
  });
  const User = z.object({ email: z.email(), born: z.iso.date().nullable() }).meta({ id: 'User' });
  const Tuple = type({ pair: ['string', 'number'], 'kind?': "'a' | 'b'" });
  const Shape = v.variant('type', [
    v.object({ type: v.literal('circle'), radius: v.number() }),
    v.object({ type: v.literal('square'), side: v.number() }),
  ]);
  const app = web().use(web.json(), web.urlencoded({ extended: true }));
  const router = web.Router().use(web.validate({ headers: z.object({ 'x-tenant': z.string() }) }));
  router.get(
    '/',
    web.validate({ query: z.object({ page: z.coerce.number(), tags: z.array(z.string()).optional() }) }),
    show as never,
  );
  router.post(
    '/',
    web.validate({ body: User, response: { 201: User, '4XX': Tuple, default: Node_ } }),
    show as never,
  );
  router.all(
    '/:id/:tab?',
    web.validate({ params: v.object({ id: v.string(), tab: v.optional(v.string()) }) }),
    show as never,
  );
  router
    .get('/:other/:more', show)
    .put('/:other(\\d+)', web.validate({ body: Node_, response: { 200: Node_ } }), show as never);
  app.use('/users', router);
  app.post(
    '/shapes',
    web.validate({ body: Shape, response: { 200: v.array(Shape) } }, { status: 422 }),
    show as never,
  );
  app.get(['/files/*', /regexp/, '/a.:format?'], show).report('/files', show);
  return web
    .openApi(app, {
      info: { title: 'All', version: '1' },
      tags: [{ name: 'a', description: 'b' }],
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      security: [{ key: [] }, {}],
    })
    .document();
}

describe('web.openApi', () => {
  test('linter: finds nothing in a document with all features', async () => {
    assert.deepEqual(await faultsOf(make()), []);
  });

  test('linter: finds nothing in an empty document', async () => {
    const empty = web.openApi(web(), { info: { title: 'None', version: '1' } }).document();
    assert.deepEqual(await faultsOf(empty), []);
  });

  type Faults = Record<string, [rule: RegExp, plant: (document: any) => void]>; // eslint-disable-line @typescript-eslint/no-explicit-any -- whatever a document holds
  const faults: Faults = {
    'a reference that does not exist': [
      /^no-unresolved-refs/,
      document =>
        (document.paths['/users'].post.responses[201].content['application/json'].schema.$ref = '#/x'),
    ],
    'a parameter that the path lacks': [
      /^path-parameters-defined/,
      document => (document.paths['/users/{id}'].get.parameters[0].name = 'other'),
    ],
    'a parameter that is there twice': [
      /^operation-parameters-unique/,
      ({ paths }) => paths['/users'].get.parameters.push(paths['/users'].get.parameters[0]),
    ],
    'a path that is there twice': [
      /^no-identical-paths/,
      ({ paths }) => (paths['/users/{name}'] = paths['/users/{id}']),
    ],
    'an operationId that is there twice': [
      /^operation-operationId-unique/,
      ({ paths }) => (paths['/users'].post.operationId = paths['/users'].get.operationId),
    ],
    'a response without description': [
      /^struct/,
      ({ paths }) => delete paths['/users'].post.responses[201].description,
    ],
    'a status that is none': [
      /^struct/,
      ({ paths }) => (paths['/users'].post.responses.ok = paths['/users'].post.responses[201]),
    ],
    'a keyword of no schema': [/^struct/, ({ components }) => (components.schemas.User.type = 'objekt')],
    'an example that does not match': [
      /^no-invalid-media-type-examples/,
      ({ paths }) =>
        (paths['/users'].post.requestBody.content['application/json'].examples = {
          a: { value: { email: 5 } },
        }),
    ],
    'a component whose name is none': [
      /^spec-components-invalid-map-name/,
      ({ components }) => (components.schemas['a b'] = {}),
    ],
  };
  for (const [name, [rule, plant]] of Object.entries(faults)) {
    test(`linter: finds ${name}`, async () => {
      const document = make();
      plant(document);
      const found = await faultsOf(document);
      assert.ok(
        found.some(one => rule.test(one)),
        found.join('\n'),
      );
    });
  }
});

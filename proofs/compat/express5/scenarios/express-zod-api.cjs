/** express-zod-api: endpoints with schemas, attached to an application. */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['express-zod-api', 'zod'],
  exercised:
    'attachRouting to an application: endpoints with input and output schemas, nested paths with parameters, middlewares with options, its result handler for errors of input, output and handlers, CORS and OPTIONS, wrong methods, the handler for what is not found',
  express: [5],

  async run({ listen, request }) {
    const express = require('express');
    const { z } = await import('zod');
    const api = await import('express-zod-api');
    const { client } = require('../frameworks/support/client.cjs');
    const app = express();
    app.use(express.json());
    const config = api.createConfig({ app, cors: true, logger: { level: 'silent' } });
    const known = new api.Middleware({
      handler: async ({ request: req }) => {
        if (!req.get('x-user'))
          throw api.createHttpError?.(401, 'who?') ?? Object.assign(new Error('who?'), { status: 401 });
        return { user: req.get('x-user') };
      },
    });
    const factory = api.defaultEndpointsFactory;
    const hello = factory.build({
      method: ['get', 'post'],
      input: z.object({ name: z.string().min(2), times: z.coerce.number().optional() }),
      output: z.object({ text: z.string() }),
      handler: async ({ input }) => ({ text: `hello ${input.name}`.repeat(input.times ?? 1) }),
    });
    const secret = factory.addMiddleware(known).build({
      output: z.object({ user: z.string() }),
      handler: async context => ({ user: (context.ctx ?? context.options).user }),
    });
    const broken = factory.build({
      output: z.object({ n: z.number() }),
      handler: async () => ({ n: 'no number' }),
    });
    const user = factory.build({
      input: z.object({ id: z.string() }),
      output: z.object({ id: z.string() }),
      handler: async ({ input }) => input,
    });
    const { notFoundHandler } = api.attachRouting(config, {
      v1: { hello, secret, broken, users: { ':id': user } },
    });
    app.get('/own', (req, res) => res.send('own'));
    app.use(notFoundHandler);
    const see = client(request, await listen(app));
    const record = {
      hello: await see('GET /v1/hello?name=ann'),
      posted: await see('POST /v1/hello', { json: { name: 'bea', times: 2 } }),
      short: await see('GET /v1/hello?name=x'),
      none: await see('GET /v1/hello'),
      malformed: await see('POST /v1/hello', { body: '{', headers: { 'Content-Type': 'application/json' } }),
      refused: await see('GET /v1/secret'),
      secret: await see('GET /v1/secret', { headers: { 'X-User': 'ann' } }),
      broken: await see('GET /v1/broken'),
      user: await see('GET /v1/users/a%20b'),
      head: await see('HEAD /v1/users/1'),
      wrongMethod: await see('DELETE /v1/hello'),
      preflight: await see('OPTIONS /v1/hello', { headers: { Origin: 'http://a.example' } }),
      own: await see('GET /own'),
      missing: await see('GET /nothing'),
    };
    assert.match(record.hello.body, /"text":"hello ann"/);
    assert.match(record.user.body, /"id":"a b"/);
    assert.deepEqual([record.short.status, record.broken.status, record.missing.status], [400, 500, 404]);
    return record;
  },
};

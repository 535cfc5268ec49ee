/** tRPC's adapter, in both major versions in use: procedures as middleware of an application. */
'use strict';
const assert = require('node:assert/strict');
const { client } = require('../support/client.cjs');

module.exports = {
  packages: ['@trpc/server', 'trpc11', 'zod'],
  exercised:
    'createExpressMiddleware with context, errors and response meta, mounted with and without express.json; queries, mutations, validated input, batches, limits, HEAD',
  timeout: 30,
  express: [4, 5],
  async run(tools) {
    return { 10: await served(tools, '@trpc/server'), 11: await served(tools, 'trpc11') };
  },
};

/** @param {string} trpc the name under which a major version is installed */
async function served({ listen, request }, trpc) {
  const express = require('express');
  const { createExpressMiddleware } = require(`${trpc}/adapters/express`);
  const errors = [];
  const middleware = createExpressMiddleware({
    router: procedures(trpc),
    createContext: ({ req, res }) => ({ req, res, user: req.get('x-user') }),
    onError: ({ error, path }) => errors.push(`${path}: ${error.code}`),
    responseMeta: ({ type }) => (type === 'query' ? { headers: { 'cache-control': 's-maxage=1' } } : {}),
    maxBodySize: 1000,
  });
  const app = express();
  app.use('/trpc', middleware);
  app.use('/parsed/:tenant', express.json(), middleware);
  app.use((req, res) => res.status(404).send('not a procedure'));
  const see = client(request, await listen(app));
  const input = value => `input=${encodeURIComponent(JSON.stringify(value))}`;
  const record = {
    hello: await see(`GET /trpc/hello?${input({ name: 'ann' })}`),
    noInput: await see('GET /trpc/hello'),
    badInput: await see(`GET /trpc/hello?${input({ name: 1 })}`),
    brokenInput: await see('GET /trpc/hello?input=%7B'),
    nested: await see('GET /trpc/deep.where'),
    parsedNested: await see('GET /parsed/a/deep.where'),
    batch: await see(`GET /trpc/hello,deep.where?batch=1&${input({ 0: { name: 'bea' } })}`),
    partly: await see(`GET /trpc/hello,nothing?batch=1&${input({ 0: { name: 'bea' } })}`),
    add: await see('POST /trpc/add', { json: [1, 2] }),
    parsedAdd: await see('POST /parsed/a/add', { json: [1, 2] }),
    wrongMethod: await see('GET /trpc/add'),
    malformed: await see('POST /trpc/add', { body: '[', headers: { 'Content-Type': 'application/json' } }),
    tooLarge: await see('POST /trpc/add', { json: [...Array(600).keys()] }),
    refused: await see('GET /trpc/secret'),
    secret: await see('GET /trpc/secret', { headers: { 'X-User': 'ann' } }),
    missing: await see('GET /trpc/nothing'),
    root: await see('GET /trpc'),
    head: await see('HEAD /trpc/deep.where'),
    cookie: await see('POST /trpc/cookie', { json: {} }),
    elsewhere: await see('GET /elsewhere'),
    errors,
  };
  assert.equal(record.hello.body, '{"result":{"data":{"text":"hello ann"}}}');
  assert.equal(record.badInput.status, 400);
  assert.equal(record.partly.status, 207);
  assert.equal(record.add.body, '{"result":{"data":3}}');
  assert.equal(record.parsedAdd.body, record.add.body);
  assert.equal(record.tooLarge.status, 413);
  assert.deepEqual([record.refused.status, record.secret.status], [401, 200]);
  assert.ok(record.cookie.headers.includes('Set-Cookie: a=b; Path=/'));
  return record;
}

function procedures(trpc) {
  const { initTRPC, TRPCError } = require(trpc);
  const { z } = require('zod');
  const t = initTRPC.context().create({
    errorFormatter: ({ shape }) => ({ ...shape, data: { ...shape.data, stack: undefined } }),
  });
  const known = t.procedure.use(({ ctx, next }) => {
    if (!ctx.user) throw new TRPCError({ code: 'UNAUTHORIZED' });
    return next();
  });
  return t.router({
    hello: t.procedure
      .input(z.object({ name: z.string() }))
      .query(({ input }) => ({ text: `hello ${input.name}` })),
    add: t.procedure
      .input(z.array(z.number()))
      .mutation(({ input }) => input.reduce((sum, each) => sum + each)),
    secret: known.query(({ ctx }) => `for ${ctx.user}`),
    cookie: t.procedure.mutation(({ ctx }) => void ctx.res.cookie('a', 'b')),
    deep: t.router({
      where: t.procedure.query(({ ctx: { req } }) => [req.baseUrl, req.path, req.originalUrl, req.params]),
    }),
  });
}

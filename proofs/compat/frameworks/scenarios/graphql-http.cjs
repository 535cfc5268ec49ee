/** The reference implementation of GraphQL over HTTP, as a handler in an application. */
'use strict';
const assert = require('node:assert/strict');
const { client } = require('../support/client.cjs');
const { requests, resolvers, typeDefs } = require('../support/graphql.cjs');

module.exports = {
  packages: ['graphql-http', 'graphql'],
  exercised:
    'createHandler of lib/use/express with context, with and without a body parser before it; queries, mutations, GET, errors, negotiation; its own audit of the server',
  timeout: 30,
  express: [4, 5],
  async run({ listen, request }) {
    const express = require('express');
    const { buildSchema } = require('graphql');
    const { createHandler } = require('graphql-http/lib/use/express');
    const { Query, Mutation } = resolvers();
    const rootValue = {
      books: args => Query.books(undefined, args),
      who: (args, context) => Query.who(undefined, args, context),
      broken: Query.broken,
      add: args => Mutation.add(undefined, args),
    };
    const handler = createHandler({
      schema: buildSchema(typeDefs),
      rootValue,
      context: ({ raw, context }) => ({ who: raw.get('x-who'), path: context.res.req.path }),
    });
    const app = express();
    app.all('/graphql', handler);
    app.use('/parsed', express.json(), handler);
    app.get('/behind', (req, res) => res.send('behind'));
    const server = await listen(app);
    const see = client(request, server);
    const record = {
      graphql: await requests(see, '/graphql'),
      parsed: await requests(see, '/parsed'),
      audits: await audit(`http://127.0.0.1:${server.address().port}/graphql`),
    };
    assert.match(record.graphql.query.body, /"books":\[\{"title":"First","pages":100\}\],"who":"ann"/);
    assert.match(record.parsed.get.body, /First/);
    assert.match(record.graphql.broken.body, /this resolver is broken/);
    assert.ok(
      record.audits.every(line => !line.startsWith('error')),
      record.audits.join('\n'),
    );
    return record;
  },
};

/** Runs the package's own audit suite, and returns its findings. */
async function audit(url) {
  const { auditServer } = require('graphql-http');
  const results = await auditServer({ url, fetchFn: fetch });
  return results.map(({ status, name }) => `${status} ${name}`);
}

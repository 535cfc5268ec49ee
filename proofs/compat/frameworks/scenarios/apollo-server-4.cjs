/** Apollo Server 4's `expressMiddleware` on an application. */
'use strict';
const assert = require('node:assert/strict');
const http = require('node:http');
const { client, without } = require('../support/client.cjs');
const { requests, resolvers, typeDefs } = require('../support/graphql.cjs');

module.exports = {
  packages: ['@apollo/server', 'graphql'],
  exercised:
    'expressMiddleware with a context, behind express.json and mounted on a path and a router; queries, mutations, GET, errors, CSRF prevention, landing page, draining',
  timeout: 30,
  async run({ listen, request }, expressMiddleware = require('@apollo/server/express4').expressMiddleware) {
    const express = require('express');
    const { ApolloServer } = require('@apollo/server');
    const { ApolloServerPluginDrainHttpServer } = require('@apollo/server/plugin/drainHttpServer');
    const app = express();
    const server = http.createServer(app);
    const apollo = new ApolloServer({
      typeDefs,
      resolvers: resolvers(),
      includeStacktraceInErrorResponses: false,
      introspection: true,
      plugins: [ApolloServerPluginDrainHttpServer({ httpServer: server })],
    });
    await apollo.start();
    const context = async ({ req, res }) => {
      res.append('X-Context', req.baseUrl);
      return { who: req.get('x-who') };
    };
    app.use('/graphql', express.json(), expressMiddleware(apollo, { context }));
    app.use('/unparsed', expressMiddleware(apollo, { context }));
    const router = express.Router();
    router.post('/in/:depth', express.json(), expressMiddleware(apollo, { context }));
    app.use('/router', router);
    app.get('/behind', (req, res) => res.send('behind'));
    await listen(server);
    const see = client(request, server);
    const record = {
      graphql: await requests(see, '/graphql'),
      unparsed: await see('POST /unparsed', { json: { query: '{ who }' } }),
      routed: await see('POST /router/in/deep', { json: { query: '{ who }' }, headers: { 'X-Who': 'bea' } }),
      introspected: await see('POST /graphql', { json: { query: '{ __schema { types { name } } }' } }),
    };
    record.graphql.page = without(record.graphql.page, /[0-9a-f]{64}/g);
    await apollo.stop();
    assert.match(record.graphql.query.body, /"books":\[\{"title":"First","pages":100\}\],"who":"ann"/);
    assert.match(record.graphql.filtered.body, /Second/);
    assert.match(record.graphql.get.body, /First/);
    assert.equal(record.graphql.getMutation.status, 405);
    assert.match(record.graphql.broken.body, /this resolver is broken/);
    assert.equal(record.routed.body, '{"data":{"who":"bea"}}\n');
    assert.match(record.unparsed.body, /req\.body/);
    return record;
  },
};

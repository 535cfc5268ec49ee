/** Apollo Server 3, which adds its routes to an application by itself. */
'use strict';
const assert = require('node:assert/strict');
const { client } = require('../support/client.cjs');
const { requests, resolvers, typeDefs } = require('../support/graphql.cjs');

module.exports = {
  packages: ['apollo-server-express'],
  exercised:
    'applyMiddleware with and without options (path, cors, bodyParserConfig, onHealthCheck), getMiddleware; queries, mutations, GET, batches, errors, health check, landing page',
  timeout: 30,
  async run({ listen, request }) {
    const express = require('express');
    const { ApolloServer } = require('apollo-server-express');
    const app = express();
    app.get('/behind', (req, res) => res.send('behind'));
    const apollo = new ApolloServer({
      typeDefs,
      resolvers: resolvers(),
      debug: false,
      context: ({ req }) => ({ who: req.get('x-who') }),
    });
    await apollo.start();
    apollo.applyMiddleware({ app });
    apollo.applyMiddleware({
      app,
      path: '/other',
      cors: { origin: 'http://a.test', credentials: true },
      bodyParserConfig: { limit: '200b' },
      onHealthCheck: async req => {
        if (req.query.sick) throw new Error('sick');
      },
    });
    const router = express.Router();
    router.use(apollo.getMiddleware({ path: '/', disableHealthCheck: true, cors: false }));
    app.use('/router', router);
    const server = await listen(app);
    const see = client(request, server);
    const record = {
      graphql: await requests(see, '/graphql'),
      other: await requests(see, '/other'),
      router: await requests(see, '/router'),
      healthy: await see('GET /.well-known/apollo/server-health'),
      sick: await see('GET /.well-known/apollo/server-health?sick=1'),
      tooLarge: await see('POST /other', { json: { query: `{ who } #${'x'.repeat(200)}` } }),
    };
    await apollo.stop();
    assert.match(record.graphql.query.body, /"books":\[\{"title":"First","pages":100\}\],"who":"ann"/);
    assert.match(record.other.get.body, /First/);
    assert.match(record.router.broken.body, /this resolver is broken/);
    assert.match(record.healthy.body, /pass/);
    assert.equal(record.tooLarge.status, 413);
    return record;
  },
};

/** GraphQL servers: one schema, and the requests that are sent to each of them. */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { client, without } = require('../support/client.cjs');

const typeDefs = `
  type Book { title: String!, pages: Int }
  type Query { books(atLeast: Int): [Book!]!, who: String, broken: String }
  type Mutation { add(title: String!, pages: Int): Book! }
`;

/** Returns the resolvers; those for servers that take a root value have no parent argument. */
function resolvers() {
  const books = [{ title: 'First', pages: 100 }];
  return {
    Query: {
      books: (parent, { atLeast = 0 }) => books.filter(({ pages }) => pages >= atLeast),
      who: (parent, args, context) => context.who,
      broken: () => {
        throw new Error('this resolver is broken');
      },
    },
    Mutation: {
      add: (parent, book) => {
        books.push(book);
        return book;
      },
    },
  };
}

const query = 'query Books($n: Int) { books(atLeast: $n) { title pages } who }';

/** Sends valid and invalid requests of GraphQL clients to one path. */
async function requests(see, path) {
  const post = (json, headers) => see(`POST ${path}`, { json, headers });
  const get = (parameters, headers) => see(`GET ${path}?${new URLSearchParams(parameters)}`, { headers });
  const variables = { n: 50 };
  return {
    query: await post({ query, variables }, { 'X-Who': 'ann' }),
    added: await post({ query: 'mutation { add(title: "Second", pages: 20) { title } }' }),
    filtered: await post({ query, variables: { n: 10 }, operationName: 'Books' }),
    get: await get({ query, variables: JSON.stringify(variables) }, { 'Apollo-Require-Preflight': '1' }),
    getMutation: await get(
      { query: 'mutation { add(title: "Third") { title } }' },
      { 'Apollo-Require-Preflight': '1' },
    ),
    broken: await post({ query: '{ broken }' }),
    syntax: await post({ query: '{ books' }),
    unknown: await post({ query: '{ magazines }' }),
    wrongVariable: await post({ query, variables: { n: 'many' } }),
    noQuery: await post({}),
    batch: await post([{ query: '{ who }' }, { query: '{ who }' }]),
    noType: await see(`POST ${path}`, { body: '{ who }', headers: { 'Content-Type': 'text/plain' } }),
    malformed: await see(`POST ${path}`, { body: '{', headers: { 'Content-Type': 'application/json' } }),
    accept: await post({ query: '{ who }' }, { Accept: 'application/graphql-response+json' }),
    notAcceptable: await post({ query: '{ who }' }, { Accept: 'image/png' }),
    page: await see(`GET ${path}`, { headers: { Accept: 'text/html' } }),
    put: await see(`PUT ${path}`, { json: { query: '{ who }' } }),
    head: await see(`HEAD ${path}`),
    preflight: await see(`OPTIONS ${path}`, {
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'POST' },
    }),
    behind: await see('GET /behind'),
  };
}

/** Runs the package's own audit suite, and returns its findings. */
async function audit(url) {
  const { auditServer } = require('graphql-http');
  const results = await auditServer({ url, fetchFn: fetch });
  return results.map(({ status, name }) => `${status} ${name}`);
}

module.exports = {
  programs: {
    /** Apollo Server 4's `expressMiddleware` on an application. */
    'apollo-server-4': {
      packages: ['@apollo/server', 'graphql'],
      exercised:
        'expressMiddleware with a context, behind express.json and mounted on a path and a router; queries, mutations, GET, errors, CSRF prevention, landing page, draining',
      timeout: 30,
      async run(
        { listen, request },
        expressMiddleware = require('@apollo/server/express4').expressMiddleware,
      ) {
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
          routed: await see('POST /router/in/deep', {
            json: { query: '{ who }' },
            headers: { 'X-Who': 'bea' },
          }),
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
    },

    /** Apollo Server 3, which adds its routes to an application by itself. */
    'apollo-server-express-3': {
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
    },

    /** The reference implementation of GraphQL over HTTP, as a handler in an application. */
    'graphql-http': {
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
    },
  },
};

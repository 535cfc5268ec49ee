/** One schema for all GraphQL servers, and the requests that are sent to each of them. */
'use strict';

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

module.exports = { requests, resolvers, typeDefs };

/** hpp: parameters that were sent more than once. */
'use strict';

const assert = require('node:assert/strict');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['hpp'],
  exercised:
    'query (changed in place) and body, queryPolluted and bodyPolluted, whitelist as a string and list, checkQuery, checkBody, checkBodyOnlyForContentType, in a router, twice',
  http2: true,
  express: [4],

  async run({ listen, request }) {
    const express = require('express');
    const hpp = require('hpp');
    const app = express();
    app.use(express.urlencoded({ extended: true }), express.json());
    app.use('/all', hpp());
    app.use('/list', hpp({ whitelist: ['ids', 'a'] }));
    app.use('/text', hpp({ whitelist: 'ids' }), hpp());
    app.use('/query', hpp({ checkBody: false }));
    app.use('/body', hpp({ checkQuery: false, checkBodyOnlyForContentType: 'json' }));
    const router = express.Router();
    router.use(hpp());
    app.use('/router', router);
    app.all('*', (req, res) => {
      const { query, queryPolluted, body, bodyPolluted } = req;
      res.json({ query, queryPolluted, body, bodyPolluted });
    });
    const server = await listen(app);
    const search = '?a=1&a=2&ids=3&ids=4&one=5&deep[x]=6&deep[x]=7&__proto__=8&__proto__=9';
    const seen = await visit(
      request,
      server,
      ['all', 'list', 'text', 'query', 'body', 'router'].flatMap(path => [
        `GET /${path}${search}`,
        [
          `POST /${path}?q=1&q=2`,
          { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: search.slice(1) },
        ],
        [`POST /${path}`, { json: { a: ['1', '2'], ids: [], n: 1 } }],
      ]),
    );
    const first = JSON.parse(seen[0].body);
    assert.equal(first.query.a, '2');
    assert.deepEqual(first.queryPolluted.a, ['1', '2']);
    assert.deepEqual(JSON.parse(seen[3].body).query.ids, ['3', '4']);
    return seen;
  },
};

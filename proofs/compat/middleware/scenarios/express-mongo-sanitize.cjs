/** express-mongo-sanitize: removes database operators from client input. */
'use strict';

const assert = require('node:assert/strict');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['express-mongo-sanitize'],
  exercised:
    'body, params, headers and query (assigned anew) with keys with $ and dots, replaceWith, allowDots, dryRun, onSanitize, the functions has and sanitize',
  express: [4],

  async run({ listen, request, note }) {
    const express = require('express');
    const sanitize = require('express-mongo-sanitize');
    const app = express();
    app.use(express.urlencoded({ extended: true }), express.json());
    const onSanitize = ({ req, key }) => note('sanitized', key, req.originalUrl.split('?')[0]);
    app.use('/remove', sanitize({ onSanitize }));
    app.use('/replace', sanitize({ replaceWith: '_', onSanitize }));
    app.use('/dots', sanitize({ allowDots: true }));
    app.use('/dry', sanitize({ dryRun: true, onSanitize }));
    app.all('*', (req, res) => res.json({ body: req.body, query: req.query, params: req.params }));
    const server = await listen(app);
    const visits = ['remove', 'replace', 'dots', 'dry'].flatMap(path => [
      [
        `POST /${path}?user[$ne]=x&a.b=1&ok[deep]=2`,
        { json: { user: { $gt: '' }, 'a.b': 1, list: [{ $where: 'x', ok: 1 }] } },
      ],
      [`POST /${path}`, { form: { 'user[$ne]': '', 'a.b': '1', name: '$value' } }],
      `GET /${path}/x?$where=1&x[]=1&x[]=2`,
    ]);
    const seen = await visit(request, server, visits);
    assert.deepEqual(JSON.parse(seen[0].body), {
      body: { user: {}, list: [{ ok: 1 }] },
      query: { user: {}, ok: { deep: '2' } },
      params: { 0: '/remove' },
    });
    assert.deepEqual(JSON.parse(seen[3].body).query, { user: { _ne: 'x' }, a_b: '1', ok: { deep: '2' } });
    note(sanitize.has({ a: { $b: 1 } }), sanitize.has({ a: 1 }), sanitize.sanitize({ $a: 1, b: 2 }));
    return seen;
  },
};

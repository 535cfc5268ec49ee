/** Datadog's in-app firewall: it reads query, params and body from the framework, and blocks requests. */
'use strict';

const assert = require('node:assert/strict');

const RULES = {
  version: '2.2',
  metadata: { rules_version: '1.0.0' },
  rules: [
    'server.request.query',
    'server.request.path_params',
    'server.request.body',
    'server.response.body',
  ].map(address => ({
    id: address,
    name: address,
    tags: { type: 'attack', category: 'attack_attempt' },
    conditions: [{ parameters: { inputs: [{ address }], list: ['attack'] }, operator: 'phrase_match' }],
    transformers: [],
    on_match: address === 'server.response.body' ? [] : ['block'],
  })),
};

module.exports = {
  packages: ['dd-trace'],
  exercised:
    'With the in-app firewall: attacks in query, route parameters (process_params), JSON body and in the response ' +
    '(json, jsonp) are reported, the first three blocked; routes with an array of paths are named.',
  knownOn5: [
    {
      places: /\._dd\.appsec\.normalized_route$/,
      reason:
        'without the tag `_dd.appsec.normalized_route`, for which it borrows the parser of a loaded `path-to-regexp` 8',
    },
  ],

  async run({ listen, request, collector }) {
    const fs = require('node:fs');
    fs.writeFileSync('rules.json', JSON.stringify(RULES));
    const { start } = require('../fixtures/datadog.cjs');
    const { spans } = await start(collector, {
      DD_APPSEC_ENABLED: 'true',
      DD_APPSEC_RULES: `${process.cwd()}/rules.json`,
      DD_API_SECURITY_ENABLED: 'true',
      DD_API_SECURITY_SAMPLE_DELAY: '0',
    });
    const express = require('express');
    const { isOn4 } = require('../fixtures/application.cjs');
    const app = express();
    app.set('env', 'production');
    app.set('views', `${__dirname}/../fixtures/views`);
    app.engine('txt', (file, locals, done) => done(null, JSON.stringify(locals.who)));
    app.use(express.json());
    app.use(express.urlencoded({ extended: true }));
    app.get('/query', (req, res) => res.json(req.query));
    app.get('/params/:a/:b', (req, res) => res.json(req.params));
    const nested = express.Router({ mergeParams: true });
    nested.get('/:inner', (req, res) => res.json(req.params));
    app.use('/nested/:outer', nested);
    app.post('/body', (req, res) => res.json({ ok: true }));
    app.get('/answer', (req, res) => res.json({ text: req.get('x-echo') }));
    app.get('/padded', (req, res) => res.jsonp({ text: req.get('x-echo') }));
    app.get('/view', (req, res) => res.render('hello.txt', { who: 'you' }));
    app.get(['/array/first', '/array/:second'], (req, res) => res.send('array'));
    app.use(['/several', '/places'], (req, res) => res.send('several'));
    const server = await listen(app);
    const record = {};
    for (const wanted of [
      { path: '/query?q=fine' },
      { path: '/query?q=attack' },
      { path: '/query?q[deep]=attack', headers: { Accept: 'text/html' } },
      { path: '/params/fine/attack' },
      { path: '/nested/attack/x' },
      { path: '/nested/x/attack' },
      { method: 'POST', path: '/body', body: { a: { b: ['attack'] } } },
      { method: 'POST', path: '/body', body: { a: 'fine' } },
      { path: '/answer', headers: { 'x-echo': 'attack' } },
      { path: '/padded?callback=cb', headers: { 'x-echo': 'attack' } },
      { path: '/view' },
      { path: '/array/first' },
      { path: '/array/x' },
      { path: '/several/x' },
    ]) {
      const answer = await request(server, wanted);
      record[`${wanted.method ?? 'GET'} ${wanted.path}`] = { answer, recorded: await spans() };
    }
    assert.equal(record['GET /query?q=fine'].answer.status, 200);
    for (const title of ['GET /query?q=attack', 'GET /params/fine/attack', 'GET /nested/attack/x']) {
      assert.equal(record[title].answer.status, 403, title);
    }
    const root = title => record[title].recorded.find(span => span.name === 'express.request');
    assert.match(root('GET /answer').meta['_dd.appsec.json'], /server.response.body/);
    // On Express 5, it does not name routes that have arrays of paths.
    assert.equal(root('GET /array/x').resource, isOn4 ? 'GET /array/:second' : 'GET');
    assert.equal(root('GET /several/x').resource, isOn4 ? 'GET /several' : 'GET');
    // Each blocked request has an id.
    return JSON.parse(JSON.stringify(record).replace(/[\da-f]{8}-[\da-f-]{27}/g, '<id>'));
  },
};

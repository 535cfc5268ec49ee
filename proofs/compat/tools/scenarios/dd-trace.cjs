/** Datadog's tracer: the spans that it reports, its firewall and its list of endpoints. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

/** Fields that differ from run to run or from machine to machine. */
const RANDOM =
  /^(?:runtime-id|_dd\.p\.(?:tid|dm|ksr|ts)|_dd\.(?:agent_psr|top_level|measured|base_service|tracer_|rule_psr|limit_psr|git|svc_src)|process_id|_sampling_priority_v1|error\.stack|http\.useragent|_dd\.appsec\.(?:waf\.|event_rules|rasp|fp\.)|_dd\.tags\.process|_dd\.stack)/;

/** Describes a span by its contents. */
function plain(span, byId) {
  const meta = Object.entries({ ...span.meta, ...span.metrics }).filter(([name]) => !RANDOM.test(name));
  return {
    name: span.name,
    resource: span.resource,
    type: span.type,
    error: span.error,
    parent: byId.get(String(span.parent_id))?.resource,
    meta: Object.fromEntries(
      meta.map(([name, value]) => [name, String(value).replace(/localhost:\d+|127\.0\.0\.1:\d+/g, '<host>')]),
    ),
  };
}

/** Starts the tracer; `spans` waits for the trace of a request. */
async function start(collector, environment = {}) {
  const { port, take } = await collector({ '/info': { status: 404 } });
  Object.assign(process.env, {
    DD_TRACE_AGENT_URL: `http://127.0.0.1:${port}`,
    DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
    DD_REMOTE_CONFIGURATION_ENABLED: 'false',
    DD_TRACE_STARTUP_LOGS: 'false',
    DD_CRASHTRACKING_ENABLED: 'false',
    DD_SERVICE: 'compat',
    ...environment,
  });
  const tracer = require('dd-trace').init({ flushInterval: 0, plugins: true });
  const { decode } = require('@msgpack/msgpack');
  /** All spans of the reports received so far. */
  const decoded = reports =>
    reports
      .filter(({ path }) => path === '/v0.4/traces')
      .flatMap(({ body }) => decode(body, { useBigInt64: true }).flat());
  const spans = async () => {
    const all = decoded(
      await take(reports => decoded(reports).some(({ name }) => name === 'express.request')),
    );
    const byId = new Map(all.map(span => [String(span.span_id), span]));
    return all.map(span => plain(span, byId));
  };
  return { tracer, spans };
}

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
  programs: {
    /** The traces that Datadog's tracer reports for the application. */
    'dd-trace': {
      packages: ['dd-trace'],
      exercised:
        'The traces of 49 requests as sent to an agent: the request with resource and http.route (nested arrays of paths ' +
        'too), a span for each middleware, router and handler, errors, context in handlers and param callbacks.',
      quick: [4, 5],

      async run({ listen, request, note, collector }) {
        const { tracer, spans } = await start(collector);
        const express = require('express');
        const { application, drive, isOn4 } = require('../fixtures/application.cjs');
        const app = application(express, {
          before: it => {
            it.param('tenant', (req, res, next) => {
              note('param', tracer.scope().active()?.context()._name);
              next();
            });
            it.use((req, res, next) => {
              note(req.url, tracer.scope().active()?.context()._name);
              next();
            });
          },
          after: it => {
            const router = express.Router();
            router.get(['/list', ['/user/:id', ['/:a-:b', /^\/re(\d)$/]]], (req, res) =>
              res.json(req.params),
            );
            it.use(['/app', ['/other/:place']], router);
          },
        });
        const server = await listen(app);
        const record = await drive(server, request, spans);
        for (const path of [
          '/app/list',
          '/app/user/1',
          '/other/x/user/1',
          '/app/a-b',
          '/app/re7',
          '/app/none',
        ]) {
          record[`GET ${path}`] = { answer: await request(server, { path }), recorded: await spans() };
        }
        const at = title => record[title].recorded;
        const root = at('GET /api/acme/items/5').find(span => span.name === 'express.request');
        assert.equal(root.resource, 'GET /api/:tenant/items/:item');
        assert.equal(root.meta['http.route'], '/api/:tenant/items/:item');
        const nested = at('GET /app/user/1').find(span => span.name === 'express.request');
        // On Express 5, it does not name routes that have arrays of paths.
        assert.equal(nested.resource, isOn4 ? 'GET /app/user/:id' : 'GET');
        assert.ok(at('GET /api/acme/items/5').some(span => span.resource === 'inItems'));
        assert.ok(at('GET /fail/throw').some(span => span.meta['error.message'] === 'thrown'));
        return record;
      },
    },

    /** Datadog's in-app firewall: it reads query, params and body from the framework, and blocks requests. */
    'dd-trace-appsec': {
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
    },

    /**
     * Datadog's list of endpoints: collected from `app.route`, `app.all`, `app.use` and the stacks of mounted
     * routers.
     */
    'dd-trace-endpoints': {
      packages: ['dd-trace'],
      exercised:
        'The collection of endpoints, as sent in telemetry: routes of the application, `all`, arrays, nested routers ' +
        'mounted before and after their routes are added (layer.regexp.fast_star and fast_slash, route.methods, wrapped ' +
        'methods of routes).',

      async run({ listen, collector }) {
        const { port, take } = await collector({ '/info': { status: 404 } });
        Object.assign(process.env, {
          DD_TRACE_AGENT_URL: `http://127.0.0.1:${port}`,
          DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'true',
          DD_TELEMETRY_HEARTBEAT_INTERVAL: '1',
          DD_REMOTE_CONFIGURATION_ENABLED: 'false',
          DD_APPSEC_ENABLED: 'true',
          DD_API_SECURITY_ENDPOINT_COLLECTION_ENABLED: 'true',
          DD_TRACE_STARTUP_LOGS: 'false',
          DD_CRASHTRACKING_ENABLED: 'false',
        });
        require('dd-trace').init();
        const express = require('express');
        const { application, isOn4 } = require('../fixtures/application.cjs');
        const app = application(express, {
          after: it => {
            const late = express.Router();
            it.use('/late', late);
            late.get('/added', (req, res) => res.end());
            late
              .route('/chained')
              .get((req, res) => res.end())
              .post((req, res) => res.end());
            const star = express.Router();
            star.all(isOn4 ? '*' : '/*rest', (req, res) => res.end());
            it.use('/star', star);
          },
        });
        await listen(app);
        const endpointsOf = reports =>
          reports
            .filter(({ path }) => path.includes('telemetry'))
            .map(({ body }) => JSON.parse(body.toString()))
            .flatMap(({ payload }) =>
              Array.isArray(payload) ? payload.map(item => item.payload) : [payload],
            )
            .flatMap(payload => payload?.endpoints ?? []);
        const endpoints = endpointsOf(await take(reports => endpointsOf(reports).length > 20));
        const names = endpoints.map(({ resource_name: name }) => name);
        assert.ok(names.includes('GET /api/:tenant/items/:item'), names.join(', '));
        assert.ok(names.includes('PATCH /chain'));
        return endpoints;
      },
    },

    /** Datadog's tracer in an application of ES modules: the framework is loaded with `import`. */
    'import-dd-trace': {
      packages: ['dd-trace'],
      exercised:
        'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: the spans of routes.',
      quick: true,

      async run(tools) {
        register('dd-trace/loader-hook.mjs', pathToFileURL(__filename));
        const { spans } = await start(tools.collector);
        const { drive } = await import('../fixtures/module.mjs');
        const record = await drive(tools, spans);
        const root = record['/things/5'].recorded.find(span => span.name === 'express.request');
        assert.equal(root.resource, 'GET /things/:id');
        assert.ok(record['/things/5'].recorded.some(span => span.resource === 'show'));
        return record;
      },
    },
  },
};

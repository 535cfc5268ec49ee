/** Datadog's list of endpoints: collected from `app.route`, `app.all`, `app.use` and the stacks of mounted routers. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
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
        .flatMap(({ payload }) => (Array.isArray(payload) ? payload.map(item => item.payload) : [payload]))
        .flatMap(payload => payload?.endpoints ?? []);
    const endpoints = endpointsOf(await take(reports => endpointsOf(reports).length > 20));
    const names = endpoints.map(({ resource_name: name }) => name);
    assert.ok(names.includes('GET /api/:tenant/items/:item'), names.join(', '));
    assert.ok(names.includes('PATCH /chain'));
    return endpoints;
  },
};

/** swagger-stats: counts requests by route, and shows the counts on its own pages. */
'use strict';

const assert = require('node:assert/strict');

/** Returns statistics without times, header sizes, rates and machine names. */
function steady(value, name = '') {
  if (
    typeof value === 'number' &&
    /time|^ts$|rate|cpu|mem|pid|apdex|duration|headers_size|clength|req_headers/i.test(name)
  ) {
    return '<number>';
  }
  if (name === 'x-powered-by') return '<framework>';
  if (Array.isArray(value)) return value.map(item => steady(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => !/^(sys|@timestamp|startts|endts|ip|real_ip|port|timeline|longestreq)$/.test(key),
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, steady(item, key)]));
}

/** Returns the lines of metrics that are counters. */
function counters(text) {
  return text
    .split('\n')
    .filter(line => /^api_(?:all_)?(?:request|errors|success|client_error)\w*total/.test(line));
}

module.exports = {
  packages: ['swagger-stats', 'prom-client'],
  exercised:
    'getMiddleware with an OpenAPI document: statistics by method, by route (req.route.path, req.baseUrl, ' +
    '`res._header`), errors, last errors, onResponseFinish, Prometheus metrics, the status page.',
  quick: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const swStats = require('swagger-stats');
    const { application, drive } = require('../fixtures/application.cjs');
    const swaggerSpec = {
      swagger: '2.0',
      info: { title: 'compat', version: '1' },
      basePath: '/',
      paths: { '/users/{id}': { get: { operationId: 'user', responses: { 200: { description: 'ok' } } } } },
    };
    const app = application(express, {
      before: it =>
        it.use(
          swStats.getMiddleware({
            name: 'compat',
            hostname: 'host',
            ip: '127.0.0.1',
            swaggerSpec,
            onResponseFinish: (req, res, rrr) =>
              note(
                rrr.method,
                rrr.path,
                rrr.api?.path,
                rrr.responsecode,
                rrr.http?.response?.code,
                Boolean(res._header),
              ),
          }),
        ),
    });
    const server = await listen(app);
    const record = await drive(server, request);
    const pages = {};
    for (const fields of ['method', 'apistats', 'errors', 'lasterrors', 'all', 'apidefs', 'apiop']) {
      const { status, body } = await request(server, { path: `/swagger-stats/stats?fields=${fields}` });
      assert.equal(status, 200);
      pages[fields] = steady(JSON.parse(body));
    }
    const metrics = counters((await request(server, { path: '/swagger-stats/metrics' })).body);
    const { status, headers } = await request(server, { path: '/swagger-stats/ui' });
    const { apistats } = pages.apistats;
    assert.deepEqual(
      [apistats['/users/{id}'].GET.requests, apistats['/api/acme/items/:item'].GET.requests],
      [3, 1],
    );
    assert.equal(pages.errors.errors.statuscode['418'], 1);
    assert.ok(metrics.length > 5);
    return { record, pages, metrics, ui: [status, headers['content-type']] };
  },
};

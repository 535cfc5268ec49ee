/** serverless-http: an application as a cloud function. */
'use strict';

const assert = require('node:assert/strict');
const { application, askAll, comparable } = require('../support/serverless.cjs');

module.exports = {
  packages: ['serverless-http'],
  exercised:
    'events of API Gateway v1, v2 and a load balancer, binary responses, several cookies, large files, basePath, request and response hooks, errors',

  async run() {
    const serverless = require('serverless-http');
    const app = application();
    const options = { provider: 'aws', binary: ['image/*', 'application/octet-stream'] };
    const handler = serverless(app, options);
    const seen = {
      v1: await askAll(wanted => handler(first(wanted), {})),
      v2: await askAll(wanted => handler(second(wanted), {})),
    };
    const based = serverless(app, { ...options, basePath: '/base' });
    const hooked = serverless(app, {
      ...options,
      request(request, event) {
        request.headers['x-mine'] = event.mark;
      },
      response(response) {
        if (response.statusCode === 200) response.statusCode = 299;
      },
    });
    const wanted = { method: 'GET', path: '/seen', query: {}, headers: {} };
    const more = [
      await based(first({ ...wanted, path: '/base/text' }), {}),
      await hooked({ ...first(wanted), mark: 'of the event' }, {}),
    ];
    assert.equal(seen.v1[0].answer.body, 'text');
    assert.match(more[1].body, /of the event/);
    return { seen, more: comparable(more), finished: app.locals.finished };
  },
};

function first({ method, path, query, headers, body }) {
  return {
    httpMethod: method,
    path,
    headers: { host: 'localhost', ...headers },
    queryStringParameters: query,
    requestContext: { identity: { sourceIp: '10.0.0.1' } },
    ...(body && { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }),
  };
}

function second({ method, path, query, headers, body }) {
  return {
    version: '2.0',
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { host: 'localhost', ...headers },
    cookies: ['a=1', 'b=2'],
    requestContext: { http: { method, path, sourceIp: '10.0.0.1' }, domainName: 'localhost' },
    isBase64Encoded: false,
    ...(body && { body }),
  };
}

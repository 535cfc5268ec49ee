/** @vendia/serverless-express: an application as a cloud function, with a ServerResponse that collects its writes. */
'use strict';

const assert = require('node:assert/strict');
const { application, askAll } = require('../support/serverless.cjs');

const ADAPTER = [
  {
    places: /^\.seen\.seen\.\w+\.(?:26|30)\.answer\./,
    reason:
      'the final handler of Express fails on the socket of the adapter, which has no events: 500 in place of 404 or 418',
  },
];

module.exports = {
  packages: ['@vendia/serverless-express'],
  exercised:
    'events of API Gateway v1 and v2 and of a load balancer: text, JSON, binary and compressed responses, cookies, large files and ranges, streams, bodies to parse, errors, getCurrentInvoke',
  known: ADAPTER,
  knownOn5: ADAPTER,

  async run() {
    const serverlessExpress = require('@vendia/serverless-express');
    const app = application();
    app.get('/invoked', (req, res) => res.json(serverlessExpress.getCurrentInvoke().event.path));
    const handler = serverlessExpress({ app });
    const seen = {
      v1: await askAll(wanted => handler(first(wanted), {})),
      v2: await askAll(wanted => handler(second(wanted), {})),
      balancer: await askAll(wanted => handler(balancer(wanted), {})),
    };
    const invoked = await handler(first({ method: 'GET', path: '/invoked', query: {}, headers: {} }), {});
    assert.equal(seen.v1[0].answer.body, 'text');
    assert.equal(invoked.body, '"/invoked"');
    return { seen, finished: app.locals.finished };
  },
};

const encoded = body =>
  body ? { body: Buffer.from(body).toString('base64'), isBase64Encoded: true } : { body: '' };
const lists = values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

function first({ method, path, query, headers, body }) {
  return {
    resource: '/{proxy+}',
    httpMethod: method,
    path,
    multiValueHeaders: lists({ host: 'localhost', ...headers }),
    multiValueQueryStringParameters: lists(query),
    requestContext: { identity: { sourceIp: '10.0.0.1' } },
    ...encoded(body),
  };
}

function second({ method, path, query, headers, body }) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { host: 'localhost', ...headers },
    cookies: ['a=1', 'b=2'],
    requestContext: { http: { method, path, sourceIp: '10.0.0.1' }, domainName: 'localhost' },
    ...encoded(body),
  };
}

function balancer({ method, path, query, headers, body }) {
  return {
    httpMethod: method,
    path,
    headers: { host: 'localhost', ...headers },
    queryStringParameters: query,
    requestContext: { elb: { targetGroupArn: 'arn' } },
    ...encoded(body),
  };
}

/** The transactions and errors that Elastic's agent reports for the application. */
'use strict';

const assert = require('node:assert/strict');

/** Returns the contents of a transaction, span or error. */
function plain(event) {
  const [[kind, it]] = Object.entries(event);
  const { request, response } = it.context ?? {};
  return {
    kind,
    name: it.name,
    type: it.type,
    result: it.result,
    outcome: it.outcome,
    culprit: it.culprit?.replace(/:.*$/, ''),
    exception: it.exception && {
      type: it.exception.type,
      message: it.exception.message,
      functions: it.exception.stacktrace
        ?.filter(({ filename }) => filename.endsWith('fixtures/application.cjs'))
        .map(frame => [frame.function, frame.lineno]),
    },
    request: request && { method: request.method, path: request.url?.pathname, body: request.body },
    response: response && { status: response.status_code, headers: Object.keys(response.headers ?? {}) },
    transaction: it.transaction,
  };
}

module.exports = {
  packages: ['elastic-apm-node'],
  exercised:
    'Transactions and errors of 43 requests as sent to an APM server: names by route and mount path, static files, ' +
    'errors given to handlers and unhandled ones (through `finalhandler`), captureBody, the connect ' +
    'middleware; `express.static.mime` of the replaced `express.static`.',
  quick: true,

  async run({ listen, request, collector }) {
    const { port, take } = await collector();
    const apm = require('elastic-apm-node').start({
      serverUrl: `http://127.0.0.1:${port}`,
      serviceName: 'compat',
      apmServerVersion: '8.0.0',
      centralConfig: false,
      cloudProvider: 'none',
      metricsInterval: '0s',
      captureBody: 'all',
      logLevel: 'off',
    });
    const express = require('express');
    const { application, drive } = require('../fixtures/application.cjs');
    const app = application(express);
    const server = await listen(app);
    const recorded = async () => {
      // The transaction ends with the response, which the client may receive first.
      await new Promise(resolve => setTimeout(resolve, 5));
      await apm.flush();
      const lines = (await take(() => true)).flatMap(({ body }) =>
        body.toString().split('\n').filter(Boolean),
      );
      const events = lines.map(line => JSON.parse(line)).filter(event => !event.metadata);
      // Errors wait until the files in their stack are read, so they may come before or after their transaction.
      return events.map(plain).sort((one, other) => one.kind.localeCompare(other.kind));
    };
    const record = await drive(server, request, recorded);
    const names = title =>
      record[title].recorded.filter(({ kind }) => kind === 'transaction').map(({ name }) => name);
    assert.deepEqual(names('GET /api/acme/items/5'), ['GET /api/:tenant/items/:item']);
    assert.deepEqual(names('GET /static/hello.txt'), ['GET static file']);
    assert.deepEqual(names('GET /nowhere'), ['GET unknown route']);
    const errors = title => record[title].recorded.filter(({ kind }) => kind === 'error');
    assert.equal(errors('GET /fail/throw')[0].exception.message, 'thrown');
    // Reported by the error handler and, because a string cannot be marked, once more by `finalhandler`.
    assert.equal(errors('GET /fail/text').length, 2);

    const bare = express();
    bare.set('env', 'production');
    bare.use(apm.middleware.connect());
    bare.get('/unhandled', () => {
      throw new Error('nobody handles this');
    });
    const unhandled = await request(await listen(bare), { path: '/unhandled' });
    const seen = await recorded();
    assert.ok(seen.some(({ exception }) => exception?.message === 'nobody handles this'));
    return { record, unhandled, seen, mime: express.static.mime?.lookup('a.html') };
  },
};

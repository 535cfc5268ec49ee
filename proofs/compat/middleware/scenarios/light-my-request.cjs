/** light-my-request, which calls an application without a server, with its own request and response classes. */
'use strict';

const assert = require('node:assert/strict');
const { LARGE, application, askAll } = require('../support/serverless.cjs');

module.exports = {
  packages: ['light-my-request'],
  exercised:
    'inject with payloads, query and headers, its chained form, rawPayload and json() of responses of all kinds, files of all sizes, streams, bodies to parse, errors; a ServerResponse and an IncomingMessage that are not those of node:http',

  async run() {
    const inject = require('light-my-request');
    const app = application();
    const seen = await askAll(async ({ method, path, query, headers, body }) => {
      const {
        statusCode,
        statusMessage,
        headers: fields,
        trailers,
        payload,
        rawPayload,
        cookies,
      } = await inject(app, {
        method,
        url: { pathname: path, query },
        headers,
        ...(body && { payload: body }),
      });
      return {
        statusCode,
        statusMessage,
        fields,
        trailers,
        payload,
        bytes: rawPayload.toString('base64'),
        cookies,
      };
    });
    const chained = await inject(app).post('/echo').headers({ 'X-A': 'b' }).body({ a: 1 });
    const streamed = await inject(app, { url: '/file/large.txt', payloadAsStream: true });
    let length = 0;
    for await (const chunk of streamed.stream()) length += chunk.length;
    const aborted = await abort(inject, app);
    assert.equal(seen[0].answer.payload, 'text');
    assert.deepEqual(chained.json(), { type: 'application/json', body: { a: 1 } });
    assert.equal(length, LARGE.length);
    return { seen, chained: chained.json(), length, finished: app.locals.finished, aborted };
  },
};

/** Returns what an application observes of a request that is aborted before its response. */
async function abort(inject, app) {
  const seen = [];
  app.get('/waits', (req, res) => {
    for (const event of ['aborted', 'close']) req.on(event, () => seen.push(`request ${event}`));
    for (const event of ['finish', 'close']) res.on(event, () => seen.push(`response ${event}`));
    setTimeout(() => res.end('late'), 50);
  });
  const outcome = await inject(app, { url: '/waits', signal: AbortSignal.timeout(10) }).then(
    ({ payload }) => payload,
    ({ name }) => name,
  );
  await new Promise(resolve => setTimeout(resolve, 100));
  return { outcome, seen };
}

/** Google's functions framework from its command line, one process for each signature. */
'use strict';
const assert = require('node:assert/strict');
const path = require('node:path');
const { client } = require('../support/client.cjs');
const { commandOf, freePort, start } = require('../support/program.cjs');

module.exports = {
  packages: ['@google-cloud/functions-framework'],
  exercised:
    'the command with HTTP, CloudEvent (structured and binary), background event and typed functions: parsed and raw bodies, errors, robots.txt, shutdown by signal; getTestServer',
  timeout: 60,
  async run({ request, listen }) {
    const isTyped = 'typed' in require('@google-cloud/functions-framework');
    const record = {
      echo: await served(request, ['--target=echo'], echoRequests),
      late: await served(request, ['--target=late'], async see => ({
        late: await see('GET /deep/path?a=1'),
      })),
      broken: await served(request, ['--target=broken'], async see => ({ broken: await see('GET /') })),
      event: await served(request, ['--target=event', '--signature-type=cloudevent'], eventRequests),
      legacy: await served(request, ['--target=legacy', '--signature-type=event'], legacyRequests),
      sum: isTyped && (await served(request, ['--target=sum', '--signature-type=typed'], typedRequests)),
      tested: await tested(request, listen),
    };
    assert.match(record.echo.json.body, /"body":\{"a":1\},"raw":"\{\\"a\\":1\}"/);
    assert.equal(record.late.late.body, 'late /deep/path?a=1');
    assert.equal(record.broken.broken.status, 500);
    assert.match(record.event.printed, /event com\.example\.made \/\/here \{"a":1\}/);
    assert.equal(record.event.structured.status, 204);
    assert.match(record.legacy.printed, /legacy google\.storage\.object\.finalize/);
    if (isTyped) assert.equal(record.sum.sum.body, '{"sum":6}');
    return record;
  },
};

async function served(request, options, requests) {
  const port = await freePort();
  const source = path.resolve(__dirname, '../fixtures/functions/index.cjs');
  const args = [`--source=${source}`, `--port=${port}`, ...options];
  const file = commandOf('@google-cloud/functions-framework', 'functions-framework');
  const program = await start(file, args, { ready: /URL: / });
  const record = await requests(client(request, port));
  record.stopped = await program.stop();
  record.printed = program
    .output()
    .split('\n')
    .filter(line => /^(event|legacy) /.test(line))
    .join('\n');
  return record;
}

async function echoRequests(see) {
  const text = { 'Content-Type': 'text/plain' };
  return {
    get: await see('GET /a/b?x[y]=1&z=2'),
    json: await see('POST /', { json: { a: 1 } }),
    form: await see('PUT /', { form: { 'a[b]': 'c' } }),
    text: await see('POST /', { body: 'plain', headers: text }),
    bytes: await see('POST /', { body: 'bytes', headers: { 'Content-Type': 'application/octet-stream' } }),
    cloud: await see('POST /', {
      body: '{"b":2}',
      headers: { 'Content-Type': 'application/cloudevents+json' },
    }),
    malformed: await see('POST /', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    status: await see('GET /?status=418'),
    forwarded: await see('GET /', { headers: { 'X-Forwarded-For': '203.0.113.9' } }),
    robots: await see('GET /robots.txt'),
    favicon: await see('GET /favicon.ico'),
    head: await see('HEAD /'),
  };
}

async function eventRequests(see) {
  const attributes = { id: '1', type: 'com.example.made', source: '//here', specversion: '1.0' };
  const structured = data => ({
    body: JSON.stringify({ ...attributes, data }),
    headers: { 'Content-Type': 'application/cloudevents+json' },
  });
  const binary = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`Ce-${name}`, value]));
  return {
    structured: await see('POST /', structured({ a: 1 })),
    binary: await see('POST /', { json: { a: 2 }, headers: binary }),
    failed: await see('POST /', structured({ fail: true })),
    none: await see('POST /', { json: {} }),
    get: await see('GET /'),
  };
}

async function legacyRequests(see) {
  const context = {
    eventId: '1',
    eventType: 'google.storage.object.finalize',
    timestamp: 't',
    resource: 'r',
  };
  return {
    event: await see('POST /', { json: { context, data: { name: 'file' } } }),
    flat: await see('POST /', { json: { ...context, data: { name: 'flat' } } }),
  };
}

async function typedRequests(see) {
  return {
    sum: await see('POST /', { json: { numbers: [1, 2, 3] } }),
    malformed: await see('POST /', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    wrong: await see('POST /', { json: {} }),
  };
}

/** Uses what the package offers for testing functions. */
async function tested(request, listen) {
  require('../fixtures/functions/index.cjs');
  const { getTestServer } = require('@google-cloud/functions-framework/testing');
  const see = client(request, await listen(getTestServer('echo')));
  return { json: await see('POST /tested', { json: { a: 1 } }) };
}

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { after, before, test } = require('node:test');
const app = require('../app');

let server;
before(() => once((server = app.listen(0)), 'listening'));
after(() => server.close());
const get = async path => (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).json();

test('health', async () => assert.deepEqual(await get('/health'), { ok: true }));
test('posts', async () => assert.deepEqual(await get('/api/posts'), [{ id: 1, title: 'First' }]));
test('version', async () => assert.deepEqual(await get('/express'), { version: '4' }));

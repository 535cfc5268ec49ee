const assert = require('node:assert/strict');
const { once } = require('node:events');
const { test } = require('node:test');
const { health } = require('@monorepo/http');
const express = require('express');

test('health', async () => {
  const server = express().use(health).listen(0);
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${server.address().port}/health`);
  assert.deepEqual(await response.json(), { ok: true });
  server.close();
});

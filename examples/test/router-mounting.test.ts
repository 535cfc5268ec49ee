/** examples/router-mounting */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../router-mounting/index.js');

describe('example router-mounting', () => {
  test('mounts routers in routers', async () => {
    assert.equal((await request(app).get('/owners')).text, 'all owners');
    assert.equal((await request(app).get('/owners/ada/animals')).text, 'the animals of ada');
    assert.deepEqual((await request(app).get('/owners/ada/animals/tobi?age=3')).body, {
      owner: 'ada',
      name: 'tobi',
      mountedOn: '/owners/ada/animals',
      rest: '/tobi?age=3',
      whole: '/owners/ada/animals/tobi?age=3',
    });
  });
  test('middleware of a router guards all its mount paths in every spelling', async () => {
    for (const path of ['/internal/status', '/private/status', '/INTERNAL/status', '/internal/status/']) {
      assert.equal((await request(app).get(path)).status, 403, path);
      assert.deepEqual((await request(app).get(path).set('X-Key', 'letmein')).body, { ok: true }, path);
    }
    assert.equal((await request(app).get('/internals/status')).status, 404);
  });
});

/** examples/sessions */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../sessions/index.js');

describe('example sessions', () => {
  test('counts views for each visitor', async () => {
    const visitor = request.agent(app);
    assert.equal((await visitor.get('/look')).headers['set-cookie'], undefined);
    assert.equal((await visitor.get('/')).text, '1 views');
    assert.equal((await visitor.get('/')).text, '2 views');
    assert.equal((await request(app).get('/')).text, '1 views');
    assert.deepEqual((await visitor.get('/look')).body, { views: 2 });
  });
  test('forgets', async () => {
    const visitor = request.agent(app);
    await visitor.get('/');
    assert.equal((await visitor.post('/forget')).status, 204);
    assert.deepEqual((await visitor.get('/look')).body, { views: 0 });
  });
});

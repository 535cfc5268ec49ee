/** examples/params */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../params/index.js');

describe('example params', () => {
  test('loads the object that the parameter names', async () => {
    assert.deepEqual((await request(app).get('/users/2')).body, { name: 'Grace', langs: ['en', 'cobol'] });
    assert.equal((await request(app).get('/users/1/pages/3')).text, 'page 3 of Ada');
  });
  test('sends errors for missing and invalid values', async () => {
    const missing = await request(app).get('/users/3/pages/x');
    assert.deepEqual([missing.status, missing.text], [404, 'no such user']);
    const wrong = await request(app).get('/users/1/pages/x');
    assert.deepEqual([wrong.status, wrong.text], [400, 'a bad page number']);
  });
});

/** examples/routing */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../routing/index.js');

app.set('env', 'test'); // Prints no stacks on the console

/** Returns status and body of a GET; the body is parsed if it is JSON. */
async function get(path: string): Promise<[number, unknown]> {
  const res = await request(app).get(path);
  return [res.status, res.type === 'application/json' ? res.body : res.text];
}

describe('example routing', () => {
  test('parameters', async () => {
    assert.deepEqual(await get('/users/7/books/8'), [200, { user: '7', book: '8' }]);
    assert.deepEqual(await get('/users/a%2Fb/books/%C3%A9'), [200, { user: 'a/b', book: 'é' }]);
    assert.deepEqual(await get('/orders/12'), [200, { number: 12, format: 'html' }]);
    assert.deepEqual(await get('/orders/12/pdf'), [200, { number: 12, format: 'pdf' }]);
    assert.equal((await get('/orders/x'))[0], 404);
    assert.equal((await get('/users/%E0%A4%A/books/1'))[0], 400);
    assert.deepEqual(await get('/flights/LAX-SFO'), [200, { from: 'LAX', to: 'SFO' }]);
  });
  test('matches patterns and regular expressions', async () => {
    assert.deepEqual(await get('/color'), [200, 'both spellings']);
    assert.deepEqual(await get('/colour/'), [200, 'both spellings']);
    assert.deepEqual(await get('/files/a/b.txt'), [200, 'file a/b.txt']);
    assert.deepEqual(await get('/v4.50'), [200, { major: '4', minor: '50' }]);
    assert.deepEqual(await get('/imprint'), await get('/about'));
  });
  test('responds to each method of a route', async () => {
    const put = await request(app).put('/note');
    assert.equal(put.text, 'written');
    assert.equal(put.headers['x-note'], 'PUT');
    assert.equal((await request(app).delete('/note')).status, 204);
    const options = await request(app).options('/about');
    assert.equal(options.headers.allow, 'GET,HEAD');
  });
  test("next('route')", async () => {
    assert.deepEqual(await get('/greet/Ada'), [200, 'Hello, Ada']);
    assert.deepEqual(await get('/greet/admin'), [200, 'Greetings, administrator']);
  });
});

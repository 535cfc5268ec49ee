/** examples/views-ejs */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../views-ejs/index.js');

describe('example views-ejs', () => {
  test('renders a page with partials and locals', async () => {
    const res = await request(app).get('/');
    assert.equal(res.type, 'text/html');
    assert.match(res.text, /<title>Pets \| The Pet Shop<\/title>/);
    assert.match(res.text, /<li>Tobi, a ferret<\/li>/);
    assert.match(res.text, /<li>&lt;b&gt;Loki&lt;\/b&gt;, a cat<\/li>/);
    assert.match(res.text, /You are at \//);
  });
  test('renders a view without sending it', async () => {
    const res = await request(app).get('/mail');
    assert.equal(res.type, 'text/plain');
    assert.match(res.text, /^Dear customer,\n\nTobi of The Pet Shop says hello\./);
  });
});

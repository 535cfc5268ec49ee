/** examples/views-pug */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import app = require('../views-pug/index.js');

describe('example views-pug', () => {
  test('renders a page in a layout', async () => {
    const res = await request(app).get('/').query({ name: '<Ada>' });
    assert.equal(
      res.text,
      '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Home | The Pet Shop</title></head>' +
        '<body><h1>Hello, &lt;Ada&gt;</h1></body></html>',
    );
  });
  test('uses a custom engine', async () => {
    const res = await request(app).get('/tiny').query({ name: '<Ada>' });
    assert.equal(res.text, '<p>Hello, &lt;Ada&gt;</p>\n');
  });
});

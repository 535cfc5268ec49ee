// Added to the application of express-generator, which has no tests.
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { after, before, test } = require('node:test');
const app = require('./app');

let server;
before(() => once((server = app.listen(0)), 'listening'));
after(() => server.close());
const get = path => fetch(`http://127.0.0.1:${server.address().port}${path}`);

test('front page', async () => {
  const response = await get('/');
  assert.equal(response.status, 200);
  assert.match(await response.text(), /<h1>Express<\/h1>/);
});

test('users', async () => assert.equal(await (await get('/users')).text(), 'respond with a resource'));

test('style sheet', async () =>
  assert.match((await get('/stylesheets/style.css')).headers.get('content-type'), /^text\/css/));

test('404', async () => {
  const response = await get('/nowhere');
  assert.equal(response.status, 404);
  assert.match(await response.text(), /Not Found/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../src/app.ts';

test('a message is shown as text after it has been sent', async () => {
  const app = createApp();
  const sent = await app.inject({ url: '/messages', body: new URLSearchParams({ text: 'Hello <b>' }) });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.location, '/');

  const { status, headers, text } = await app.inject('/');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(String(headers['content-security-policy']), /default-src 'self'/);
  assert.match(text(), /Hello &lt;b&gt;/);
});

test('a form of another site is rejected', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site' };
  const body = new URLSearchParams({ text: 'Hello' });
  assert.equal((await createApp().inject({ url: '/messages', headers, body })).status, 403);
});

test('a message without text is rejected', async () => {
  const { status, text } = await createApp().inject({ url: '/messages', body: new URLSearchParams() });
  assert.equal(status, 400);
  assert.match(text(), /A message needs a text/);
});

test('the style sheet is served, and an unknown page is a 404', async () => {
  const app = createApp();
  assert.match((await app.inject('/style.css')).text(), /font-family/);
  const { status, text } = await app.inject('/nowhere');
  assert.equal(status, 404);
  assert.match(text(), /There is no page \/nowhere/);
});

/** `req.hostname`: the host without its port, from `Host` or from a trusted proxy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { ask, exchange, withServer } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';

const echo = (trust: unknown = false) =>
  answering((req, res) => res.send(req.hostname ?? 'undefined'), { 'trust proxy': trust });

/** Returns the host names for some sets of headers, after asserting that Express returns the same. */
const names = async (trust: unknown, ...headers: Record<string, string | string[]>[]) =>
  (
    await sameEach(
      echo(trust),
      headers.map(fields => ({ headers: fields })),
    )
  ).map(answer => answer.text);

describe('req.hostname', () => {
  test('Host: is returned without the port', async () => {
    assert.deepEqual(
      await names(false, { Host: 'example.com' }, { Host: 'a.example.com:3000' }, { Host: 'a:' }),
      ['example.com', 'a.example.com', 'a'],
    );
  });

  test('Host: keeps the brackets of IPv6', async () => {
    assert.deepEqual(await names(false, { Host: '[::1]' }, { Host: '[::1]:3000' }), ['[::1]', '[::1]']);
  });

  test('Host: is undefined if missing or empty', async () => {
    assert.deepEqual(await names(false, { Host: '' }), ['undefined']);
    const bare = (handler: Parameters<typeof withServer>[0]) =>
      withServer(handler, port => exchange(port, 'GET / HTTP/1.0\r\n\r\n'));
    assert.equal((await bare(echo()(frameworks.ristretto))).text, 'undefined');
    assert.equal((await bare(echo()(frameworks.express))).text, 'undefined');
  });

  test('trust proxy off, peer not trusted: X-Forwarded-Host is ignored', async () => {
    const headers = { Host: 'a', 'X-Forwarded-Host': 'b' };
    assert.deepEqual(await names(false, headers), ['a']);
    assert.deepEqual(await names('10.0.0.0/8', headers), ['a']);
  });

  test('trust proxy on: reads X-Forwarded-Host', async () => {
    const values = ['b', 'b:80', '[::1]:80', ''];
    const all = values.map(value => ({ Host: 'a', 'X-Forwarded-Host': value }));
    assert.deepEqual(await names(true, ...all), ['b', 'b', '[::1]', 'a']);
    assert.deepEqual(await names('loopback', { Host: 'a', 'X-Forwarded-Host': 'b' }), ['b']);
  });

  test('several X-Forwarded-Host: uses the first', async () => {
    const values = ['b, c', 'b:80 , c:81', ['b', 'c'], ', c'];
    const all = values.map(value => ({ Host: 'a', 'X-Forwarded-Host': value }));
    assert.deepEqual(await names(true, ...all), ['b', 'b', 'b', 'undefined']);
  });

  test('CVE-2026-27959: is undefined for a value that is not a host', async () => {
    const build = echo(true)(frameworks.ristretto);
    for (const host of ['evil.com:fake@legitimate.com', 'user@example.com', '[::1', 'a/b', 'a:80:81']) {
      assert.equal((await ask(build, { headers: { Host: host } })).text, 'undefined', host);
      const headers = { Host: 'a', 'X-Forwarded-Host': host };
      assert.equal((await ask(build, { headers })).text, 'undefined', host);
    }
  });

  test('absolute form: uses the Host header', async () => {
    assert.equal((await same(echo(), { path: 'http://b/', headers: { Host: 'a' } })).text, 'a');
  });
});

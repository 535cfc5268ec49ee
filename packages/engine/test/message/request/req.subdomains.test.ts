/** `req.subdomains`: the labels of the hostname before the domain, the nearest first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';

async function subdomains(hosts: string[], settings: Record<string, unknown> = {}): Promise<unknown[]> {
  const build = answering((req, res) => res.json(req.subdomains), settings);
  const answers = await sameEach(
    build,
    hosts.map(host => ({ headers: { Host: host } })),
  );
  return answers.map(answer => JSON.parse(answer.text) as unknown);
}

describe('req.subdomains', () => {
  test('labels: are the part before the domain, nearest first', async () => {
    const hosts = ['de.shop.example.com', 'shop.example.com:80', 'example.com', 'localhost', 'a.b.c.d.'];
    assert.deepEqual(await subdomains(hosts), [['shop', 'de'], ['shop'], [], [], ['c', 'b', 'a']]);
  });

  test('addresses: have no subdomains', async () => {
    assert.deepEqual(await subdomains(['127.0.0.1', '127.0.0.1:80', '[::1]']), [[], [], []]);
    assert.deepEqual(await subdomains(['127.0.0.1'], { 'subdomain offset': 0 }), [['127.0.0.1']]);
  });

  test('no host: has no subdomains', async () => {
    assert.deepEqual(await subdomains(['']), [[]]);
  });

  test('subdomain offset: sets where the subdomains start', async () => {
    for (const offset of [0, 1, 3, 9, -1]) await subdomains(['a.b.c.d'], { 'subdomain offset': offset });
    assert.deepEqual(await subdomains(['a.b.c.d'], { 'subdomain offset': 0 }), [['d', 'c', 'b', 'a']]);
  });

  test('trust proxy on: reads X-Forwarded-Host', async () => {
    const build = answering((req, res) => res.json(req.subdomains), { 'trust proxy': true });
    const [answer] = await sameEach(build, [
      { headers: { Host: 'a', 'X-Forwarded-Host': 'x.y.example.com' } },
    ]);
    assert.equal(answer?.text, '["y","x"]');
  });
});

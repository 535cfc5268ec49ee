/** Who sent a request, and to whom: `req.hostname`, `host`, `subdomains`, `ip`, `ips`, `protocol`, `secure`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach, sameNotices } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';
import { ask, each, exchange, withServer } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';

describe('req.hostname', () => {
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

describe('req.host', () => {
  const echo = answering((req, res) => res.send(req.host ?? 'undefined'), { 'trust proxy': true });

  test('value: equals req.hostname', async () => {
    const answers = await sameEach(echo, [
      { headers: { Host: 'example.com:80' } },
      { headers: { Host: 'a', 'X-Forwarded-Host': '[::1]:80, b' } },
      { headers: { Host: '' } },
    ]);
    assert.deepEqual(each(answers, 'text'), ['example.com', '[::1]', 'undefined']);
  });

  test('deprecated: emits a deprecation warning', async () => {
    // A new handler, because a warning is emitted only once per call site
    const deprecated = answering((req, res) => res.send(req.host));
    assert.deepEqual(await sameNotices(deprecated), ['req.host: Use req.hostname instead']);
  });
});

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

  test('trust proxy on: reads X-Forwarded-Host', async () => {
    const build = answering((req, res) => res.json(req.subdomains), { 'trust proxy': true });
    const [answer] = await sameEach(build, [
      { headers: { Host: 'a', 'X-Forwarded-Host': 'x.y.example.com' } },
    ]);
    assert.equal(answer?.text, '["y","x"]');
  });
});

/** Returns the addresses for some values of `X-Forwarded-For`. */
async function addresses(trust: unknown, ...lists: string[]): Promise<string[]> {
  const build = answering(
    (req, res) => res.send(req.ip),
    trust === undefined ? {} : { 'trust proxy': trust },
  );
  const requests = lists.map(list => ({ headers: list === '' ? undefined : { 'X-Forwarded-For': list } }));
  return (await sameEach(build, requests)).map(answer => answer.text.replace('::ffff:', ''));
}

describe('req.ip', () => {
  test('trust proxy off: is the address of the socket', async () => {
    assert.deepEqual(await addresses(undefined, '', '1.1.1.1'), ['127.0.0.1', '127.0.0.1']);
    assert.deepEqual(await addresses(false, '1.1.1.1'), ['127.0.0.1']);
  });

  test('trust proxy on: is the leftmost entry of X-Forwarded-For', async () => {
    assert.deepEqual(await addresses(true, '', '1.1.1.1', '1.1.1.1, 2.2.2.2'), [
      '127.0.0.1',
      '1.1.1.1',
      '1.1.1.1',
    ]);
  });

  test('trust proxy addresses: is the first address from the right that is not trusted', async () => {
    const lists = ['1.1.1.1, 2.2.2.2, 10.0.0.1', '10.0.0.1', 'x, y', ' , '];
    assert.deepEqual(await addresses('loopback, 10.0.0.0/8', ...lists), [
      '2.2.2.2',
      '10.0.0.1',
      'y',
      '127.0.0.1',
    ]);
    assert.deepEqual(await addresses('10.0.0.0/8', '1.1.1.1'), ['127.0.0.1']);
  });

  test('fastify < 5.8.3, CVE-2026-27700, CVE-2026-18174: forged entries on the left are not trusted', async () => {
    assert.deepEqual(await addresses('loopback', '6.6.6.6, 203.0.113.7'), ['203.0.113.7']);
    assert.deepEqual(await addresses(1, '6.6.6.6, 203.0.113.7'), ['203.0.113.7']);
  });

  test('closed socket: is undefined', () => {
    const app = { get: () => () => false };
    alike({}, req => Object.assign(req, { app, socket: {}, connection: {} }).ip, undefined);
  });
});

/** Returns the lists of addresses for some values of `X-Forwarded-For`. */
async function chains(trust: unknown, ...lists: string[]): Promise<unknown[]> {
  const build = answering((req, res) => res.json(req.ips), { 'trust proxy': trust });
  const requests = lists.map(list => ({ headers: list === '' ? undefined : { 'X-Forwarded-For': list } }));
  return (await sameEach(build, requests)).map(answer => JSON.parse(answer.text) as unknown);
}

describe('req.ips', () => {
  test('trust proxy off: is empty', async () => {
    assert.deepEqual(await chains(false, '', '1.1.1.1, 2.2.2.2'), [[], []]);
  });

  test('trust proxy on: contains all addresses, the client first', async () => {
    assert.deepEqual(await chains(true, '', '1.1.1.1, 2.2.2.2'), [[], ['1.1.1.1', '2.2.2.2']]);
  });

  test('trust proxy addresses, hops: contain addresses up to the first from the right that is not trusted', async () => {
    assert.deepEqual(await chains('loopback', '1.1.1.1, 2.2.2.2'), [['2.2.2.2']]);
    assert.deepEqual(await chains('loopback, 2.2.2.2', '0.0.0.1, 1.1.1.1, 2.2.2.2'), [
      ['1.1.1.1', '2.2.2.2'],
    ]);
    assert.deepEqual(await chains(1, '1.1.1.1, 2.2.2.2'), [['2.2.2.2']]);
    assert.deepEqual(await chains('8.8.8.8', '1.1.1.1'), [[]]);
  });

  test('several headers, empty entries: are read as one list, without the empty entries', async () => {
    const build = answering((req, res) => res.json(req.ips), { 'trust proxy': true });
    const lists = ['1.1.1.1', '2.2.2.2,, 3.3.3.3'];
    const [answer] = await sameEach(build, [{ headers: { 'X-Forwarded-For': lists } }]);
    assert.equal(answer?.text, '["1.1.1.1","2.2.2.2","3.3.3.3"]');
    assert.deepEqual(await chains(true, ',', ' ,1.1.1.1,'), [[], ['1.1.1.1']]);
  });
});

/** Returns the protocols for some values of `X-Forwarded-Proto`. */
async function protocols(trust: unknown, ...values: string[]): Promise<string[]> {
  const build = answering((req, res) => res.send(req.protocol), { 'trust proxy': trust });
  const requests = values.map(value => ({
    headers: value === '' ? undefined : { 'X-Forwarded-Proto': value },
  }));
  return (await sameEach(build, requests)).map(answer => answer.text);
}

describe('req.protocol', () => {
  test('plain connection: is http', async () => {
    assert.deepEqual(await protocols(false, ''), ['http']);
  });

  test('TLS: is https', () => {
    const app = { get: () => () => false };
    const connection = { encrypted: true };
    alike({}, req => Object.assign(req, { app, connection, socket: connection }).protocol, 'https');
  });

  test('trust proxy off, peer not trusted: X-Forwarded-Proto is ignored', async () => {
    assert.deepEqual(await protocols(false, 'https'), ['http']);
    assert.deepEqual(await protocols('10.0.0.0/8', 'https'), ['http']);
    assert.deepEqual(await protocols(0, 'https'), ['http']);
  });

  test('trust proxy on: is the first value of X-Forwarded-Proto', async () => {
    const values = ['', 'https', 'https, http', ' https ,http', 'HTTPS', ',https'];
    assert.deepEqual(await protocols(true, ...values), ['http', 'https', 'https', 'https', 'HTTPS', '']);
    assert.deepEqual(await protocols('loopback', 'https'), ['https']);
    assert.deepEqual(await protocols(1, 'https'), ['https']);
  });
});

async function secure(trust: unknown, ...values: string[]): Promise<boolean[]> {
  const build = answering((req, res) => res.json(req.secure), { 'trust proxy': trust });
  const requests = values.map(value => ({ headers: { 'X-Forwarded-Proto': value } }));
  return (await sameEach(build, requests)).map(answer => answer.text === 'true');
}

describe('req.secure', () => {
  test('plain connection: is false', async () => {
    assert.deepEqual(await secure(false, 'https'), [false]);
  });

  test('TLS: is true', () => {
    const app = { get: () => () => false };
    const connection = { encrypted: true };
    alike({}, req => Object.assign(req, { app, connection, socket: connection }).secure, true);
  });

  test('trust proxy on: is true if X-Forwarded-Proto is https', async () => {
    assert.deepEqual(await secure(true, 'https', 'http', 'https, http', 'http, https'), [
      true,
      false,
      true,
      false,
    ]);
  });
});

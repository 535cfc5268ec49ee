// runs: slow
/** URLs of requests, and addresses and hosts behind proxies. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientAddress, compileTrust, trustedAddresses } from '@ristretto/private-engine/lib/protocol/proxy';
import type { TrustFunction } from '@ristretto/private-engine/lib/protocol/proxy';
import {
  cutTarget,
  parseTarget,
  pathnameOf,
  protohostLength,
  queryOf,
} from '@ristretto/private-engine/lib/protocol/url';
import { oracleModule } from '../support/fake-request.js';
import { Random, words } from '../support/random.js';
import { assertFast } from '../support/worst-case.js';

type Parts = ReturnType<typeof parseTarget> | undefined;
const parseurl = oracleModule('parseurl') as (req: { url: string }) => Parts;

const PIECES = [...words('/ / // ? # a b %2F \\'), ' ', '\t', '\n', '\f', '\r', '\u00a0', '\ufeff', 'é'];

const MORE = words('http:// x: :// @ :80 [::1] [ * . .. ; \' | < " = &');

/** Asserts that parseurl returns the same parts, and returns them; undefined if both throw. */
function alike(target: string): Parts {
  let theirs: Parts;
  let ours: Parts;
  try {
    theirs = parseurl({ url: target });
  } catch {
    assert.throws(() => parseTarget(target), target);
  }
  if (theirs) ours = parseTarget(target);
  assert.deepEqual(ours, theirs, JSON.stringify(target));
  assert.equal(pathnameOf(target), theirs?.pathname ?? undefined, JSON.stringify(target));
  assert.equal(queryOf(target), theirs?.query ?? null, JSON.stringify(target));
  return ours;
}

/** Splits request targets of every form into path and query, as Express does. */
describe('protocol/url', () => {
  test('random targets: are parsed as in Express', () => {
    const random = new Random(5);
    // Node warns that unusual hosts will be rejected in the future
    const silent = process.listeners('warning');
    process.removeAllListeners('warning');
    for (let at = 0; at < 12_000; at++) {
      alike(
        (random.chance(0.7) ? '/' : '') + random.many(0, 8, () => random.pick([...PIECES, ...MORE])).join(''),
      );
    }
    setImmediate(() => silent.forEach(listener => process.on('warning', listener)));
  });

  test('cutTarget: returns a target with the same path and query as if it were parsed on its own', () => {
    assert.equal(cutTarget('/users/7?a', 6), '/7?a');
    assert.equal(cutTarget('/users?a', 6), '/?a');
    assert.equal(cutTarget('/users', 6), '/');
    const random = new Random(6);
    for (let at = 0; at < 5000; at++) {
      const target = '/' + random.many(0, 8, () => random.pick(PIECES)).join('');
      pathnameOf(target);
      const cut = cutTarget(target, random.between(0, target.length));
      const [path, query] = [pathnameOf(cut), queryOf(cut)];
      pathnameOf('/another');
      assert.deepEqual([path, query], [pathnameOf(cut), queryOf(cut)], JSON.stringify([target, cut]));
    }
  });

  test('protohostLength: covers scheme and authority if a path follows', () => {
    assert.equal(protohostLength('http://example.com/pets'), 18);
    for (const target of [
      '',
      ...words('/a //a/b * a http:/x http://x ?a=http://x/y /?a=http://x/y a?b://c/d'),
    ]) {
      assert.equal(protohostLength(target), 0, target);
    }
    assert.equal(protohostLength('http://x?y/z'), 10);
    assert.equal(protohostLength('a://b/c://d/e'), 5);
  });

  test('worst-case targets: take linear time', () => {
    for (const prefix of ['', '/', '/?', 'http://', 'http://x/', '/#', 'x?']) {
      assertFast(pathnameOf, prefix);
      assertFast(protohostLength, prefix);
    }
  });
});

type Address = string | undefined;

interface ProxyAddr {
  (req: object, trust: TrustFunction): Address;
  all(req: object, trust: TrustFunction): Address[];
  compile(list: string[]): TrustFunction;
}

const proxyAddr = oracleModule('proxy-addr') as ProxyAddr;

const IPV4 = words('10.0.0.0 10.255.1.1 127.0.0.1 192.168.1.1 172.16.0.1 172.32.0.1 169.254.3.3 8.8.8.8');

const IPV6 = words('::1 :: fe80::1 fe80::1%eth0 febf:: fec0:: fc00::1 2001:db8:: 1:2:3:4:5:6:7:8');

const MAPPED = words(
  '::ffff:10.0.0.0 ::FFFF:10.1.1.1 ::ffff:0a00:1 ::ffff:7f00:1 ::ffff:0:0 ::ffff:1.2.3.4%e',
);

const UNUSUAL = words('1 010.1.1.1 08.1.1.1 0x7f.0.0.1 0x7f000001 4294967295 00001:: 1:2:3:4:5:6:7::');
const MORE_PROXIES = ['1:2:3:4:5:6:1.2.3.4', '::0x1.2.3.4', '1::2:3:4:5:6:7:8', '0.0.0.0', '255.255.255.255'];

const WRONG = ['', ...words('x 1.2.3 1.2.3.4.5 256.1.1.1 4294967296 1.2.3.4%e fe80::1% fe80::1%e-0 ::: 1:2')];

const ALSO_WRONG = [
  ...words('::1:: 1:::2 :1:2:3:4:5:6:7 1:2:3:4:5:6:7: 12345:: g:: [::1]'),
  '1.2.3.4 ',
  '.1.2.3',
  '1..2.3',
];

const TOO_LONG = words(`
  1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:1.2.3.4 ::ffff:1.2.3 ::ffff:256.0.0.1 1.2.3.4:: 0400.0.0.1
`);
const PROXY_ADDRESSES = [
  ...IPV4,
  ...IPV6,
  ...MAPPED,
  ...UNUSUAL,
  ...MORE_PROXIES,
  ...WRONG,
  ...ALSO_WRONG,
  ...TOO_LONG,
];

const LENGTHS = words('/8 /16 /0 /1 /31 /32 /33 /64 /96 /97 /104 /127 /128 /129');

const MASKS = words('/255.0.0.0 /255.255.255.255 /0.0.0.0 /255.0.255.0 /128.0.0.0 /0xff000000 /ffff::');
const RANGES = ['', '', ...LENGTHS, ...MASKS, '/x', '/', '/08', '/-1', '/+8', '/8 ', '/ 8', '/1e1', '/8/8'];

function compiled(compile: () => TrustFunction): TrustFunction | string {
  try {
    return compile();
  } catch (error) {
    return String(error);
  }
}

/** Whether a range of IPv4-mapped addresses includes others: we reject these, proxy-addr 2.0 accepts them. */
function isTooWide(range: string): boolean {
  const [address = '', length = ''] = range.split('/');
  return /^::ffff:/i.test(address) && /^\d+$/.test(length) && Number(length) < 97;
}

/** Decides which proxies are trusted, and finds the address of the client in `X-Forwarded-For`. */
describe('protocol/proxy: compileTrust', () => {
  test('no value: trusts none', () => {
    for (const setting of [false, null, undefined, [], 0, NaN])
      assert.equal(compileTrust(setting)('127.0.0.1', 0), false);
  });

  test('loopback, linklocal, uniquelocal: match the same addresses as in Express', () => {
    for (const name of ['loopback', 'linklocal', 'uniquelocal']) {
      for (const address of PROXY_ADDRESSES) {
        assert.equal(
          compileTrust(name)(address, 0),
          proxyAddr.compile([name])(address, 0),
          `${name} ${address}`,
        );
      }
    }
  });

  test('addresses, prefix lengths, netmasks: match the same addresses and throw the same errors as in Express', () => {
    const random = new Random(97);
    for (let at = 0; at < 4000; at++) {
      const list = random.many(1, 3, () => random.pick(PROXY_ADDRESSES) + random.pick(RANGES));
      if (list.some(isTooWide)) continue;
      const ours = compiled(() => compileTrust(list));
      const theirs = compiled(() => proxyAddr.compile(list));
      if (typeof ours === 'string' || typeof theirs === 'string') {
        assert.equal(ours, theirs, JSON.stringify(list));
        continue;
      }
      for (const address of PROXY_ADDRESSES) {
        assert.equal(ours(address, 0), theirs(address, 0), `${JSON.stringify(list)} ${address}`);
      }
    }
  });

  test('list: an entry that is no text throws a TypeError', () => {
    assert.throws(() => compileTrust([5]), { name: 'TypeError', message: 'invalid IP address: 5' });
  });

  test('CVE-2026-90711: throws for a range of IPv4-mapped addresses that reaches beyond them', () => {
    const ranges = ['::ffff:10.0.0.0/8', '::FFFF:10.0.0.0/32', '::ffff:10.0.0.0/96', '0:0::ffff:a00:0/1'];
    for (const range of [...ranges, '::ffff:0:0/95', '::ffff:0:0/8', '::ffff:0:0/0', '0.0.0.0/0']) {
      assert.throws(() => compileTrust(range), {
        name: 'TypeError',
        message: `invalid range on address: ${range}`,
      });
    }
    const trust = compileTrust('::ffff:10.0.0.0/104');
    assert.deepEqual(
      ['10.1.1.1', '::ffff:10.1.1.1', '11.1.1.1'].map(address => trust(address, 0)),
      [true, true, false],
    );
  });

  test('::ffff:0:0/96: trusts each IPv4-mapped address, as Express', () => {
    for (const range of ['::ffff:0:0/96', '::FFFF:0.0.0.0/96', '0:0:0:0:0:ffff::/96']) {
      const ours = compileTrust(range);
      const theirs = proxyAddr.compile([range]);
      const addresses = ['10.1.1.1', '::ffff:200.1.1.1', '0.0.0.0', '::1', '::fffe:10.1.1.1', 'fe80::1'];
      for (const address of addresses)
        assert.equal(ours(address, 0), theirs(address, 0), `${range} ${address}`);
      assert.equal(ours('200.1.1.1', 0), true);
    }
  });
});

describe('protocol/proxy: trustedAddresses, clientAddress', () => {
  const walk = (list: string | undefined, setting: unknown) => {
    const trust = compileTrust(setting);
    const addresses = trustedAddresses('127.0.0.1', list, trust);
    assert.equal(clientAddress('127.0.0.1', list, trust), addresses.at(-1));
    return addresses;
  };

  test('fastify < 5.8.3, CVE-2026-27700, CVE-2026-18174: spaces and tabs are trimmed', () => {
    assert.deepEqual(walk('\t1.1.1.1\t,\t 2.2.2.2 \t', true), ['127.0.0.1', '2.2.2.2', '1.1.1.1']);
    assert.deepEqual(walk('6.6.6.6,\t10.0.0.1\t', 'loopback, 10.0.0.1'), [
      '127.0.0.1',
      '10.0.0.1',
      '6.6.6.6',
    ]);
  });

  test('random lists: return the same as in Express', () => {
    const random = new Random(11);
    const pieces = ['1.1.1.1', '2.2.2.2', '10.0.0.1', '127.0.0.1', ',', ',', ', ', ' ', 'x'];
    const settings = [
      true,
      false,
      1,
      2,
      3,
      ['127.0.0.1/8'],
      ['127.0.0.1', '10.0.0.0/8'],
      ['1.1.1.1', '127.0.0.1'],
    ];
    for (let at = 0; at < 4000; at++) {
      const list = random.many(0, 9, () => random.pick(pieces)).join('');
      const setting = random.pick(settings);
      const req = { headers: { 'x-forwarded-for': list }, socket: { remoteAddress: '127.0.0.1' } };
      assert.deepEqual(walk(list, setting), proxyAddr.all(req, compileTrust(setting)), JSON.stringify(list));
    }
  });
});

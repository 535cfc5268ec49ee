/** X-Forwarded-* and Host: the client's address is that of proxy-addr; a host contains nothing else. */
import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import type { Request } from 'express';
import web from 'ristretto';
import { parseAddress } from '@ristretto/private-engine/lib/protocol/addresses';
import { compileTrust, trustedAddresses } from '@ristretto/private-engine/lib/protocol/proxy';
import { oracleModule } from '../../../packages/engine/test/support/fake-request.js';
import { allowing, assertSame, fieldOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

type Trust = (address: string | undefined, hop: number) => boolean;
const proxyAddr = oracleModule('proxy-addr') as { all(req: object, trust: Trust): string[] };
const TRUSTS = [
  ...[true, false, 1, 2, 'loopback', 'loopback, 10.0.0.0/8, fc00::/7'],
  ['127.0.0.1', '1.1.1.1', '::ffff:10.0.0.0/104'],
];
const apps = TRUSTS.map(trust => web().set('trust proxy', trust));
const socket = { remoteAddress: '127.0.0.1' };

function requestOf(app: { request: object }, headers: object): Request {
  const req = Object.create(app.request) as Request;
  Object.defineProperty(req, 'socket', { value: socket });
  return Object.assign(req, { headers, method: 'GET', url: '/' });
}

export const target: Target = {
  seeds: [
    '1\n1.1.1.1, 10.0.0.1\nhttps\nexample.com:8080\n10.0.0.0/8',
    '4\n::ffff:10.0.0.1,\t2001:db8::1%eth0\nhttps, http\n[::1]:80\n::1/128',
    '5\nunknown, fc00::1\n\nevil.com:x@good.com\n10.0.0.0/255.0.0.0',
    '6\n010.0.0.1\nhttp\na.b.c, d\n0x7f.1',
  ],
  dictionary: [
    ...words(String.raw`1.1.1.1 10.0.0.1 127.0.0.1 ::1 ::ffff: fc00:: 255.255.255.255 0x7f 010 %eth0 , :
      / /8 /104 [ ] @ https example.com :8080 \ ? #`),
    ...[', ', '\t', '\n', ' '],
  ],
  run(text) {
    const [first = '', list = '', proto = '', host = '', subnet = ''] = partsOf(text, 5).map(fieldOf);
    const at = first.charCodeAt(0) % TRUSTS.length || 0;
    const trust = compileTrust(TRUSTS[at]);
    const headers = {
      'x-forwarded-for': list,
      'x-forwarded-proto': proto,
      'x-forwarded-host': host,
      host: 'own.example',
    };
    const addresses = trustedAddresses('127.0.0.1', list, trust);
    // That package treats tabs as part of an address, which is one of the attacks
    if (!list.includes('\t'))
      assertSame(addresses, proxyAddr.all({ headers, socket, connection: socket }, trust));
    for (const [hop, address] of addresses.slice(0, -1).entries()) assert.ok(trust(address, hop));
    const req = requestOf(apps[at]!, headers);
    assert.equal(req.ip, addresses.at(-1));
    assertHost(req.hostname);
    assert.ok(req.subdomains.every(label => !label.includes('.') || isIP(label)));
    assert.ok(
      trust('127.0.0.1', 0) ||
        (req.protocol === 'http' && req.hostname === 'own.example' && req.ips.length === 0),
    );
    if (isIP(list) && !list.includes('%')) assert.ok(parseAddress(list), list);
    const compiled = allowing(
      () => compileTrust(subnet),
      error => error instanceof TypeError,
    );
    if (compiled) assert.equal(typeof compiled(list, 0), 'boolean');
  },
};

/**
 * Asserts that a host is an address in brackets or consists of the characters of a registered name (RFC 3986, section
 * 3.2.2).
 */
function assertHost(host: string | undefined): void {
  if (host !== undefined) assert.match(host, /^(?:\[[\w\-.~%!$&'()*+,;=:]+\]|[\w\-.~%!$&'()*+,;=]*)$/);
}

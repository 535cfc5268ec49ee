/** Mutations: what proxies and clients claim about a request's origin and host. */

const LIB = 'packages/ristretto/lib/';
const TEST = 'packages/ristretto/test/';
const PROXY = `${LIB}protocol/proxy.js`;

/** @type {import('./index.mjs').Mutation[]} */
export const proxies = [
  {
    id: 'CVE-2026-90711',
    without: 'a shortest prefix of mapped addresses',
    test: `${TEST}protocol.proxy.test.ts`,
    edits: [
      [
        `${LIB}protocol/addresses.js`,
        'const least = words.length * IPV4_BITS === written ? 1 : MAPPED_BITS + 1;',
        'const least = 1;',
      ],
    ],
  },
  {
    id: 'fastify',
    without: 'ignoring what untrusted peers say of addresses',
    test: `${TEST}threats.proxies.test.ts`,
    edits: [[PROXY, 'if (!trust(address, addresses.length - 1))\n            break;', '']],
  },
  {
    id: 'fastify',
    without: 'ignoring what untrusted peers say of the protocol',
    test: `${TEST}threats.proxies.test.ts`,
    edits: [
      [
        `${LIB}request/network.js`,
        'return value && trustOf(this)(peer.remoteAddress, 0) ?',
        'return value ?',
      ],
    ],
  },
  {
    id: 'fastify',
    without: 'ignoring what untrusted peers say of the host',
    test: `${TEST}threats.proxies.test.ts`,
    edits: [
      [
        `${LIB}request/network.js`,
        'const isTrusted = value && trustOf(req)(peerOf(req).remoteAddress, 0);',
        'const isTrusted = value;',
      ],
    ],
  },
  {
    id: 'CVE-2026-27700',
    without: 'walking the list from the right',
    test: `${TEST}req.ip.test.ts`,
    edits: [
      [
        PROXY,
        'return addresses[addresses.length - 1];',
        "return trust(remote, 0) ? forwardedFor.split(',')[0].trim() : remote;",
      ],
    ],
  },
  {
    id: 'CVE-2026-18174',
    without: 'tabs being blanks',
    test: `${TEST}protocol.proxy.test.ts`,
    edits: [[PROXY, 'return code === SPACE || code === TAB;', 'return code === SPACE;']],
  },
  {
    id: 'CVE-2026-27959',
    without: 'a port that is a number',
    test: `${TEST}req.hostname.test.ts`,
    edits: [[`${LIB}protocol/host.js`, 'if (end < 0 || !isPort(authority, end))', 'if (end < 0)']],
  },
  {
    id: 'CVE-2026-27959',
    without: 'a host without user information',
    test: `${TEST}protocol.host.test.ts`,
    edits: [[`${LIB}protocol/host.js`, 'if (!isHostCharacter(code))\n            return -1;', '']],
  },
];

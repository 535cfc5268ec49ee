/**
 * Determines which proxies are trusted, and the client's address among those that they report in `X-Forwarded-For`. The
 * list is read from the right, because each proxy appends to it: anything to the left of the first untrusted address is
 * unreliable.
 */
import { isInRange, parseAddress, parseRange } from './addresses';
import type { Range } from './addresses';
import { trimBlanks } from './blanks';

/**
 * Whether the address of a proxy is trusted.
 * @param address the address, or undefined if the socket is closed
 * @param hop the number of hops to it: 0 is the peer of the socket
 */
export type TrustFunction = (address: string | undefined, hop: number) => boolean;

/** Named ranges, from RFC 3927, RFC 4291, RFC 1122, RFC 1918 and RFC 4193. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  loopback: ['127.0.0.1/8', '::1/128'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const COMMA = 0x2c;

/**
 * Returns the trust function for a value of the `trust proxy` setting.
 * @param setting true for every proxy, false for none, the number of trusted hops, addresses, ranges and the names
 * `loopback`, `linklocal` and `uniquelocal` as a list or as comma-separated text, or a custom function
 * @throws TypeError for an invalid address or range, and for values of another type
 * @example compileTrust('loopback, 10.0.0.0/8')('10.1.2.3', 0); // true
 */
export function compileTrust(setting: unknown): TrustFunction {
  if (typeof setting === 'function') return setting as TrustFunction;
  if (setting === true) return trustAll;
  if (typeof setting === 'number') return (_address, hop) => hop < setting;
  if (typeof setting === 'string') return trustRanges(setting.split(',').map(text => text.trim()));
  if (Array.isArray(setting)) return trustRanges(setting);
  if (setting) throw new TypeError('unsupported trust argument');
  return trustNone;
}

function trustAll(): boolean {
  return true;
}

function trustNone(): boolean {
  return false;
}

function trustRanges(list: unknown[]): TrustFunction {
  const ranges: Range[] = [];
  for (const entry of list) {
    if (typeof entry !== 'string') throw new TypeError(`invalid IP address: ${String(entry)}`);
    const texts = Object.hasOwn(NAMED, entry) ? NAMED[entry]! : [entry];
    for (const text of texts) ranges.push(parseRange(text));
  }
  if (ranges.length === 0) return trustNone;
  return address => {
    const parsed = typeof address === 'string' ? parseAddress(address) : undefined;
    if (parsed === undefined) return false;
    for (const range of ranges) {
      if (isInRange(parsed, range)) return true;
    }
    return false;
  };
}

/**
 * Returns the client's address: the first untrusted address, scanning from the socket back through `X-Forwarded-For`;
 * if all are trusted, the leftmost.
 * @param remote the address of the socket's peer
 * @param forwardedFor the value of `X-Forwarded-For`, if any
 * @param trust determines which addresses are trusted proxies
 * @example clientAddress('127.0.0.1', '203.0.113.7, 10.0.0.1', compileTrust('loopback, 10.0.0.0/8')); // '203.0.113.7'
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trust: TrustFunction,
): string | undefined {
  if (!forwardedFor) return remote;
  const addresses = trustedAddresses(remote, forwardedFor, trust);
  return addresses[addresses.length - 1];
}

/**
 * Returns the addresses on the way to the client: the socket's peer, then those of `X-Forwarded-For` from right to
 * left, up to and including the first untrusted one.
 * @param remote the address of the socket's peer
 * @param forwardedFor the value of `X-Forwarded-For`, if any
 * @param trust determines which addresses are trusted proxies
 * @example trustedAddresses('127.0.0.1', '1.1.1.1, 2.2.2.2', compileTrust('loopback')); // ['127.0.0.1', '2.2.2.2']
 */
export function trustedAddresses(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trust: TrustFunction,
): (string | undefined)[] {
  const addresses = [remote];
  const list = forwardedFor ?? '';
  let address = remote;
  let end = list.length;
  while (end > 0) {
    const start = entryStart(list, end);
    const entry = trimBlanks(list, start, end);
    end = start - 1;
    if (entry === '') continue;
    if (!trust(address, addresses.length - 1)) break;
    addresses.push(entry);
    address = entry;
  }
  return addresses;
}

/** Returns the index at which the entry that ends before `end` begins. */
function entryStart(list: string, end: number): number {
  let start = end;
  while (start > 0 && list.charCodeAt(start - 1) !== COMMA) start--;
  return start;
}

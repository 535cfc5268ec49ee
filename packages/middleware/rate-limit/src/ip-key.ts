/**
 * The key of a client by its IP address. IPv6 addresses count by their network, because a client has all of its
 * addresses.
 */
import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = '::ffff:';

/** Returns the eight groups of an IPv6 address, which must be valid. */
function groupsOf(ip: string): number[] {
  const zone = ip.indexOf('%');
  const [head = '', tail] = (zone < 0 ? ip : ip.slice(0, zone)).split('::');
  const first = groups(head);
  if (tail === undefined) return first;
  const last = groups(tail);
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** Returns the groups of a part, whose last two groups may have the form of an IPv4 address. */
function groups(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap(group => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** Returns the text of an address: https://www.rfc-editor.org/rfc/rfc5952#section-4 */
function formatIPv6(address: number[]): string {
  let start = -1;
  let length = 1;
  for (let index = 0; index < 8; index++) {
    let end = index;
    while (address[end] === 0) end++;
    if (end - index > length) {
      start = index;
      length = end - index;
    }
    index = end;
  }
  const hex = (part: number[]) => part.map(group => group.toString(16)).join(':');
  return start < 0 ? hex(address) : `${hex(address.slice(0, start))}::${hex(address.slice(start + length))}`;
}

/**
 * Returns the IPv4 address that an IPv6 address stands for, if it represents one: `::ffff:192.0.2.1`. All of them
 * share a network, so counting them by network would count all IPv4 clients together.
 */
function embeddedIPv4(ip: string, address: number[]): string | undefined {
  if (address.slice(0, 5).some(group => group !== 0)) return undefined;
  const [kind, high = 0, low = 0] = address.slice(5);
  const isMapped = kind === 0xffff;
  const isCompatible = kind === 0 && ip.includes('.');
  return isMapped || isCompatible ? `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}` : undefined;
}

/**
 * Returns a key for an IP address: IPv6 addresses of one network have the same.
 *
 * @param ip an address; anything else is returned as it is
 * @param ipv6Subnet the length of the network in bits; false for the address alone
 * @throws {RangeError} if there is no network of that length
 */
export function ipKeyGenerator(ip: string, ipv6Subnet: number | false = 56): string {
  // This is the common case. Other values come from programs without types.
  if (typeof ip !== 'string' || !ip.includes(':')) return ip;
  // The form in which a server that listens on all addresses sees IPv4 clients
  if (ip.startsWith(MAPPED) && isIPv4(ip.slice(MAPPED.length))) return ip.slice(MAPPED.length);
  if (!isIPv6(ip)) return ip;
  const address = groupsOf(ip);
  const ipv4 = embeddedIPv4(ip, address);
  if (ipv4 !== undefined) return ipv4;
  if (!ipv6Subnet) return ip;
  // Programs without types pass strings.
  const bits = Number.parseFloat(String(ipv6Subnet));
  if (!(Number.isInteger(bits) && bits > 0 && bits <= 128))
    throw new RangeError(
      `rateLimit: expected ipv6Subnet to be a whole number from 1 to 128, got ${String(ipv6Subnet)}`,
    );
  const network = address.map((group, index) => {
    const kept = Math.min(16, Math.max(0, bits - index * 16));
    return group & (0xffff << (16 - kept)) & 0xffff;
  });
  return `${formatIPv6(network)}/${bits}`;
}

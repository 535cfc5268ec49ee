/** The key under which the sockets of a client are counted. */
import { parseAddress } from '../../protocol/addresses';

/** The sockets of one client, including those that are being opened. */
export interface Client {
  readonly key: string | undefined;
  count: number;
}

/**
 * Returns a key from the bits of an address, whatever its spelling: all of IPv4, and the first 64 of IPv6, of which a
 * client usually has all addresses.
 * @returns undefined if it is not an address, as on a UNIX socket
 */
export function clientKey(address: string | undefined): string | undefined {
  const words = address === undefined ? undefined : parseAddress(address);
  return words?.slice(0, 2).join();
}

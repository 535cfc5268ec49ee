/**
 * Members of a request about the client and the connection: protocol, addresses and host, also behind trusted proxies.
 */
import { isIP } from 'node:net';
import depd = require('depd');
import { hostnameOf } from '../../protocol/host';
import { clientAddress, trustedAddresses } from '../../protocol/proxy';
import type { TrustFunction } from '../../protocol/proxy';
import type { Request } from '../../types/core';

const deprecate = depd('express');

function trustOf(req: Request): TrustFunction {
  return req.app.get('trust proxy fn') as TrustFunction;
}

/** The members of the socket that are read; undefined once the connection is closed. */
interface Peer {
  remoteAddress?: string | undefined;
  encrypted?: boolean;
}

function peerOf(req: Request): Peer {
  return req.socket;
}

/** Returns a header that a proxy adds; several lines of it arrive as one, joined with commas. */
function forwarded(req: Request, name: string): string | undefined {
  return req.headers[name] as string | undefined;
}

/** Returns the text before the first comma. */
function firstOf(list: string): string {
  const comma = list.indexOf(',');
  return comma < 0 ? list : list.slice(0, comma);
}

/**
 * `req.protocol`: `'https'` over TLS, otherwise `'http'`. If the peer is a trusted proxy, it is the first value of its
 * `X-Forwarded-Proto`, unchanged.
 */
export function protocol(this: Request): string {
  const peer = peerOf(this);
  const own = peer.encrypted ? 'https' : 'http';
  const value = forwarded(this, 'x-forwarded-proto');
  return value && trustOf(this)(peer.remoteAddress, 0) ? firstOf(value).trim() : own;
}

/** `req.secure`: whether the protocol is `https`. */
export function secure(this: Request): boolean {
  return this.protocol === 'https';
}

/**
 * The address of the client: the first untrusted address, scanning from the socket back through `X-Forwarded-For`; if
 * all are trusted, the leftmost.
 */
export function ip(this: Request): string | undefined {
  return clientAddress(peerOf(this).remoteAddress, forwarded(this, 'x-forwarded-for'), trustOf(this));
}

/**
 * `req.ips`: the addresses of `X-Forwarded-For`, beginning with the client's; empty unless the peer is a trusted proxy.
 */
export function ips(this: Request): string[] {
  const header = forwarded(this, 'x-forwarded-for');
  if (!header) return [];
  const addresses = trustedAddresses(peerOf(this).remoteAddress, header, trustOf(this));
  return addresses.slice(1).reverse() as string[];
}

/**
 * `req.hostname`: the name in the `Host` header (RFC 9110, section 7.2) without the port, or in the first value of
 * `X-Forwarded-Host` if the peer is a trusted proxy. An IPv6 address keeps its brackets.
 */
export function hostname(this: Request): string | undefined {
  const authority = authorityOf(this);
  return authority ? hostnameOf(authority) : undefined;
}

/** Returns the host and port that the client requested, as sent. */
export function authorityOf(req: Request): string | undefined {
  const value = forwarded(req, 'x-forwarded-host');
  const isTrusted = value && trustOf(req)(peerOf(req).remoteAddress, 0);
  return isTrusted ? firstOf(value).trimEnd() : req.headers.host;
}

/**
 * `req.host`: the same as `req.hostname`.
 * @deprecated Use `req.hostname`.
 */
export function host(this: Request): string | undefined {
  deprecate('req.host: Use req.hostname instead');
  return this.hostname;
}

/**
 * `req.subdomains`: the labels of the host name before the domain, the one nearest to it first. The setting `subdomain
 * offset` is the number of labels of the domain, 2 by default. An IPv4 address has none.
 */
export function subdomains(this: Request): string[] {
  const name = this.hostname;
  if (!name) return [];
  const offset: number = this.app.get('subdomain offset');
  const labels = isIP(name) ? [name] : name.split('.').reverse();
  return labels.slice(offset);
}

/** Members of a request that say who asks and over what: protocol, addresses and host, behind trusted proxies too. */
import { isIP } from 'node:net';
import depd = require('depd');
import { hostnameOf } from '../protocol/host';
import { clientAddress, trustedAddresses } from '../protocol/proxy';
import type { TrustFunction } from '../protocol/proxy';
import type { Request } from '../types/core';

const deprecate = depd('express');

function trustOf(req: Request): TrustFunction {
  return req.app.get('trust proxy fn') as TrustFunction;
}

/** What is known of the other end of the connection; nothing once it is closed. */
interface Peer {
  remoteAddress?: string | undefined;
  encrypted?: boolean;
}

function peerOf(req: Request): Peer {
  return req.socket;
}

/** A field that a proxy adds; several lines of it come as one, with commas between. */
function forwarded(req: Request, name: string): string | undefined {
  return req.headers[name] as string | undefined;
}

/** The text before the first comma. */
function firstOf(list: string): string {
  const comma = list.indexOf(',');
  return comma < 0 ? list : list.slice(0, comma);
}

/**
 * `req.protocol`: `'https'` over TLS, else `'http'`. Where the peer is a trusted proxy, what its `X-Forwarded-Proto`
 * says, the first value of several, as it is written.
 *
 * @example
 * req.protocol; // 'https'
 */
export function protocol(this: Request): string {
  const peer = peerOf(this);
  const own = peer.encrypted ? 'https' : 'http';
  const value = forwarded(this, 'x-forwarded-proto');
  return value && trustOf(this)(peer.remoteAddress, 0) ? firstOf(value).trim() : own;
}

/**
 * `req.secure`: whether the protocol is `https`.
 *
 * @example
 * if (!req.secure) res.redirect('https://example.com' + req.url);
 */
export function secure(this: Request): boolean {
  return this.protocol === 'https';
}

/**
 * `req.ip`: the address of the client. It is that of the socket's peer, or, as far as this and the addresses before it
 * are trusted proxies, the next one of `X-Forwarded-For` from the right.
 *
 * @example
 * req.ip; // '203.0.113.7'
 */
export function ip(this: Request): string | undefined {
  return clientAddress(peerOf(this).remoteAddress, forwarded(this, 'x-forwarded-for'), trustOf(this));
}

/**
 * `req.ips`: the addresses of `X-Forwarded-For` from the client's on, which comes first; empty where the peer is not
 * a trusted proxy.
 *
 * @example
 * req.ips; // ['203.0.113.7', '10.0.0.2']
 */
export function ips(this: Request): string[] {
  const header = forwarded(this, 'x-forwarded-for');
  if (!header) return [];
  const addresses = trustedAddresses(peerOf(this).remoteAddress, header, trustOf(this));
  return addresses.slice(1).reverse() as string[];
}

/**
 * `req.hostname`: the name in the `Host` field (RFC 9110, section 7.2) without the port, or in the first value of
 * `X-Forwarded-Host` where the peer is a trusted proxy. An address of IPv6 has its brackets.
 *
 * @returns undefined where there is no such field, or no well-formed host in it
 * @example
 * req.hostname; // 'example.com'
 */
export function hostname(this: Request): string | undefined {
  const authority = authorityOf(this);
  return authority ? hostnameOf(authority) : undefined;
}

/** The host and port that the client asked for, as it was sent. */
export function authorityOf(req: Request): string | undefined {
  const value = forwarded(req, 'x-forwarded-host');
  const isTrusted = value && trustOf(req)(peerOf(req).remoteAddress, 0);
  return isTrusted ? firstOf(value).trimEnd() : req.headers.host;
}

/**
 * `req.host`: the same as `req.hostname`.
 *
 * @deprecated Use `req.hostname`.
 */
export function host(this: Request): string | undefined {
  deprecate('req.host: Use req.hostname instead');
  return this.hostname;
}

/**
 * `req.subdomains`: the labels of the host name before the domain, nearest to it first. The setting `subdomain
 * offset` is the number of labels that the domain has, 2 by default. An IPv4 address has none.
 *
 * @example
 * req.subdomains; // ['shop', 'de'] for de.shop.example.com
 */
export function subdomains(this: Request): string[] {
  const name = this.hostname;
  if (!name) return [];
  const offset: number = this.app.get('subdomain offset');
  const labels = isIP(name) ? [name] : name.split('.').reverse();
  return labels.slice(offset);
}

/**
 * Decides whether a client may see the explanation of an error, which contains source lines: only a program on this
 * machine. `NODE_ENV` is easily forgotten on a server, where everybody could read them.
 */
import type { IncomingMessage } from 'node:http';
import { hostnameOf } from '../protocol/host';
import { compileTrust } from '../protocol/proxy';

type Settings = Readonly<Record<string, unknown>>;

const isLoopback = compileTrust('loopback');

/** Headers with which proxies report whose request they forward. */
const FORWARDED =
  /^(?:via|forwarded|x-forwarded(?:-.+)?|x-original-.+|x-real-ip|x-envoy-.+|.*-(?:client|connecting)-ip)$/i;

/** Names of this machine. Under any other, the request may come from a page of another site (DNS rebinding). */
const LOCAL = /^(?:.+\.)?localhost$/;

/** Whether the request comes from this machine, through no proxy, under a local or a listed host name. */
export function mayExplain(req: IncomingMessage, settings: Settings): boolean {
  const { socket, httpVersion, headers } = req;
  const address = (socket as { remoteAddress?: unknown } | null | undefined)?.remoteAddress;
  if (typeof address !== 'string' || !isLoopback(address, 0)) return false;
  // Browsers do not send HTTP/1.0, but nginx does by default, which then adds none of these headers.
  if (httpVersion === '1.0' || wasForwarded(req)) return false;
  const host = hostnameOf(headers.host ?? '')?.toLowerCase();
  if (host === undefined || host === '') return false;
  const isListed = settings['error page hosts fn'] as ((host: string) => boolean) | undefined;
  return LOCAL.test(host) || isLoopback(host.replace(/^\[(.*)\]$/, '$1'), 0) || isListed?.(host) === true;
}

/** Reads the headers as received: middleware may have removed some from `req.headers`. */
function wasForwarded({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.some((text, i) => i % 2 === 0 && FORWARDED.test(text));
}

/**
 * Decides whether a client may see the explanation of an error: only a program on this machine, and source lines only a
 * browser that has opened the link in the terminal, because a proxy on this machine may look like a browser. `NODE_ENV` is
 * easily forgotten on a server, where everybody could read them.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { hostnameOf } from '../../protocol/host';
import { compileTrust } from '../../protocol/proxy';

type Settings = Readonly<Record<string, unknown>>;

const isLoopback = compileTrust('loopback');

/** Headers with which proxies report whose request they forward. */
const FORWARDED =
  /^(?:via|forwarded|x-forwarded(?:-.+)?|x-original-.+|x-real-ip|x-envoy-.+|.*-(?:client|connecting)-ip)$/i;

/** Names of this machine. Under any other, the request may come from a page of another site (DNS rebinding). */
const LOCAL = /^(?:.+\.)?localhost$/;

/** Whether the request comes from this machine, through no proxy, under a local or a listed host name. */
export function mayExplain(req: IncomingMessage, settings: Settings): boolean {
  const { socket, headers } = req;
  const address = (socket as { remoteAddress?: unknown } | null | undefined)?.remoteAddress;
  if (typeof address !== 'string' || !isLoopback(address, 0)) return false;
  if (wasForwarded(req)) return false;
  const host = hostnameOf(headers.host ?? '')?.toLowerCase();
  if (host === undefined || host === '') return false;
  const isListed = settings['error page hosts fn'] as ((host: string) => boolean) | undefined;
  return LOCAL.test(host) || isLoopback(host.replace(/^\[(.*)\]$/, '$1'), 0) || isListed?.(host) === true;
}

/** Reads the headers as received: middleware may have removed some from `req.headers`. */
function wasForwarded({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.some((text, i) => i % 2 === 0 && FORWARDED.test(text));
}

const COOKIE = 'ristretto-error-page';
const LINK = `/.well-known/${COOKIE}/`;

let known: string | undefined;

/** Returns the secret of the link. It stays the same when the program restarts, so that one visit lasts. */
export function viewerToken(): string {
  return (known ??= keptToken() ?? randomBytes(16).toString('hex'));
}

/** Reads or creates the file of this user's secret; returns undefined if it can't, or another user has created it. */
function keptToken(): string | undefined {
  try {
    const { uid, username } = os.userInfo();
    const file = path.join(os.tmpdir(), `${COOKIE}-${username}`);
    if (!fs.existsSync(file))
      fs.writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600, flag: 'wx' });
    const stat = fs.lstatSync(file);
    const isOwn = uid === -1 || (stat.uid === uid && (stat.mode & 0o077) === 0);
    const text = isOwn && stat.isFile() ? fs.readFileSync(file, 'latin1') : '';
    return /^[\da-f]{32}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the client is a browser that has opened the link. */
export function hasOpenedLink({ headers }: IncomingMessage): boolean {
  return `; ${headers.cookie ?? ''};`.includes(`; ${COOKIE}=${viewerToken()};`);
}

/** Returns the link for the terminal. */
export function linkFor({ socket, headers }: IncomingMessage): string {
  const scheme = (socket as { encrypted?: boolean }).encrypted ? 'https' : 'http';
  return `${scheme}://${String(headers.host)}${LINK}${viewerToken()}`;
}

/** Responds to the link; returns false for any other request. */
export function openLink(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.url !== LINK + viewerToken() || res.headersSent) return false;
  res.statusCode = 200;
  res.setHeader(
    'Set-Cookie',
    `${COOKIE}=${viewerToken()}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict`,
  );
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  res.end(
    'This browser now gets the explanations of errors of programs on this machine. Reload the page that failed.\n',
  );
  return true;
}

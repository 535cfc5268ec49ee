/**
 * The redirects of `web.static`: to a directory's path with a trailing slash, and to the canonical spelling of a path.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import encodeUrl = require('encodeurl');
import escapeHtml = require('escape-html');
import { PAGE_POLICY } from '../protocol/page-policy';
import { parseTarget } from '../protocol/url';

/**
 * Redirects to another path of this site, with a short page for clients that do not follow redirects.
 * @param path path that begins with a single slash
 * @param target request target before mounting, whose query is kept
 * @param status status of the redirect
 */
export function redirectTo(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  target: string,
  status: number,
): void {
  const { search, hash } = parseTarget(target);
  const location = encodeUrl(path + (search ?? '') + (hash ?? ''));
  const page = redirectPage(escapeHtml(location));
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=UTF-8');
  res.setHeader('Content-Length', Buffer.byteLength(page));
  res.setHeader('Content-Security-Policy', PAGE_POLICY);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Location', location);
  if (req.method === 'HEAD') res.end();
  else res.end(page);
}

/**
 * Returns a path with a trailing slash that stays on this site: browsers read two leading slashes
 * as the start of a host name, and a backslash as a slash (CVE-2015-1164).
 */
export function directoryPath(pathname: string): string {
  const path = pathname + '/';
  let start = 0;
  while (path[start] === '/' || path[start] === '\\') start++;
  return '/' + path.slice(start);
}

function redirectPage(location: string): string {
  return (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Redirecting</title>\n</head>\n' +
    `<body>\n<pre>Redirecting to ${location}</pre>\n</body>\n</html>\n`
  );
}

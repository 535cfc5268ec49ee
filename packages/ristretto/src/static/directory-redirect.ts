/** The redirect from a directory's path to the same with a slash at its end, where its index is. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import encodeUrl = require('encodeurl');
import escapeHtml = require('escape-html');
import { PAGE_POLICY } from '../protocol/page-policy';
import { parseTarget } from '../protocol/url';

/**
 * Answers with a short page, for clients that do not follow.
 * @param target the request target before mounting, which has a path; its query is kept
 * @param status which kind of redirect it is
 */
export function redirectToDirectory(
  req: IncomingMessage,
  res: ServerResponse,
  target: string,
  status: number,
): void {
  const location = encodeUrl(directoryLocation(target));
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
 * The path with its slash and the query, on this site whatever the path is like: browsers read two slashes at the
 * start as the name of a host, and a backslash as a slash (CVE-2015-1164).
 */
function directoryLocation(target: string): string {
  const { pathname, search, hash } = parseTarget(target);
  const path = pathname! + '/';
  let start = 0;
  while (path[start] === '/' || path[start] === '\\') start++;
  return '/' + path.slice(start) + (search ?? '') + (hash ?? '');
}

function redirectPage(location: string): string {
  return (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Redirecting</title>\n</head>\n' +
    `<body>\n<pre>Redirecting to ${location}</pre>\n</body>\n</html>\n`
  );
}

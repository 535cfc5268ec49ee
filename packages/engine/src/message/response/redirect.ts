/** `res.location` and `res.redirect`: the Location header, and the short page for clients that do not follow it. */
import depd = require('depd');
import encodeUrl = require('encodeurl');
import escapeHtml = require('escape-html');
import statuses = require('statuses');
import { gateOf } from '../../serving/hook-gate';
import { PAGE_POLICY } from '../../protocol/page-policy';
import type { Response } from '../../types/core';
import { versionOf } from '../../version';
import { mistakesOf } from './mistakes';

const deprecate = depd('express');

/**
 * Sets `Location`. Characters that are not allowed in a URL are percent-encoded, encoded ones stay as they are, and the
 * encoding never changes the host (CVE-2024-29041); otherwise the URL is not checked.
 */
export function location(this: Response, url: string): Response {
  let target: unknown = url;
  if (target === undefined) mistakesOf(this)?.warnOfUndefined('res.redirect() or res.location()');
  if (url === 'back') {
    deprecate(
      'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
    );
    target = referrer(this.req.get('Referrer'));
  }
  return this.set('Location', encodeUrl(String(target)));
}

/**
 * Returns a usable Referer, or '/'. A browser's Referer is an absolute URL. One that begins like `//host` (browsers
 * treat a backslash as a slash) is forged, and looks like a path but would lead to another site, so it is ignored.
 */
export function referrer(value: string | undefined): string {
  return !value || /^[\\/]{2}/.test(value) ? '/' : value;
}

/**
 * Redirects to a URL: sets `Location` and sends a short page in plain text or HTML, depending on what the client
 * accepts. The page has no link, the URL in it is escaped, and it has a `Content-Security-Policy` that allows nothing
 * unless the application has set another one (CVE-2024-43796).
 */
export function redirect(this: Response, url: string | number): void {
  let address: unknown = url;
  let status = 302;
  if (arguments.length === 2) {
    // eslint-disable-next-line prefer-rest-params -- a parameter would change the function's length
    const second: unknown = arguments[1];
    if (typeof url === 'number') {
      status = url;
      address = second;
    } else {
      deprecate('res.redirect(url, status): Use res.redirect(status, url) instead');
      status = second as number;
    }
  }

  redirectTo(this, address, status);
}

/** Implements `redirect` for arguments that have been read. */
export function redirectTo(res: Response, address: unknown, status: number): void {
  const { callsStatus, redirectPage } = versionOf(res).responses;
  const target = String(res.location(address as string).get('Location'));
  mistakesOf(res)?.checkRedirect(res.req, target, res.getHeader('Set-Cookie') !== undefined);
  const title = String(statuses.message[status]);
  let page = '';
  let isHtml = false;
  res.format({
    text: () => {
      page = `${title}. Redirecting to ${target}`;
    },
    html: () => {
      isHtml = true;
      page = redirectPage(title, escapeHtml(target));
    },
    default: () => {
      page = '';
    },
  });

  if (callsStatus) res.status(status);
  else res.statusCode = status;
  if (isHtml && !res.hasHeader('Content-Security-Policy')) {
    res.setHeader('Content-Security-Policy', PAGE_POLICY);
  }
  // Hooks get the page for HEAD too, so that the length is that of GET.
  const gate = gateOf(res);
  if (gate === undefined) sendPage(res, page);
  else gate.sendWhole(page, content => sendPage(res, content));
}

function sendPage(res: Response, page: string | Buffer): void {
  res.set('Content-Length', Buffer.byteLength(page));
  if (res.req.method === 'HEAD') res.end();
  else res.end(page);
}

/** `res.location` and `res.redirect`: the Location header, and the short page for clients that do not follow. */
import depd = require('depd');
import encodeUrl = require('encodeurl');
import escapeHtml = require('escape-html');
import statuses = require('statuses');
import { gateOf } from '../http/gate';
import { PAGE_POLICY } from '../protocol/page-policy';
import type { Response } from '../types/core';
import { mistakesOf } from './mistakes';

const deprecate = depd('express');

/**
 * Sets `Location`. What is not allowed in a URL is percent-encoded, what is encoded stays as it is, and the host
 * is never changed by it (CVE-2024-29041); otherwise the URL is passed on unchecked.
 *
 * @param url a URL of any form; 'back' (deprecated) stands for the request's Referer, or '/'
 * @returns the response, for chaining
 * @example res.location('/foo/bar').location('http://example.com');
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
 * A browser's Referer is an absolute URL. One that begins like `//host` (a backslash counts as a slash to
 * browsers) was made up, and would lead to another site by what looks like a path: it counts as absent.
 */
export function referrer(value: string | undefined): string {
  return !value || /^[\\/]{2}/.test(value) ? '/' : value;
}

/**
 * Redirects to a URL: sets `Location` and sends a short page in plain text or HTML, whichever is accepted.
 * The page has no link, what it shows of the URL is escaped, and it has a `Content-Security-Policy` that allows
 * nothing unless the application has set another (CVE-2024-43796).
 *
 * @param url the URL as for `res.location`, or the status (default 302) with the URL as second argument
 * @example res.redirect('/login'); res.redirect(301, 'http://example.com');
 */
export function redirect(this: Response, url: string | number): void {
  let address: unknown = url;
  let status = 302;
  if (arguments.length === 2) {
    // eslint-disable-next-line prefer-rest-params -- the function's length and the meaning of its first argument are as old
    const second: unknown = arguments[1];
    if (typeof url === 'number') {
      status = url;
      address = second;
    } else {
      deprecate('res.redirect(url, status): Use res.redirect(status, url) instead');
      status = second as number;
    }
  }

  const target = String(this.location(address as string).get('Location'));
  let body = '';
  this.format({
    text: () => {
      body = `${String(statuses.message[status])}. Redirecting to ${target}`;
    },
    html: () => {
      if (!this.hasHeader('Content-Security-Policy')) this.setHeader('Content-Security-Policy', PAGE_POLICY);
      body = `<p>${String(statuses.message[status])}. Redirecting to ${escapeHtml(target)}</p>`;
    },
    default: () => {
      body = '';
    },
  });

  this.statusCode = status;
  const gate = gateOf(this);
  if (gate === undefined) sendPage(this, body);
  else gate.sendWhole(body, content => sendPage(this, content));
}

function sendPage(res: Response, page: string | Buffer): void {
  res.set('Content-Length', Buffer.byteLength(page));
  if (res.req.method === 'HEAD') res.end();
  else res.end(page);
}

/** `res.location` and `res.redirect`: the Location header, and the short page for clients that do not follow it. */
import depd = require('depd');
import encodeUrl = require('encodeurl');
import { mistakesOf, redirectTo } from '@ristretto/private-engine/lib/response';
import type { Response } from '@ristretto/private-engine/lib/types/internals';

const deprecate = depd('express');

/**
 * Sets `Location`. Characters that are not allowed in a URL are percent-encoded, encoded ones stay as they are, and the
 * encoding never changes the host (CVE-2024-29041); otherwise the URL is not checked.
 *
 * @param url a URL of any form
 * @returns the response, for chaining
 * @example res.location('/foo/bar').location('http://example.com');
 */
export function location(this: Response, url: string): Response {
  const target: unknown = url;
  if (target === undefined) mistakesOf(this)?.warnOfUndefined('res.redirect() or res.location()');
  return this.set('Location', encodeUrl(String(target)));
}

/**
 * Redirects to a URL: sets `Location` and sends a short page in plain text or HTML, depending on what the client
 * accepts. The page has no link, the URL in it is escaped, and it has a `Content-Security-Policy` that allows nothing
 * unless the application has set another one (CVE-2024-43796).
 *
 * @param url the URL as for `res.location`, or the status (default 302) with the URL as second argument
 * @throws as `res.status` does
 * @example res.redirect('/login'); res.redirect(301, 'http://example.com');
 */
export function redirect(this: Response, url: string | number): void {
  let address: unknown = url;
  let status: unknown = 302;
  if (arguments.length === 2) {
    status = url;
    // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
    address = arguments[1];
  }
  if (!address) deprecate('Provide a url argument');
  if (typeof address !== 'string') deprecate('Url must be a string');
  if (typeof status !== 'number') deprecate('Status must be a number');

  redirectTo(this, address, status as number);
}

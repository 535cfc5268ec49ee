/** `res.location` of 3.x: URLs may be relative to the path where the application is mounted, or to the request. */
import depd = require('depd');
import { pathnameOf } from '@ristretto/private-engine/lib/protocol';
import { location as setLocation, mistakesOf, referrer } from '@ristretto/private-engine/lib/response';
import type { Response } from '../types/core';

const deprecate = depd('express');

/** URLs that are sent unchanged: with a host, or from the root of the host. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\/|^\//i;

/**
 * Sets `Location`. Characters that are not allowed in a URL are percent-encoded.
 *
 * @param url with a host, or from the root, or: `'../x'` and `'./x'` relative to the URL of the request, taken as a
 * directory; any other, such as `'posts/new'`, relative to the path that the application is mounted at; `'back'` for
 * the request's Referer, or '/' without one
 * @example res.location('login'); // /admin/login in an application mounted at /admin
 */
export function location(this: Response, url: unknown): Response {
  if (url === undefined) mistakesOf(this)?.warnOfUndefined('res.redirect() or res.location()');
  const target = String(url);
  if (target === 'back') return set(this, referrer(this.req.get('Referrer')));
  if (ABSOLUTE.test(target)) return set(this, target);
  if (target.startsWith('.')) {
    deprecate('res.location("./path"): Use a path from the root instead, made of req.originalUrl');
    return set(this, withoutHost(fromRequest(this.req.originalUrl, target)));
  }
  deprecate('res.location("path"): Use a path from the root instead, such as req.baseUrl + "/path"');
  return set(this, withoutHost(`${this.app.path()}/${target}`));
}

function set(res: Response, url: string): Response {
  return Reflect.apply(setLocation, res, [url]) as Response;
}

/** Resolves `.` and `..` relative to the request's path, without leaving the root. */
function fromRequest(originalUrl: string, relative: string): string {
  const end = relative.search(/[?#]|$/);
  const [path, rest] = [relative.slice(0, end), relative.slice(end)];
  const steps = (pathnameOf(originalUrl) ?? '').split('/').filter(step => step !== '');
  const names = path.split('/');
  for (const name of names) {
    if (name === '..') steps.pop();
    else if (name !== '.' && name !== '') steps.push(name);
  }
  const isDirectory = ['', '.', '..'].includes(names[names.length - 1]!);
  return `/${steps.join('/')}${isDirectory && steps.length > 0 ? '/' : ''}${rest}`;
}

/**
 * Removes duplicate leading slashes, so that neither an application mounted at `/` nor a request for `//name` leads to
 * another host; browsers treat a backslash as a slash.
 */
function withoutHost(path: string): string {
  return path.replace(/^[\\/]{2,}/, '/');
}

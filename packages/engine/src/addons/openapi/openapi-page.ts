/** `web.openApiPage`: serves a page that shows an OpenAPI document. */
import path = require('node:path');
import { inspect } from 'node:util';
import type { NextFunction, Request, RequestHandler, Response } from '../../types/core';
import type { OpenApiPageOptions } from '../../types/openapi';
import { pageOf, START } from './page-html';
import { defineHidden } from './hidden';
import { checkOpenApiPage } from './options';
import { swaggerFiles } from './swagger-ui';

/** Matches relative URLs: no scheme and no other host. */
const SAME_HOST = /^(?![a-z][a-z\d+.-]*:|\/\/)[^\\\s]+$/i;

/**
 * Creates middleware that serves the page and the files of Swagger UI that it needs.
 * @throws Error if `swagger-ui-dist` is not installed; TypeError for a URL of another host and for an invalid option
 */
export function openApiPage(url: string, options: OpenApiPageOptions = {}): RequestHandler {
  if (typeof url !== 'string' || !SAME_HOST.test(url)) {
    throw new TypeError(
      `web.openApiPage(): expected the path of a document on the same host, such as '/openapi.json', got ${inspect(url)}`,
    );
  }
  checkOpenApiPage(options);
  const { title = 'API', connect = [], ui = {} } = options;
  const files = swaggerFiles();
  const policy = policyOf(connect);

  return defineHidden(function openApiPage(req: Request, res: Response, next: NextFunction): void {
    const name = req.path.slice(1);
    const file = files.get(name);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      next();
    } else if (name === '') {
      const page = pageOf({ title, ...addresses(req, url), settings: ui });
      res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }).type('html').send(page);
    } else if (name === 'start.js') {
      res.set('Cache-Control', 'no-cache').type('js').send(START);
    } else if (file !== undefined) {
      // The directory may be inside one whose name begins with a dot, such as `.pnpm`.
      res.sendFile(path.basename(file), { root: path.dirname(file), dotfiles: 'allow' });
    } else {
      next();
    }
  });
}

/**
 * Returns URLs relative to the page, which work behind a proxy whether or not it strips a prefix. The page is served
 * both with and without a trailing slash.
 */
function addresses({ originalUrl, baseUrl }: Request, url: string): { files: string; document: string } {
  const [page] = originalUrl.split('?', 1);
  const mount = baseUrl.slice(baseUrl.lastIndexOf('/') + 1);
  const files = page!.endsWith('/') ? './' : `./${mount}/`;
  if (!url.startsWith('/')) return { files, document: files + url };
  const depth = page!.replace(/^https?:\/\/[^/]*/i, '').split('/').length - 2;
  return { files, document: `./${'../'.repeat(Math.max(depth, 0))}${url.slice(1)}` };
}

/** Scripts and styles are files of the page's own origin; images may be embedded in a style. */
function policyOf(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

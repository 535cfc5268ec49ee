/** `web.openApiPage`: serves a page that shows an OpenAPI document. */
import path = require('node:path');
import { inspect } from 'node:util';
import type { NextFunction, Request, RequestHandler, Response } from '../../types/core';
import type { OpenApiPageOptions } from '../../types/openapi';
import { checkOpenApiPage, hideFromDocument } from './document-options';
import escapeHtml = require('escape-html');
import { requireWith } from '../../modules';

const PACKAGE = 'swagger-ui-dist';
/** Earlier versions do not support OpenAPI 3.1. */
const OLDEST = 5;
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * Returns the location of each file.
 * @throws Error if the package is not installed or too old
 */
function swaggerFiles(): ReadonlyMap<string, string> {
  const manifest = `${PACKAGE}/package.json`;
  let load;
  try {
    load = requireWith(manifest);
  } catch (cause) {
    throw new Error(
      `web.openApiPage() serves files of the package ${PACKAGE}, which is not installed. Install it: npm install ${PACKAGE}`,
      { cause },
    );
  }
  const location = load.resolve(manifest);
  const { version } = load(location) as { version: string };
  if (parseInt(version, 10) < OLDEST) {
    throw new Error(
      `web.openApiPage() needs ${PACKAGE} ${OLDEST} or newer, and ${version} is installed: npm install ${PACKAGE}@latest`,
    );
  }
  const folder = path.dirname(location);
  return new Map(FILES.map(name => [name, path.join(folder, name)]));
}

interface Page {
  title: string;
  /** The directory of the files, relative to the page, with a trailing slash. */
  files: string;
  /** The URL of the document, relative to the page. */
  document: string;
  /** Parameters of Swagger UI. */
  settings: object;
}

export function pageOf({ title, files, document, settings }: Page): string {
  const file = (name: string): string => escapeHtml(files + name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/png" href="${file('favicon-32x32.png')}">
<link rel="stylesheet" href="${file('swagger-ui.css')}">
</head>
<body>
<div id="api" data-document="${escapeHtml(document)}" data-settings="${escapeHtml(JSON.stringify(settings))}"></div>
<script src="${file('swagger-ui-bundle.js')}"></script>
<script src="${file('start.js')}"></script>
</body>
</html>
`;
}

/** The script that starts Swagger UI. It sends nothing to the validator of swagger.io. */
export const START = `'use strict';
(function () {
  var element = document.getElementById('api');
  var settings = { deepLinking: true, validatorUrl: null };
  Object.assign(settings, JSON.parse(element.dataset.settings));
  settings.url = new URL(element.dataset.document, location.href).href;
  settings.domNode = element;
  SwaggerUIBundle(settings);
})();
`;

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

  return hideFromDocument(function openApiPage(req: Request, res: Response, next: NextFunction): void {
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

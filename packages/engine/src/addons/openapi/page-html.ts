/**
 * The page of `web.openApiPage`: markup without inline scripts and styles, and the script that starts Swagger UI.
 *
 * The document's URL and the settings are in attributes, so that nothing inline needs to run.
 */
import escapeHtml = require('escape-html');

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

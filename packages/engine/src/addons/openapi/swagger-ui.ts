/** Finds the files of the package `swagger-ui-dist` that the page needs, and no others. */
import path = require('node:path');
import { requireWith } from '../../modules/application-module';

const PACKAGE = 'swagger-ui-dist';
/** Earlier versions do not support OpenAPI 3.1. */
const OLDEST = 5;
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * Returns the location of each file.
 * @throws Error if the package is not installed or too old
 */
export function swaggerFiles(): ReadonlyMap<string, string> {
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

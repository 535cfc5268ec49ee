/** Which releases of the originals our packages are compared with, and which ones are newer. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/packages.cjs';
import { projects } from './catalog.mjs';

/** The name under which the tests install the original of each package; the others have none. */
export const ORIGINALS = {
  'packages/ristretto': 'express',
  'packages/ristretto3': 'express3',
  'packages/ristretto5': 'express5',
  'packages/middleware/body-parser': 'body-parser2',
  'packages/middleware/body-parser1': 'body-parser',
  'packages/middleware/compression': 'compression',
  'packages/middleware/cookie-parser': 'cookie-parser',
  'packages/middleware/cookie-session': 'cookie-session',
  'packages/middleware/cors': 'cors',
  'packages/middleware/helmet': 'helmet',
  'packages/middleware/morgan': 'morgan',
  'packages/middleware/multer': 'multer',
  'packages/middleware/rate-limit': 'express-rate-limit',
  'packages/middleware/serve-static': 'serve-static2',
  'packages/middleware/serve-static1': 'serve-static',
  'packages/middleware/session': 'express-session',
};

/** @typedef {{ home: string, name: string, compared: string, suite: string, newer: string | undefined }} Release */

const numbers = (/** @type {string} */ version) => version.split('.').map(Number);

/** Whether a version is after another one. */
function isAfter(/** @type {string} */ version, /** @type {string} */ other) {
  const [a, b] = [numbers(version), numbers(other)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at !== -1 && /** @type {number} */ (a[at]) > /** @type {number} */ (b[at]);
}

/**
 * Returns for each package the release that the tests compare it with, the one whose test suite runs on it, and the newest
 * of the same major version, if that is newer than one of the two.
 *
 * @param {(name: string) => string[]} versionsOf all versions on npm
 * @returns {Release[]}
 */
export function releases(versionsOf) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(ORIGINALS).map(([home, alias]) => {
    const { name = alias, version: compared } = packages[`node_modules/${alias}`];
    const major = `${compared.split('.')[0]}.`;
    const newestOf = (/** @type {string[]} */ versions) =>
      versions
        .filter(version => /^[\d.]+$/.test(version) && version.startsWith(major))
        .reduce((newest, version) => (isAfter(version, newest || '0') ? version : newest), '');
    const suite = newestOf(
      projects.filter(({ replaces }) => replaces['.'] === home).flatMap(({ versions }) => versions),
    );
    const newest = newestOf(versionsOf(name));
    const isNewer = isAfter(newest, compared) || (suite !== '' && isAfter(newest, suite));
    return { home, name, compared, suite, newer: isNewer ? newest : undefined };
  });
}

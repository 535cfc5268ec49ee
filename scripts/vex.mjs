/**
 * Generates an OpenVEX document, which tells scanners for each advisory in docs/THREATS.md that our packages are not
 * affected, and why. Each of these ids has tests (`threats.table.test.ts`).
 *
 *     node scripts/vex.mjs <folder>    writes openvex.json
 *
 * The release workflow attaches the file to the release.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readOptions } from './options.cjs';
import { root } from './packages.cjs';

const ID = /CVE-\d{4}-\d+|GHSA(?:-[\da-z]{4}){3}/g;

/** The packages of a section, by its heading; other sections are about all versions of the API. */
const PACKAGES = {
  ristretto3: ['ristretto3'],
  ristretto5: ['ristretto5'],
  multer: ['@ristretto/multer'],
  'session, cookie-parser and cookie-session': [
    '@ristretto/session',
    '@ristretto/cookie-parser',
    '@ristretto/cookie-session',
  ],
  'compression and response-hooks': ['@ristretto/compression', '@ristretto/response-hooks'],
  'helmet, cors, morgan, rate-limit, same-origin': [
    '@ristretto/helmet',
    '@ristretto/cors',
    '@ristretto/morgan',
    '@ristretto/rate-limit',
    '@ristretto/same-origin',
  ],
  // A paragraph without a table: its ids are in the sections before.
  'body-parser and serve-static': [],
  // Vulnerabilities of Node.js, in the version that the application runs on.
  'HTTP/2': [],
};
const API = ['ristretto', 'ristretto3', 'ristretto5'];

/** Returns a row for each advisory of each section of THREATS. */
function rows() {
  const text = fs.readFileSync(path.join(root, 'docs/THREATS.md'), 'utf8');
  return text.split(/^#{2,3} /m).flatMap(section => {
    const [heading = '', ...lines] = section.split('\n');
    const packages = /** @type {Record<string, string[]>} */ (PACKAGES)[heading] ?? API;
    return lines
      .filter(line => line.startsWith('|') && !/withdrawn/.test(line))
      .flatMap(line => {
        const cells = line.split('|').slice(1, -1);
        const what = (cells.at(-1) ?? '').trim();
        return (line.match(ID) ?? []).map(id => ({ id, packages, what }));
      });
  });
}

/** Returns the statements, one for each advisory and explanation. */
function statements() {
  return rows()
    .filter(({ packages }) => packages.length > 0)
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ id, packages, what }) => ({
      vulnerability: { name: id },
      products: packages.map(name => ({ '@id': `pkg:npm/${name.replace('@', '%40')}` })),
      status: 'not_affected',
      // Ours are other implementations, and depend only on fixed versions of the packages that the advisories are about.
      justification: 'vulnerable_code_not_present',
      impact_statement: `${what}. Proved by the tests that name ${id}.`,
    }));
}

const [folder] = readOptions({}, { words: true }).positionals;
if (folder === undefined) throw new Error('Expected a folder: node scripts/vex.mjs <folder>');
const read = (/** @type {string} */ file) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
const { homepage } = read('package.json');
const { version } = read('packages/ristretto/package.json');
const document = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `${homepage.replace(/#.*/, '')}/releases/download/v${version}/openvex.json`,
  author: 'The Ristretto contributors',
  timestamp: new Date().toISOString(),
  version: 1,
  statements: statements(),
};
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, 'openvex.json'), `${JSON.stringify(document, null, 2)}\n`);

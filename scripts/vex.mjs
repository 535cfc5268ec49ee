/**
 * Generates an OpenVEX document, which tells scanners for each advisory in docs/THREATS.md that our packages are not
 * affected, and why. Each of these ids has tests (`threats.table.test.ts`).
 *
 *     npm run vex                     writes docs/proofs/vex/openvex.json
 *     node scripts/vex.mjs --check    fails if it is out of date
 */
import fs from 'node:fs';
import path from 'node:path';
import { root } from './packages.cjs';

const FILE = path.join(root, 'docs/proofs/vex/openvex.json');
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

/** Returns the exit code. */
function main(/** @type {string[]} */ args) {
  const old = fs.existsSync(FILE) ? JSON.parse(fs.readFileSync(FILE, 'utf8')) : {};
  const found = statements();
  const isCurrent = JSON.stringify(old.statements) === JSON.stringify(found);
  if (args.includes('--check')) {
    if (!isCurrent) console.error('docs/proofs/vex/openvex.json is out of date: npm run vex');
    return isCurrent ? 0 : 1;
  }
  if (isCurrent) return 0;
  const { homepage } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `${homepage.replace(/#.*/, '')}/blob/main/docs/proofs/vex/openvex.json`,
    author: 'The Ristretto contributors',
    timestamp: new Date().toISOString(),
    version: (old.version ?? 0) + 1,
    statements: found,
  };
  fs.mkdirSync(path.dirname(FILE), { recursive: true });
  fs.writeFileSync(FILE, `${JSON.stringify(document, null, 2)}\n`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));

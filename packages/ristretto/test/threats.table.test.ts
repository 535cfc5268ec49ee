/** The table of attacks: every id with a test is in docs/THREATS.md, and every id there has a test. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageHomes } from '../../../scripts/packages.cjs';
import { threats } from './features/threats.js';

const root = path.join(__dirname, '../../..');
const ID = /\b(?:CVE-\d{4}-\d+|GHSA-\w{4}-\w{4}-\w{4})\b/g;
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

/** Returns the ids that the tests of a package name, other than in comments. */
function idsTested(home: string): string[] {
  const folder = path.join(root, home, 'test');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .flatMap(name => fs.readFileSync(path.join(folder, name), 'utf8').replace(COMMENT, '').match(ID) ?? []);
}

describe('threats: the table', () => {
  const described = new Set(fs.readFileSync(path.join(root, 'docs/THREATS.md'), 'utf8').match(ID));

  test('ids: each row of the table is in docs/THREATS.md', () => {
    const rows = Object.keys(threats.ids ?? {}).flatMap(id => id.match(ID) ?? []);
    assert.deepEqual(
      rows.filter(id => !described.has(id)),
      [],
    );
  });

  test('ids: each in docs/THREATS.md has a test', () => {
    const tested = new Set(packageHomes().flatMap(idsTested));
    assert.deepEqual(
      [...described].filter(id => !tested.has(id)),
      [],
    );
  });
});

// runs: once
/** docs/THREATS.md: it has every id that tests name, and each of its ids has a test. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageHomes } from '../../../../scripts/packages.cjs';

const root = path.join(__dirname, '../../../..');
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

  const tested = new Set(packageHomes().flatMap(idsTested));

  test('ids: each that a test names is in docs/THREATS.md', () => {
    assert.deepEqual(
      [...tested].filter(id => !described.has(id)),
      [],
    );
  });

  test('ids: each in docs/THREATS.md has a test', () => {
    assert.deepEqual(
      [...described].filter(id => !tested.has(id)),
      [],
    );
  });
});

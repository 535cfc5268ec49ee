// runs: slow, built, once
/** `npm run release` runs in a copy of the files that it reads and writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { packageHomes } from '../../../../scripts/packages.cjs';

const root = path.join(__dirname, '../../../..');
const homes = packageHomes();
const ENGINE = '@ristretto/private-engine';
const COPIED = [
  ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'scripts'],
  ...homes.map(each => `${each}/package.json`),
];

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

const parse = (home: string, file: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(home, file), 'utf8'));
const manifestOf = (home: string, at: string): Manifest => parse(home, `${at}/package.json`) as Manifest;
const [major = '', minor = '', patch = ''] = manifestOf(root, 'packages/ristretto').version.split('.');

describe('release', () => {
  let home: string;
  before(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
    for (const name of COPIED) fs.cpSync(path.join(root, name), path.join(home, name), { recursive: true });
    setUnreleased('\n- A test.\n');
  });
  after(() => fs.rmSync(home, { recursive: true }));

  function release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [path.join(home, 'scripts/release.mjs'), ...args], {
      encoding: 'utf8',
      // Nothing is published, whatever the command does.
      env: { ...process.env, GITHUB_REPOSITORY: 'someone/else', npm_config_registry: 'http://127.0.0.1:9' },
    });
  }
  /** Replaces the unreleased entries in the copy. */
  function setUnreleased(entries: string): void {
    const released = changelog(root).slice(changelog(root).search(/^## \d/m));
    const text = `# Changelog\n\n## Unreleased\n${entries}\n${released}`;
    fs.writeFileSync(path.join(home, 'CHANGELOG.md'), text);
  }
  const changelog = (of = home): string => fs.readFileSync(path.join(of, 'CHANGELOG.md'), 'utf8');

  test('the changelog has a date for each version, newest first, below unreleased changes, if there are any', () => {
    const headings = changelog(root).match(/^## .*/gm) ?? [];
    const released = headings[0] === '## Unreleased' ? headings.slice(1) : headings;
    assert.ok(released.length > 0);
    const versions = released.map(heading => /^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/.exec(heading));
    assert.ok(versions.every(Boolean), released.join());
    assert.equal(versions[0]![1], `${major}.${minor}.${patch}`);
    const dates = versions.map(match => match![2]!);
    assert.deepEqual(dates, [...dates].sort().reverse());
  });

  test('the packages share minor and patch version, and depend on exactly the current versions of each other', () => {
    for (const each of homes) {
      const { version, dependencies = {} } = manifestOf(root, each);
      assert.ok(version.endsWith(`.${minor}.${patch}`), each);
      if (ENGINE in dependencies)
        assert.equal(dependencies[ENGINE], manifestOf(root, 'packages/engine').version);
    }
  });

  test('rejects a major version, an invalid date, and a changelog without changes', () => {
    assert.match(release('major').stderr, /Expected minor or patch, got major/);
    assert.match(release('minor', '--date=tomorrow').stderr, /Expected a date like 2027-01-31, got tomorrow/);
    setUnreleased('');
    assert.match(release('minor').stderr, /nothing under "## Unreleased"/);
    setUnreleased('\n- A test.\n');
    assert.equal(manifestOf(home, 'packages/ristretto').version, `${major}.${minor}.${patch}`);
  });

  test('writes the next version everywhere, and prints the tag to push', () => {
    const { status, stdout, stderr } = release('minor', '--date=2027-01-31');
    assert.deepEqual([status, stderr], [0, '']);
    const next = `.${Number(minor) + 1}.0`;
    assert.match(stdout, new RegExp(`git tag -a v${major}${next}`));
    assert.match(
      changelog(),
      new RegExp(`^## Unreleased\\n\\n## ${major}${next} \\(2027-01-31\\)\\n\\n- A test\\.$`, 'm'),
    );
    const { packages } = parse(home, 'package-lock.json') as { packages: Record<string, Manifest> };
    for (const each of homes) {
      const { version, dependencies = {} } = manifestOf(home, each);
      assert.ok(version.endsWith(next), each);
      assert.equal(packages[each]!.version, version);
      if (ENGINE in dependencies) assert.equal(dependencies[ENGINE], `0${next}`);
    }
  });

  test('prints the notes of the newest version, and refuses to publish under any other tag', () => {
    assert.equal(release('notes').stdout, '- A test.\n');
    assert.match(
      release('publish', 'v1.0.0').stderr,
      /Expected the tag v4\.\d+\.0 of packages\/ristretto, got v1\.0\.0/,
    );
  });

  test('publishes from the repository of the manifests only, where reports of vulnerabilities arrive', () => {
    const { version } = manifestOf(home, 'packages/ristretto');
    assert.match(
      release('publish', `v${version}`).stderr,
      /repository\.url is git\+https:\S+\.git, but this is someone\/else: see CONTRIBUTING\.md/,
    );
  });
});

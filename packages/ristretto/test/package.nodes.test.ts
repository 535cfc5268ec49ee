// runs: slow, built, once
/** The supported Node versions: those that the tests run on are those in the manifests and documents. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageHomes } from '../../../scripts/packages.cjs';

const root = path.join(__dirname, '../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

const versions = JSON.parse(read('scripts/nodes.json')) as Record<string, string>;
const majors = Object.keys(versions);

describe('supported Node versions', () => {
  test('versions: each major of the tests is pinned to an exact version', () => {
    for (const [major, version] of Object.entries(versions)) {
      assert.match(version, /^\d+\.\d+\.\d+$/);
      assert.equal(version.split('.')[0], major);
    }
  });

  test('engines: each package accepts the oldest supported Node, and no older one', () => {
    for (const folder of ['.', ...packageHomes()]) {
      const { engines } = JSON.parse(read(`${folder}/package.json`)) as { engines: { node: string } };
      assert.equal(engines.node, `>=${majors[0]!}`, folder);
    }
  });

  test('documents: README, CONTRIBUTING and SECURITY name the Node versions that the tests run on', () => {
    const list = `${majors.slice(0, -1).join(', ')} and ${majors.at(-1)!}`;
    for (const file of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
      assert.ok(read(file).replace(/\s+/g, ' ').includes(`on Node ${list}`), file);
    }
  });

  test('documents: SECURITY and the comparison of the packages name the same dates of support', () => {
    const dates = ['ristretto3', 'ristretto', 'ristretto5'].map(
      name => new RegExp(`^\\| \`${name}\`.*\\| (\\d+ \\w+ \\d{4}) `, 'm').exec(read('SECURITY.md'))?.[1],
    );
    const row = /^\| \[gets fixes\].*$/m.exec(read('docs/which.md'))?.[0];
    assert.deepEqual(row?.match(/\d+ \w+ \d{4}/g), dates);
  });

  test('--node: rejects a major that is not pinned, and lists the pinned ones', () => {
    const script = path.join(root, 'scripts/run-tests.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--node=18'], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`Expected a major of scripts/nodes.json \\(${majors.join()}\\), got 18`));
  });
});

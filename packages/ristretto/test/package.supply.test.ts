// runs: slow, built, once
/** The supported Node versions, and the supply chain. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { packageHomes, publishedManifest } from '../../../scripts/packages.cjs';

const root = path.join(__dirname, '../../..');

interface Lock {
  lockfileVersion: number;
  packages: Record<
    string,
    { dev?: boolean; devOptional?: boolean; link?: boolean; integrity?: string; hasInstallScript?: boolean }
  >;
}

interface Bill {
  metadata: { component: { name: string; version: string } };
  components: { name: string; hashes?: object[]; licenses?: object[] }[];
}

const homes = packageHomes();
const packages = homes.map(home => path.basename(home));

/** Runs the script of the release with a folder, and returns a function that reads the files it wrote there. */
function generate(t: TestContext, script: 'sbom' | 'vex'): (file: string) => unknown {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'supply-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const args = [path.join(root, `scripts/${script}.mjs`), folder];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  return file => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
}

/** Packages of this scope have no checksum: they are part of this repository, too. */
const OWN_SCOPE = '@ristretto/';

/** The supply chain: installation runs no scripts, and the bill of materials lists all installed packages. */
describe('supply', () => {
  const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
  const lock = read('package-lock.json') as Lock;

  test('install scripts: do not exist in these packages', () => {
    for (const home of homes) {
      const { scripts = {} } = read(`${home}/package.json`) as { scripts?: Record<string, string> };
      const found = Object.keys(scripts).filter(script =>
        /^(pre|post)?(install|prepare|uninstall)$/.test(script),
      );
      assert.deepEqual(found, [], home);
    }
  });

  test('install scripts: do not exist in any dependency that is not for development only', () => {
    // `devOptional` packages are for development or an optional peer, which is not installed.
    const found = Object.entries(lock.packages).filter(
      ([, { dev, devOptional, hasInstallScript }]) => hasInstallScript && !dev && !devOptional,
    );
    assert.deepEqual(found, []);
  });

  test('lock: has a checksum for everything that comes from a registry', () => {
    assert.ok(lock.lockfileVersion >= 2);
    const found = Object.entries(lock.packages).filter(
      ([place, { link, integrity }]) => place.includes('node_modules/') && !link && !integrity,
    );
    assert.deepEqual(
      found.map(([place]) => place),
      [],
    );
  });

  test('bill of materials: matches the lock file, with the checksum and licence of every package', t => {
    const file = generate(t, 'sbom');
    for (const home of homes) {
      const { metadata, components } = file(`${path.basename(home)}.cdx.json`) as Bill;
      const {
        name,
        version,
        dependencies = {},
      } = read(`${home}/package.json`) as {
        name: string;
        version: string;
        dependencies?: Record<string, string>;
      };
      assert.deepEqual([metadata.component.name, metadata.component.version], [name, version]);
      const names = components.map(component => component.name);
      for (const dependency of Object.keys(dependencies)) assert.ok(names.includes(dependency), dependency);
      for (const { name: each, hashes, licenses } of components) {
        if (!packages.includes(each) && !each.startsWith(OWN_SCOPE)) assert.ok(hashes && licenses, each);
      }
    }
  });

  test('OpenVEX: says of each advisory in docs/THREATS.md that the packages which it concerns are not affected', t => {
    const { statements } = generate(t, 'vex')('openvex.json') as {
      statements: {
        vulnerability: { name: string };
        products: { '@id': string }[];
        impact_statement: string;
      }[];
    };
    const productsOf = (id: string) =>
      statements
        .filter(({ vulnerability }) => vulnerability.name === id)
        .map(({ products }) => products.map(product => product['@id']));
    const api = ['pkg:npm/ristretto', 'pkg:npm/ristretto3', 'pkg:npm/ristretto5'];
    assert.deepEqual(productsOf('CVE-2024-45590'), [api]);
    assert.deepEqual(productsOf('CVE-2022-24434'), [['pkg:npm/ristretto3'], ['pkg:npm/%40ristretto/multer']]);
    // A withdrawn advisory, and one about Node.js.
    assert.deepEqual([...productsOf('CVE-2024-51999'), ...productsOf('CVE-2023-44487')], []);
    assert.ok(statements.every(each => /^\S.*\. Proved by/.test(each.impact_statement)));
    const published = homes.map(home => (read(`${home}/package.json`) as { name: string }).name);
    const named = statements.flatMap(({ products }) =>
      products.map(each => each['@id'].slice('pkg:npm/'.length)),
    );
    assert.deepEqual(
      named.filter(name => !published.includes(decodeURIComponent(name))),
      [],
    );
  });
});

/** The supported Node versions: those that the tests run on are those in the manifests and documents. */
describe('supported Node versions', () => {
  const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
  const versions = JSON.parse(read('scripts/nodes.json')) as Record<string, string>;
  const majors = Object.keys(versions);

  test('engines: each package accepts the oldest supported Node, and no older one', () => {
    for (const home of packageHomes())
      assert.deepEqual(publishedManifest(home).engines, { node: `>=${majors[0]!}` }, home);
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
});

/** `ristretto migrate` without `--write`: its findings, the changes it would make, and its limits. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ALIAS, folderOf, installed, migrate, spawnMigrate } from './support/application-folder.js';
import type { Files } from './support/application-folder.js';
import { each } from '../../engine/test/support/http.js';

interface Report {
  manager: string;
  source?: string;
  users: { file: string; section: string; range: string; version?: string; uses?: unknown }[];
  copies: { name: string; version: string; place: string }[];
  overridden: string[];
  searched: { files: number; isPartial: boolean };
  differences: { id: string; packages: string[]; places: { file: string; line: number; text: string }[] }[];
  packages: { name: string; version: string }[];
  notes: string[];
  edits: { name: string; diff: string }[];
}

async function report(files: Files, inner = ''): Promise<Report> {
  const folder = path.join(folderOf(files), inner);
  const { code, out, err } = await migrate(folder, '--json');
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out) as Report;
}

/** Returns the lines that a diff adds and removes. */
const changed = ({ diff }: { diff: string }) =>
  diff
    .split('\n')
    .filter(line => /^[+-](?![+-]{2} )/.test(line))
    .map(line => line.replace(/ +/g, ' '));

const manifest = (more: object = {}) => ({ name: 'app', dependencies: { express: '^4.18.2' }, ...more });
const EXPRESS = { 'node_modules/express/package.json': installed('express', '4.22.1') };

const PNPM_LOCK =
  "lockfileVersion: '9.0'\n\npackages:\n\n  express@4.18.2:\n    x: 1\n\n  pins@1.0.0(a@1):\n    x: 1\n\nsnapshots:\n\n  express@4.18.2: {}\n\n  pins@1.0.0(a@1):\n    dependencies:\n      express: 4.18.2\n";

describe('ristretto migrate', () => {
  test('dry run: prints the Express version in use, the differences and the diff, and changes nothing', async () => {
    const text = '{\r\n    "name": "app",\r\n    "dependencies": {"express": "^4.18.2", "a": "1"}\r\n}';
    const folder = folderOf({
      'package.json': text,
      ...EXPRESS,
      'routes/a.js': '// res.redirect("back")\nres.redirect("back");\n',
    });
    const { code, out, err } = await spawnMigrate(path.dirname(folder), [path.basename(folder)]);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^ {2}package\.json {2}dependencies {2}\^4\.18\.2 {2}Express 4\.22\.1$/m);
    assert.match(out, /^ {2}express 4\.22\.1 {2}node_modules\/express$/m);
    assert.match(out, /\(1 files searched; see https:\/\/.*\/docs\/DIFFERENCES\.md\)/);
    assert.match(out, /^ {4}routes\/a\.js:2 {2}res\.redirect\("back"\);$/m);
    assert.match(out, /^- {4}"dependencies": \{"express": "\^4\.18\.2", "a": "1"\}$/m);
    assert.match(out, /^Nothing was written\. "npx ristretto migrate --write"/m);
    assert.equal(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'), text);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['node_modules', 'package.json', 'routes']);
  });

  test('sections: changes every section that contains express', async () => {
    const { users, edits } = await report({
      'package.json': {
        devDependencies: { express: '4' },
        optionalDependencies: { express: '~4.17' },
        peerDependencies: { express: '4' },
      },
    });
    assert.deepEqual(
      users.map(({ section, uses }) => [section, uses]),
      [
        ['devDependencies', 4],
        ['optionalDependencies', 4],
      ],
    );
    assert.deepEqual(changed(edits[0]!), [
      '- "express": "4"',
      `+ "express": "${ALIAS}"`,
      '- "express": "~4.17"',
      `+ "express": "${ALIAS}"`,
    ]);
  });

  test('npm: overrides packages that pin another version, shares one copy with others, leaves Express 5 alone', async () => {
    const { copies, overridden, notes, edits, source, manager } = await report({
      'package.json': manifest(),
      ...EXPRESS,
      'node_modules/.bin/x': '',
      'node_modules/@scope/shares/package.json': installed('@scope/shares', '1.0.0', '^4.17.1'),
      'node_modules/pins/package.json': installed('pins', '1.0.0', '4.16.0'),
      'node_modules/pins/node_modules/express/package.json': installed('express', '4.16.0'),
      'node_modules/five/package.json': installed('five', '1.0.0', '^5.0.0'),
      'node_modules/any/package.json': installed('any', '1.0.0', '>=4'),
      'node_modules/broken/package.json': '{',
    });
    assert.deepEqual([manager, source, overridden], ['npm', 'node_modules', ['pins']]);
    assert.deepEqual(
      copies.map(({ version, place }) => [version, place]),
      [
        ['4.22.1', 'node_modules/express'],
        ['4.16.0', 'node_modules/pins/node_modules/express'],
      ],
    );
    assert.deepEqual(notes, ['five depends on Express ^5.0.0, and keeps it.']);
    assert.ok(changed(edits[0]!).includes(`+ "express@4": "${ALIAS}"`), edits[0]!.diff);
  });

  test('npm: changes an existing override, or leaves it if it is $express', async () => {
    const pins = { ...EXPRESS, 'node_modules/pins/package.json': installed('pins', '1.0.0', '4.16.0') };
    const one = await report({ 'package.json': manifest({ overrides: { express: '4.18.0' } }), ...pins });
    assert.ok(changed(one.edits[0]!).includes('- "express": "4.18.0"'));
    const two = await report({ 'package.json': manifest({ overrides: { express: '$express' } }), ...pins });
    assert.equal(changed(two.edits[0]!).length, 2);
  });

  test('npm: changes the version that an override names, which would conflict with the alias', async () => {
    const editsWith = async (overrides: object) => {
      const { edits } = await report({ 'package.json': manifest({ overrides }), ...EXPRESS });
      return edits.flatMap(changed).slice(2);
    };
    assert.deepEqual(await editsWith({ express: '4.18.2' }), [
      '- "express": "4.18.2"',
      `+ "express": "${ALIAS}"`,
    ]);
    assert.deepEqual(await editsWith({ express: { '.': '4.18.2', qs: '6.11.0' } }), [
      '- ".": "4.18.2",',
      `+ ".": "${ALIAS}",`,
    ]);
    assert.deepEqual(await editsWith({ express: { qs: '6.11.0' } }), []);
    const { notes } = await report({
      'package.json': manifest({ overrides: { express: { qs: '6.11.0' } } }),
      ...EXPRESS,
    });
    assert.match(notes[0]!, /^package\.json: the object "express" in overrides is for packages /);
  });

  test('npm: changes nested overrides and those of a range, which would keep Express for some packages', async () => {
    const { edits, overridden, notes } = await report({
      'package.json': manifest({
        overrides: {
          'express@4': '4.18.2',
          'json-server@0.17': { express: '4.18.2', qs: '6.11.0' },
          deep: { '@scope/inner': { 'express@^4.17': { '.': 'npm:express@4.17.1' } } },
          five: { express: '5.1.0' },
          'express@5': '5.1.0',
          same: { express: '$express' },
          '@scope/express': '4.18.2',
        },
      }),
      ...EXPRESS,
      'node_modules/json-server/package.json': installed('json-server', '0.17.4', '^4.17.1'),
      'node_modules/same/package.json': installed('same', '1.0.0', '^4.17.1'),
    });
    const to = (key: string) => `+ ${JSON.stringify(key)}: "${ALIAS}"`;
    assert.deepEqual(edits.flatMap(changed).slice(2), [
      '- "express@4": "4.18.2",',
      `${to('express@4')},`,
      '- "express": "4.18.2",',
      `${to('express')},`,
      '- ".": "npm:express@4.17.1"',
      to('.'),
    ]);
    assert.deepEqual(overridden, ['json-server']);
    assert.deepEqual(notes, [
      'package.json: overrides["five"]["express"] is "5.1.0": what it applies to does not get Ristretto.',
    ]);
  });

  test('npm: keeps the overrides of dependencies that are in the same object', async () => {
    const pins = { ...EXPRESS, 'node_modules/pins/package.json': installed('pins', '1.0.0', '4.16.0') };
    for (const key of ['express', 'express@4']) {
      const overrides = { [key]: { qs: '6.11.0' } };
      const { edits } = await report({ 'package.json': manifest({ overrides }), ...pins });
      assert.deepEqual(changed(edits[0]!).slice(2), [
        '- "qs": "6.11.0"',
        '+ "qs": "6.11.0",',
        `+ ".": "${ALIAS}"`,
      ]);
    }
  });

  test('yarn, pnpm: a version for all of express is changed, because it would replace the alias', async () => {
    const all = { resolutions: { express: '4.18.2' } };
    const yarn = await report({ 'package.json': manifest(all), 'yarn.lock': '# yarn lockfile v1\n' });
    assert.deepEqual(changed(yarn.edits[0]!).slice(2), ['- "express": "4.18.2"', `+ "express": "${ALIAS}"`]);
    const pnpm = await report({
      'package.json': manifest(),
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      'pnpm-workspace.yaml': "overrides:\n  express: 4.18.2\n  'express@4': 4.18.2\n",
    });
    assert.deepEqual(each(pnpm.edits, 'name'), ['package.json', 'pnpm-workspace.yaml']);
    assert.deepEqual(changed(pnpm.edits[1]!), [
      '- express: 4.18.2',
      "- 'express@4': 4.18.2",
      `+ 'express': '${ALIAS}'`,
      `+ 'express@4': '${ALIAS}'`,
    ]);
  });

  test('yarn: changes resolutions of every form, and adds none beside one for all packages', async () => {
    const pins = { ...EXPRESS, 'node_modules/pins/package.json': installed('pins', '1.0.0', '^4.16.0') };
    const editsWith = async (resolutions: object, more: Files = { 'yarn.lock': '' }) => {
      const { edits, notes } = await report({ 'package.json': manifest({ resolutions }), ...more, ...pins });
      return { lines: edits.flatMap(changed).slice(2), notes };
    };
    for (const key of ['**/express', 'a/**/express', '**/@scope/a/express', 'pins/express']) {
      const { lines, notes } = await editsWith({ [key]: '4.19.2' });
      assert.ok(lines.includes(`- "${key}": "4.19.2"`), key);
      assert.ok(
        lines.some(line => line.startsWith(`+ "${key}": "${ALIAS}"`)),
        key,
      );
      assert.equal(
        lines.some(line => line.includes('**/pins/express')),
        key !== '**/express',
      );
      assert.deepEqual(notes, []);
    }
    const berry = { 'yarn.lock': '__metadata:\n' };
    assert.deepEqual((await editsWith({ 'a@npm:1/express@npm:^4.18.0': 'npm:4.19.2' }, berry)).lines, [
      '- "a@npm:1/express@npm:^4.18.0": "npm:4.19.2"',
      `+ "a@npm:1/express@npm:^4.18.0": "${ALIAS}",`,
      `+ "pins/express": "${ALIAS}"`,
    ]);
    const { lines, notes } = await editsWith({ 'a/express': 'file:./fork', '**/@scope/express': '4.19.2' });
    assert.deepEqual(notes, [
      'package.json: resolutions["a/express"] is "file:./fork": what it applies to does not get Ristretto.',
    ]);
    assert.ok(!lines.some(line => line.startsWith('-') && line.includes('fork')));
  });

  test('pnpm: changes overrides of a package and of a range', async () => {
    const files = { 'pnpm-lock.yaml': PNPM_LOCK };
    const nine = await report({
      'package.json': manifest({
        packageManager: 'pnpm@9.1.0',
        pnpm: {
          overrides: { 'pins@1>express': '4.18.2', 'express@<4.20.0': '>=4.20.0', 'a>express>qs': '6' },
        },
      }),
      ...files,
    });
    assert.deepEqual(nine.edits.flatMap(changed).slice(2), [
      '- "pins@1>express": "4.18.2",',
      '- "express@<4.20.0": ">=4.20.0",',
      '- "a>express>qs": "6"',
      `+ "pins@1>express": "${ALIAS}",`,
      `+ "express@<4.20.0": "${ALIAS}",`,
      '+ "a>express>qs": "6",',
      `+ "express@4": "${ALIAS}"`,
    ]);
    assert.deepEqual(nine.overridden, ['pins']);
    const ten = await report({
      'package.json': manifest(),
      ...files,
      'pnpm-workspace.yaml':
        'overrides:\n  "pins>express": 4.18.2 # why\n  a>express: \'4.1.0\'\n  express@>=4 <5: 4.2.0\n  b>express: "latest"\n  express@4: 5.1.0\nx: 1\n',
    });
    assert.deepEqual(changed(ten.edits[1]!), [
      '- "pins>express": 4.18.2 # why',
      "- a>express: '4.1.0'",
      '- express@>=4 <5: 4.2.0',
      `+ 'pins>express': '${ALIAS}'`,
      `+ 'a>express': '${ALIAS}'`,
      `+ 'express@>=4 <5': '${ALIAS}'`,
      '- express@4: 5.1.0',
      `+ 'express@4': '${ALIAS}'`,
    ]);
    assert.equal(
      ten.notes[0],
      'pnpm-workspace.yaml: overrides["b>express"] is "latest": what it applies to does not get Ristretto.',
    );
    const flow = await report({
      'package.json': manifest(),
      'pnpm-workspace.yaml': 'overrides: { a>express: 4.1.0 }\n',
    });
    assert.ok(
      flow.notes.includes(
        'pnpm-workspace.yaml: overrides is "{ a>express: 4.1.0 }": what it applies to does not get Ristretto.',
      ),
    );
  });

  test('ranges: that also allow Express 5 do not count as Express 4, unless it is installed', async () => {
    for (const range of ['>=4.17', '^4 || ^5']) {
      const files = { 'package.json': { name: 'app', dependencies: { express: range } } };
      const { out, err } = await migrate(folderOf(files));
      assert.match(out + err, /\+ .*npm:ristretto5@|does not determine the version/);
      assert.equal((await report({ ...files, ...EXPRESS })).users[0]!.uses, 4);
    }
    const { notes, overridden } = await report({
      'package.json': manifest(),
      ...EXPRESS,
      'node_modules/both/package.json': installed('both', '1.0.0', '^4 || ^5'),
      'node_modules/open/package.json': installed('open', '1.0.0', '>=4.17'),
    });
    assert.deepEqual([notes, overridden], [[], []]);
  });

  test('framework: adds an override if Express is only a dependency of another package', async () => {
    const { users, edits } = await report({
      'package.json': { name: 'nest' },
      'node_modules/platform/package.json': installed('platform', '10.0.0', '^4.21.0'),
    });
    assert.deepEqual([users, edits.length], [[], 1]);
    assert.match(edits[0]!.diff, /^\+ {4}"express@4"/m);
  });

  test('yarn: resolutions name the packages, in the syntax of its version', async () => {
    const pins = { ...EXPRESS, 'node_modules/pins/package.json': installed('pins', '1.0.0', '^4.16.0') };
    const one = await report({ 'package.json': manifest(), 'yarn.lock': '', ...pins });
    assert.match(one.edits[0]!.diff, /^\+ {4}"\*\*\/pins\/express"/m);
    const four = await report({ 'package.json': manifest({ packageManager: 'yarn@4.1.0' }), ...pins });
    assert.match(four.edits[0]!.diff, /^\+ {4}"pins\/express"/m);
    const berry = await report({ 'package.json': manifest(), 'yarn.lock': '__metadata:\n', ...pins });
    assert.match(berry.edits[0]!.diff, /^\+ {4}"pins\/express"/m);
    const set = await report({
      'package.json': manifest({ resolutions: { express: '4.18.0' } }),
      'yarn.lock': '',
      ...pins,
    });
    assert.match(set.edits[0]!.diff, /^- {4}"express": "4\.18\.0"/m);
  });

  test('pnpm: writes overrides to pnpm-workspace.yaml, or to package.json if its version reads that', async () => {
    const lock = { 'pnpm-lock.yaml': PNPM_LOCK };
    const newest = await report({ 'package.json': manifest(), ...lock });
    assert.deepEqual(each(newest.edits, 'name'), ['package.json', 'pnpm-workspace.yaml']);
    assert.equal(
      newest.edits[1]!.diff,
      `--- /dev/null\n+++ b/pnpm-workspace.yaml\n@@ -0,0 +1,2 @@\n+overrides:\n+  'express@4': '${ALIAS}'\n`,
    );
    const nine = await report({ 'package.json': manifest({ packageManager: 'pnpm@9.1.0' }), ...lock });
    assert.match(nine.edits[0]!.diff, /^\+ {2}"pnpm": \{\n\+ {4}"overrides": \{\n\+ {6}"express@4"/m);
    const eight = await report({
      'package.json': manifest({ pnpm: { overrides: { express: '4.1.0' } } }),
      ...lock,
    });
    assert.match(eight.edits[0]!.diff, /^- {6}"express": "4\.1\.0"/m);
    const modules = { 'node_modules/.modules.yaml': '{ "packageManager": "pnpm@10.2.0" }' };
    const ten = await report({ 'package.json': manifest(), ...lock, ...modules });
    assert.deepEqual(each(ten.edits, 'name'), ['package.json']);
  });

  test('pnpm: keeps overrides in pnpm-workspace.yaml, and changes one of express', async () => {
    const files = {
      'package.json': manifest({ packageManager: 'pnpm@10.9.0' }),
      'pnpm-lock.yaml': PNPM_LOCK,
    };
    const add = await report({ ...files, 'pnpm-workspace.yaml': 'overrides: # all\n  a: 1\nx: 1' });
    assert.deepEqual(changed(add.edits[1]!), [`+ 'express@4': '${ALIAS}'`]);
    const change = await report({
      ...files,
      'pnpm-workspace.yaml': 'x: 1\r\noverrides:\r\n  a: 1\r\n  express: ^4.1.0\r\ny: 1\r\n',
    });
    assert.deepEqual(changed(change.edits[1]!), ['- express: ^4.1.0', `+ 'express': '${ALIAS}'`]);
    const none = await report({ ...files, 'package.json': manifest(), 'pnpm-workspace.yaml': 'x: 1' });
    assert.deepEqual(changed(none.edits[1]!), ['+overrides:', `+ 'express@4': '${ALIAS}'`]);
    const flow = folderOf({ ...files, 'pnpm-workspace.yaml': 'overrides: { a: 1 }\n' });
    const { code, err } = await migrate(flow);
    assert.match(
      err,
      /^Add this to the overrides in .*pnpm-workspace\.yaml, and run the command again:\n\n {2}'express@4'/,
    );
    assert.equal(code, 1);
  });

  test('workspace: changes all packages and adds the override to the root', async () => {
    const { edits, users, notes } = await report({
      'package.json': { workspaces: ['./packages/*', '!packages/old'] },
      'packages/a/package.json': manifest(),
      'packages/b/package.json': { devDependencies: { express: '4.x' } },
      'packages/old/package.json': manifest(),
      'packages/three/package.json': { dependencies: { express: '^3.0.0' } },
      'packages/three/node_modules/express/package.json': installed('express', '3.21.2'),
      'other/package.json': manifest(),
      'node_modules/express/package.json': installed('express', '4.22.1'),
      'packages/b/node_modules/express/package.json': installed('express', '4.22.0'),
      'node_modules/pins/package.json': installed('pins', '1.0.0', '4.16.0'),
    });
    assert.deepEqual(
      users.map(({ file, version }) => [file, version]),
      [
        ['packages/a/package.json', '4.22.1'],
        ['packages/b/package.json', '4.22.0'],
        ['packages/three/package.json', '3.21.2'],
      ],
    );
    assert.deepEqual(each(edits, 'name'), [
      'packages/a/package.json',
      'packages/b/package.json',
      'package.json',
    ]);
    assert.deepEqual(notes, ['packages/three/package.json asks for express "^3.0.0", and stays as it is.']);
  });

  test('workspace: changes one of its packages alone, without an override', async () => {
    const files: Files = {
      'package.json': { workspaces: { packages: ['packages/**'] } },
      'packages/deep/a/package.json': manifest(),
      'packages/b/package.json': manifest(),
      ...EXPRESS,
      'node_modules/pins/package.json': installed('pins', '1.0.0', '4.16.0'),
    };
    const { edits, notes, overridden } = await report(files, 'packages/deep/a');
    assert.deepEqual([edits.map(({ name }) => name), overridden], [['packages/deep/a/package.json'], []]);
    assert.match(
      notes[0]!,
      /^Packages that depend on Express 4 keep it\. To change that for the whole workspace, migrate /,
    );
  });

  test('workspace of pnpm: reads its patterns, and notes a package that has express only as a peer', async () => {
    const { edits, notes, manager } = await report({
      'package.json': {},
      'pnpm-workspace.yaml': 'packages:\n  # those\n  - "apps/*"\n  - \'!apps/no\'\n\nx: 1\n',
      'apps/a/package.json': manifest(),
      'apps/peer/package.json': { peerDependencies: { express: '4' } },
      'apps/no/package.json': manifest(),
    });
    assert.deepEqual([manager, edits.map(({ name }) => name)], ['pnpm', ['apps/a/package.json']]);
    assert.deepEqual(notes, [
      'Nothing is installed, and there is no lock file: which packages depend on Express is unknown.',
      'apps/peer/package.json has express only as a peer dependency, and pnpm installs Express for it. Add express to its devDependencies as well.',
    ]);
  });

  test('notes: mention types, and versions of Node and Express that are old', async () => {
    const { notes } = await report({
      'package.json': manifest({ devDependencies: { '@types/express': '4' }, engines: { node: '>=16' } }),
      'node_modules/express/package.json': installed('express', '4.16.4'),
    });
    assert.deepEqual(notes, [
      'package.json: @types/express is no longer needed, but does no harm: Ristretto includes types.',
      'package.json allows Node >=16; Ristretto needs Node.js 20 or newer.',
      'package.json: Express 4.16.4 is older than 4.22, with which the differences compare. What Express itself has changed since: https://github.com/expressjs/express/blob/4.x/History.md',
    ]);
  });

  test('notes: mention images, workflows and files of version managers with a version of Node that is old', async () => {
    const { notes } = await report({
      'package.json': { ...manifest(), volta: { npm: '9.0.0', node: '18.20.0' } },
      Dockerfile: 'FROM --platform=linux/amd64 docker.io/library/node:18-alpine AS build\nFROM node:22\n',
      'Dockerfile.test': 'FROM node:20\n',
      'worker.dockerfile': 'ARG NODE_VERSION=16.1\nFROM node:${NODE_VERSION}\n',
      'named.dockerfile': '  FROM node:hydrogen-alpine\n',
      '.nvmrc': '# for the servers\nlts/gallium\n',
      '.node-version': '24\n',
      '.tool-versions': 'python 3.1\nnodejs 14.1.0\n',
      'compose.yaml': 'services:\n  web:\n    image: node:16-alpine\n  database:\n    image: postgres:15\n',
      '.github/workflows/test.yml': 'matrix:\n  node-version: [ 22, 24 ]\nwith:\n  node-version: "18.x"\n',
      '.github/workflows/build.yml': 'matrix:\n  node-version: [12, 24]\n',
    });
    assert.deepEqual(
      notes.filter(note => note.includes('Node.js 20')).sort(),
      [
        '.github/workflows/build.yml has Node 12',
        '.github/workflows/test.yml has Node 18',
        '.nvmrc has Node gallium',
        '.tool-versions has Node 14',
        'Dockerfile has Node 18',
        'compose.yaml has Node 16',
        'named.dockerfile has Node hydrogen',
        'package.json has Node 18',
        'worker.dockerfile has Node 16',
      ].map(note => `${note}; Ristretto needs Node.js 20 or newer.`),
    );
  });

  test('catalogs: of pnpm and yarn are changed, and not the references to them', async () => {
    const pnpm = [
      'packages:',
      '  - apps/*',
      'catalog:',
      '  lodash: ^4.0.0',
      '  express: ^4.18.2 # comment',
      'catalogs:',
      '  old:',
      '    "express": "^4.17.0"',
      '  new:',
      "    express: '^5.1.0'",
      '',
    ].join('\n');
    const files = (file: string, text: string, dependencies: Record<string, string>) => ({
      'package.json': { private: true, workspaces: ['apps/*'] },
      [file]: text,
      ...Object.fromEntries(
        Object.entries(dependencies).map(([name, express]) => [
          `apps/${name}/package.json`,
          { name, dependencies: { express } },
        ]),
      ),
    });
    const all = { a: 'catalog:', b: 'catalog:default', c: 'catalog:old', d: 'catalog:none' };
    const { users, edits } = await report(files('pnpm-workspace.yaml', pnpm, all));
    assert.deepEqual(
      users.map(({ range, uses }) => [range, uses]),
      [
        ['^4.18.2', 4],
        ['^4.18.2', 4],
        ['^4.17.0', 4],
        ['catalog:none', undefined],
      ],
    );
    assert.deepEqual(
      edits.map(edit => [edit.name, changed(edit)]),
      [
        [
          'pnpm-workspace.yaml',
          [
            '- express: ^4.18.2 # comment',
            `+ express: '${ALIAS}' # comment`,
            '- "express": "^4.17.0"',
            `+ "express": '${ALIAS}'`,
          ],
        ],
      ],
    );
    const yarn = {
      ...files('.yarnrc.yml', 'catalog:\n  express: ^4.18.2\n', { a: 'catalog:' }),
      'yarn.lock': '__metadata:\n',
    };
    assert.deepEqual(each((await report(yarn)).edits, 'name'), ['.yarnrc.yml']);
    const folder = folderOf(files('pnpm-workspace.yaml', pnpm, all));
    const one = await migrate(path.join(folder, 'apps/a'), '--json');
    const { edits: own } = JSON.parse(one.out) as { edits: { name: string }[] };
    assert.deepEqual(each(own, 'name'), ['apps/a/package.json']);
  });

  test('packages: names the ones that need Express 5, and unnecessary ones', async () => {
    const nest = '@nestjs/platform-express';
    const { packages, differences } = await report({
      'package.json': manifest({ dependencies: { express: '4', 'express-async-errors': '3' } }),
      ...EXPRESS,
      [`node_modules/${nest}/package.json`]: installed(nest, '11.0.1'),
      'node_modules/n8n/package.json': installed('n8n', '1.0.0'),
    });
    assert.deepEqual(
      packages.map(({ name, version }) => [name, version]),
      [[nest, '11.0.1']],
    );
    assert.deepEqual(
      differences.map(({ id, packages: names }) => [id, names]),
      [['rejected-promises', ['express-async-errors']]],
    );
    const files = { 'package.json': manifest(), 'node_modules/n8n/package.json': installed('n8n', '2.0.0') };
    const { out } = await migrate(folderOf(files));
    assert.match(
      out,
      /^Packages that do not run on Ristretto\n {2}n8n 2\.0\.0: It depends on Express 5, and keeps it\.$/m,
    );
  });

  test('done: says that the application uses Ristretto', async () => {
    const files = {
      'package.json': { dependencies: { express: ALIAS } },
      'node_modules/express/package.json': installed('ristretto', '4.50.0'),
    };
    const { code, out } = await migrate(folderOf(files), '--write');
    assert.match(out, /Ristretto 4\.50\.0[^]*Nothing to change: the application uses Ristretto\.\n$/);
    assert.equal(code, 0);
  });

  test('errors: say what is wrong and what to do, and exit with code 1', async () => {
    const five = { 'node_modules/express/package.json': installed('express', '5.1.0') };
    const cases: [Files, string[], RegExp][] = [
      [
        {},
        [],
        /^There is no package\.json in .*\. Pass the directory of the application: ristretto migrate <dir>\n$/,
      ],

      [{ 'package.json/x': '' }, [], /package\.json cannot be read: EISDIR/],
      [{ 'package.json': '{' }, [], /package\.json is not valid JSON: /],
      [{ 'package.json': [] }, [], /package\.json is not valid JSON: it is not an object/],
      [
        { 'package.json': {} },
        [],
        /^No package\.json in .* installs Express, and no installed package depends on Express 4\.\n$/,
      ],
      [
        { 'package.json': { dependencies: { express: '*' } }, ...five },
        ['--to', '5'],
        /express "\*", which is Express 5\.1\.0\. Without --to 5, ristretto migrate moves it to ristretto5\.\n$/,
      ],
      [
        { 'package.json': { dependencies: { express: '^3.1.0' } } },
        [],
        /which is Express 3\. The package ristretto3 implements its API: write "express": "npm:ristretto3@\^3\.\d/,
      ],
      [
        { 'package.json': { dependencies: { express: 'latest' } } },
        [],
        /express "latest", which does not determine the version\. Run npm install, then try again\.\n$/,
      ],
      [
        { 'package.json': manifest(), 'bun.lock': '' },
        [],
        /^bun is not supported\. Edit package\.json by hand:\n\n {2}"dependencies"/,
      ],
      [{ 'package.json': manifest({ packageManager: 'bun@1.2.0' }) }, [], /^bun is not supported/],
      [{ 'package.json': manifest() }, ['--yes'], /^Unknown option '--yes'[^]*Usage: ristretto migrate/],
      [{ 'package.json': manifest() }, ['b'], /^Expected one directory\.\n\nUsage/],
      [{ 'package.json': manifest() }, ['--force'], /^--no-install, --no-test and --force require --write\./],
    ];
    for (const [files, args, message] of cases) {
      const { code, out, err } = await migrate(folderOf(files), ...args);
      assert.match(err, message);
      assert.deepEqual([code, out], [1, ''], err);
    }
  });

  test('help: lists the options and the exit codes', async () => {
    const { code, out } = await spawnMigrate(__dirname, ['--help']);
    assert.match(
      out,
      /^Usage: ristretto migrate \[dir\] \[--to 5 \| --middleware\] \[--write\][^]*Exit codes: 0 /,
    );
    assert.equal(code, 0);
  });
});

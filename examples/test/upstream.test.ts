// runs: once, ci
/** `npm run upstream`: runs the suites of small repositories that are made here. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { projects } from '../../proofs/upstream/catalog.mjs';
import { ORIGINALS, releases } from '../../proofs/upstream/releases.mjs';
import { checkOut, isAvailable } from '../../proofs/upstream/checkout.mjs';
import { explain, lost, passed, read } from '../../proofs/upstream/outcomes.mjs';
import { runProject } from '../../proofs/upstream/project.mjs';
import { replace } from '../../proofs/upstream/replace.mjs';
import { pageOf } from '../../proofs/upstream/table.mjs';
import { packageHomes, root as repositoryRoot } from '../../scripts/packages.cjs';
import { each } from '../../packages/engine/test/support/http';

const home = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ristretto-upstream-test-'));
const mirror = path.join(home, 'mirror');
const lockFile = path.join(home, 'commits.json');
after(() => {
  fs.rmSync(home, { recursive: true });
});

function write(folder: string, files: Record<string, string | object>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** Makes a repository with one commit, which has a tag; returns the commit. */
function repository(name: string, tag: string, files: Record<string, string | object>): string {
  const folder = path.join(mirror, name);
  write(folder, files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '--all', '--force');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message=a');
  git('tag', tag);
  return git('rev-parse', 'HEAD');
}

const cup = {
  name: 'cup',
  repository: 'https://example.test/makers/cup.git',
  versions: ['1.2.3'],
  replaces: { '.': 'cup-of-ours' },
  run: 'node suite.js',
  install: 'node install.js',
};
const locate = (name: string) => path.join(home, name);
const run = (more: object = {}) =>
  runProject({ ...cup, ...more }, '1.2.3', { mirror, lockFile, locate, report: () => undefined });

describe('upstream', () => {
  let commit = '';
  let whole: Awaited<ReturnType<typeof run>>;
  before(async () => {
    write(home, {
      'commits.json': {},
      'cup-of-ours/package.json': { name: 'cup', version: '1.9.0', main: 'index.js' },
      'cup-of-ours/index.js': 'module.exports = { size: 2, ...require("./lib/handle") };',
      'cup-of-ours/lib/handle.js': 'exports.handle = "ours";',
    });
    commit = repository('cup', 'v1.2.3', {
      'package.json': { name: 'cup', version: '1.2.3', devDependencies: { eslint: '1', tea: '1' } },
      'index.js': 'module.exports = { size: 3, ...require("./lib/handle") };',
      'lib/handle.js': 'exports.handle = "theirs";',
      'lib/secret.js': '',
      'install.js': `const fs = require('node:fs');
        for (const [place, version] of [['node_modules/cup', '1.0.0'], ['node_modules/b/node_modules/cup', '2.0.0']]) {
          fs.mkdirSync(place, { recursive: true });
          fs.writeFileSync(place + '/package.json', JSON.stringify({ name: 'cup', version }));
        }`,
      'suite.js': `const cup = require('.');
        const { devDependencies } = require('./package.json');
        const version = name => require(name + '/package.json').version;
        console.log('a line of the program');
        const tests = {
          'is a cup': cup.size > 0, 'has the size 3': cup.size === 3, 'is of ours': cup.handle === 'ours',
          'loads its files': require('./lib/handle').handle === cup.handle,
          'has no linter': !devDependencies.eslint && devDependencies.tea === '1',
          'uses cup 1.0.0': version('cup') === '1.0.0', 'uses cup 2.0.0': version('./node_modules/b/node_modules/cup') === '2.0.0',
        };
        Object.entries(tests).forEach(([name, ok], at) => console.log((ok ? 'ok ' : 'not ok ') + (at + 1) + ' ' + name));
        console.log('1..' + Object.keys(tests).length);
        process.exitCode = 1;`,
    });
    whole = await run();
  });

  test('losses: a test that passes only with the original needs a reason', () => {
    const { result, problems } = whole;
    const { node, ...figures } = result;
    assert.equal(node, process.versions.node);
    assert.deepEqual(figures, {
      ...{ express: 6, here: 6, gained: 1 },
      losses: [{ title: 'has the size 3', reason: undefined }],
    });
    assert.deepEqual(problems, ['lost without a reason: has the size 3']);
  });

  test('reasons: explain a lost test, and are stale if they explain none', () => {
    const reasons = [
      { tests: /size/, reason: 'Ours are small.' },
      { tests: /colour/, reason: 'Ours are white.' },
    ];
    assert.deepEqual(explain(['has the size 3'], reasons), {
      losses: [{ title: 'has the size 3', reason: 'Ours are small.' }],
      stale: ['/colour/: Ours are white.'],
    });
  });

  test('replacing: an installed package is replaced in its major version only, wherever it is', async () => {
    const { result } = await run({ replaces: { 'cup@1': 'cup-of-ours' } });
    assert.deepEqual(each(result.losses, 'title'), ['uses cup 1.0.0']);
    write(home, { 'pot/package.json': { main: 'lib' }, 'pot/lib/old.js': '' });
    replace(path.join(home, 'pot'), { '.': 'cup-of-ours#handle' }, locate);
    assert.equal(require(path.join(home, 'pot')), 'ours');
    assert.deepEqual(fs.readdirSync(path.join(home, 'pot/lib')).sort(), ['handle.js', 'index.js']);
    assert.throws(() => {
      replace(home, { 'cup@3': 'cup-of-ours' }, locate);
    }, /contains no cup@3 to replace/);
  });

  test('failures: an installation that fails, and a suite without results, name their output', async () => {
    await assert.rejects(run({ install: 'echo no registry && exit 3' }), /exit 3 failed\nno registry/);
    await assert.rejects(run({ run: 'echo nothing here' }), /tests do not run with Express\nnothing here/);
  });

  test('commits: the first run records the commit of a tag, and later ones fetch it though the tag has moved', () => {
    const source = path.join(mirror, 'cup');
    const saucer = { ...cup, repository: source };
    const fetch = (name: string) => {
      const folder = path.join(home, name);
      fs.mkdirSync(folder);
      return checkOut(saucer, '1.2.3', folder, { mirror: undefined, lockFile });
    };
    assert.equal(fetch('first'), commit);
    assert.deepEqual(JSON.parse(fs.readFileSync(lockFile, 'utf8')), { [`${source}#1.2.3`]: commit });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: source });
    git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '--message=b');
    git('tag', '--force', 'v1.2.3');
    assert.equal(fetch('second'), commit);
    const other = { ...saucer, name: 'mug' };
    assert.throws(
      () => checkOut(other, '9', home, { mirror: undefined, lockFile }),
      /has no tag 9 or v9 or mug@9/,
    );
  });

  test('UPSTREAM_MIRROR: only what it contains is available, and its commits are not recorded', () => {
    assert.equal(whole.result.commit, undefined);
    assert.ok(isAvailable(cup, '1.2.3', mirror));
    assert.ok(!isAvailable(cup, '9', mirror));
    assert.ok(!isAvailable({ ...cup, repository: 'https://example.test/pot.git' }, '1.2.3', mirror));
    assert.ok(isAvailable(cup, '9', undefined));
  });

  test('TAP: reads flat and nested results, skipped ones, and equal titles', () => {
    const tap = [
      'TAP version 13',
      '# Subtest: cups',
      '    ok 1 - are round',
      '    not ok 2 - are red # TODO',
      '    not ok 3 - are full',
      'not ok 1 - cups',
      '  ---',
      '  duration_ms: 1',
      'ok 2 404 is sent',
      'ok 3 - 404 is sent # time=2ms',
      'ok 4 later # SKIP -',
      '1..4',
    ].join('\n');
    const outcomes = read('tap', tap);
    assert.deepEqual(
      [...outcomes],
      [
        ['cups are round', true],
        ['cups are full', false],
        ['404 is sent', true],
        ['404 is sent (2)', true],
      ],
    );
    assert.equal(passed(outcomes), 3);
  });

  test('Jest: reads its JSON among other output', () => {
    const assertionResults = [
      { fullName: 'cups are round', status: 'passed' },
      { fullName: 'cups are full', status: 'failed' },
      { fullName: 'cups are red', status: 'pending' },
    ];
    const json = JSON.stringify({ numTotalTests: 3, testResults: [{ assertionResults }] });
    assert.deepEqual(
      [...read('jest', `compiling\n${json}\n`)],
      [
        ['cups are round', true],
        ['cups are full', false],
      ],
    );
    assert.equal(read('jest', 'it crashed').size, 0);
  });

  test('comparing: a test that is missing afterwards is lost', () => {
    const [all, some] = [
      new Map([
        ['a', true],
        ['b', false],
      ]),
      new Map([['b', true]]),
    ];
    assert.deepEqual(lost(all, some), ['a']);
    assert.deepEqual(lost(some, all), ['b']);
    assert.deepEqual(explain([], []), { losses: [], stale: [] });
  });

  test('the page: shows figures, reasons with their counts, and projects that have not run', () => {
    const reason = 'Ours | theirs.';
    const losses = [
      { title: 'a', reason },
      { title: 'b', reason },
      { title: 'c', reason: undefined },
    ];
    const result = { node: '20.1.0', commit: 'c'.repeat(40), express: 7, here: 4, gained: 0, losses };
    const page = pageOf([{ ...cup, versions: ['1.2.3', '2'] }], { 'cup 1.2.3': result });
    assert.match(
      page,
      /\| cup 1\.2\.3 \| `cup-of-ours` \| 7 \| 4 \| 2: Ours \\\| theirs\.; 1: no reason yet \| Node 20\.1\.0, commit `c{12}` \|/,
    );
    assert.match(page, /^Not run yet, .*: cup 2\.$/m);
  });

  test('the page: is written from the recorded results', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(repositoryRoot, 'proofs/upstream/run.mjs'), '--page', '--check'],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });

  test('the catalogue: names packages of this repository', () => {
    const homes = projects.flatMap(({ replaces }) => Object.values(replaces));
    assert.deepEqual(
      homes.filter(each => !packageHomes().includes(each.split('#')[0]!)),
      [],
    );
  });

  test('releases: of each original, the newest one of its major version is named if it is newer', () => {
    const homes = new Set(Object.keys(ORIGINALS));
    // These have no original.
    const own = ['engine', 'migrate', 'create-ristretto', 'response-hooks', 'same-origin', 'signed-cookies'];
    assert.deepEqual(
      packageHomes()
        .filter(home => !homes.has(home))
        .map(home => path.basename(home))
        .sort(),
      own.sort(),
    );
    const found = releases(() => ['3.99.0', '4.99.0', '4.100.0', '4.101.0-beta.1', '5.0.0']);
    const newer = found.filter(release => release.newer).map(({ home, newer }) => [home, newer]);
    assert.deepEqual(newer, [
      ['packages/ristretto', '4.100.0'],
      ['packages/ristretto3', '3.99.0'],
    ]);
    assert.ok(found.every(({ compared }) => /^\d+\.\d+\.\d+$/.test(compared)));
  });
});

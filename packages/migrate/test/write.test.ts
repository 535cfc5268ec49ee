/**
 * `ristretto migrate --write`: the commands it runs, the files it writes, their order, and how to undo it; with
 * scripted package managers.
 */
import assert from 'node:assert/strict';
import { execFileSync, execSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import { install, runTests } from '@ristretto/migrate/lib/processes';
import { readProject } from '@ristretto/migrate/lib/project';
import { ALIAS, APP, folderOf, migrate, PASS, playManagers } from './support/application-folder.js';
import type { Ended, Files, Script } from './support/application-folder.js';
import { words } from '../../engine/test/support/random.js';

interface Played extends Ended {
  folder: string;
  calls: string[];
  read: (name: string) => string;
}

/** Runs the command on an application, with package managers that follow the script. */
async function play(
  files: Files,
  script: Script,
  args: string[] = [],
  prepare: (folder: string) => void = () => undefined,
): Promise<Played> {
  const folder = folderOf(files);
  prepare(folder);
  const calls = playManagers(script);
  const ended = await migrate(folder, '--write', ...args);
  mock.reset();
  return {
    ...ended,
    folder,
    calls: calls.map(call => call.replace(path.basename(folder), 'app')),
    read: name => fs.readFileSync(path.join(folder, name), 'utf8'),
  };
}

function git(folder: string, ...args: string[]): string {
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@localhost', '-c', 'core.autocrlf=false'];
  return execFileSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8' });
}

function commit(folder: string): void {
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=before');
}

/** Runs the undo command that was printed, without the installation. */
const undo = ({ out, folder }: Played): void => {
  execSync(undoOf({ out }).replace(/ && \w+ install$/, ''), { cwd: folder });
};
const undoOf = ({ out }: Pick<Ended, 'out'>): string => /^To undo: (.*)$/m.exec(out)![1]!;

describe('ristretto migrate --write', () => {
  test('order: runs tests, changes files, installs, runs tests; then prints the comparison and how to undo', async () => {
    const played = await play(APP, { before: [0, PASS], after: [0, PASS] });
    assert.deepEqual(played.calls, [
      'npm test in app',
      'npm install --no-audit --no-fund in app',
      'npm test in app',
    ]);
    assert.match(played.out, /^npm install: done$/m);
    assert.match(
      played.out,
      /^ {2}same {2}npm test in .*\n {4}before: exit code 0, 3 passed, 0 failed, \d+\.\d s\n {4}after: {2}exit code 0, 3 passed/m,
    );
    assert.match(
      played.err,
      /^Running npm test in .*\nChanged: package\.json\. To undo: mv|cmd .*\nRunning npm install\nRunning npm test in .*\n$/,
    );
    assert.ok(played.read('package.json').includes(`"express": "${ALIAS}"`));
    assert.equal(played.code, 0);
  });

  test('undo: restores copies of the files outside a repository', async () => {
    const played = await play(APP, {}, ['--no-test']);
    assert.deepEqual(
      fs.readdirSync(played.folder).sort(),
      words(`.gitignore node_modules package-lock.json package-lock.json.before-ristretto package.json
      package.json.before-ristretto`),
    );
    undo(played);
    assert.deepEqual(JSON.parse(played.read('package.json')), APP['package.json']);
    assert.deepEqual(
      fs.readdirSync(played.folder).sort(),
      Object.keys(APP)
        .map(name => name.split('/')[0])
        .sort(),
    );
  });

  test('undo: uses git if all files are committed', async () => {
    const played = await play(APP, {}, ['--no-test'], commit);
    assert.equal(undoOf(played), 'git checkout -- package.json package-lock.json && npm install');
    undo(played);
    assert.equal(git(played.folder, 'status', '--porcelain'), '');
  });

  test('undo: restores copies of files that git does not have, and removes new files', async () => {
    const lock =
      "lockfileVersion: '9.0'\npackages:\n  a b@1.0.0:\n    dependencies:\n      express: 4.18.2\n";
    const { 'package-lock.json': _, ...rest } = APP;
    const files = { ...rest, 'pnpm-lock.yaml': lock, '.gitignore': '*lock*\nnode_modules\n' };
    const played = await play(files, {}, ['--no-test'], commit);
    assert.match(
      undoOf(played),
      /package\.json\.before-ristretto package\.json && .* && (?:rm|cmd \/c del) pnpm-workspace\.yaml && pnpm install$/,
    );
    undo(played);
    assert.equal(git(played.folder, 'status', '--porcelain'), '');
  });

  test('undo: quotes names with a space', async () => {
    const files = {
      'package.json': { workspaces: ['my apps/*'] },
      'my apps/a/package.json': APP['package.json'],
    };
    const played = await play(files, {}, ['--no-test']);
    undo(played);
    assert.deepEqual(JSON.parse(played.read('my apps/a/package.json')), APP['package.json']);
  });

  test('changes that are not committed: are refused, and accepted with --force', async () => {
    const change = (folder: string) => {
      commit(folder);
      fs.appendFileSync(path.join(folder, '.gitignore'), 'x\n');
    };
    const refused = await play(APP, {}, [], change);
    assert.match(refused.err, /^There are uncommitted changes:\n\n M \.gitignore\n\nCommit or stash them/);
    assert.deepEqual([refused.code, refused.calls], [1, []]);
    const forced = await play(APP, {}, ['--force', '--no-test'], change);
    assert.match(undoOf(forced), /before-ristretto/);
    assert.equal(forced.code, 0);
  });

  test('a copy of an earlier run: is not overwritten', async () => {
    const played = await play({ ...APP, 'package.json.before-ristretto': 'x' }, {});
    assert.match(
      played.err,
      /^package\.json\.before-ristretto already exists: it is a copy from an earlier run\. Move or delete it\.\n$/,
    );
    assert.deepEqual([played.code, played.calls], [1, []]);
  });

  test('a file that cannot be written: is reported before anything runs', async t => {
    t.mock.method(fs, 'accessSync', () => {
      throw new Error('EROFS');
    });
    const one = await play(APP, {});
    assert.match(one.err, /package\.json cannot be written: EROFS\n$/);
    assert.deepEqual([one.code, one.calls], [1, []]);
  });

  test('tests that get worse: exit with code 2 and print the end of their output', async () => {
    const played = await play(APP, { before: [0, PASS], after: [1, 'TypeError: x\n# pass 2\n# fail 1'] });
    assert.match(
      played.out,
      /^ {2}worse {2}npm test[^]*after: {2}exit code 1, 2 passed, 1 failed[^]*^ {2} {2}\| TypeError: x$[^]*^To undo: /m,
    );
    assert.equal(played.code, 2);
  });

  test('tests that failed before: do not cause a failure', async () => {
    const played = await play(APP, { before: [1, 'x'], after: [1, 'x'] });
    assert.match(played.out, /^ {2}same {2}npm test.*\n {4}before: exit code 1, \d/m);
    assert.equal(played.code, 0);
  });

  test('an installation that fails: exits with code 2, and prints its output and how to undo', async () => {
    const played = await play(APP, { before: [0, PASS], installs: [[1, 'npm error code EAI_AGAIN']] });
    assert.match(
      played.out,
      /^npm install failed \(exit code 1\)\. The files have been changed: fix the cause [^]*^The registry cannot be reached\.\n\nnpm error code EAI_AGAIN[^]*^To undo: /m,
    );
    assert.deepEqual([played.code, played.calls.length], [2, 2]);
  });

  test('an installation that leaves Express 4 somewhere: is reported', async () => {
    const nested = {
      'node_modules/a/node_modules/express/package.json': { name: 'express', version: '4.1.0' },
    };
    const played = await play({ ...APP, ...nested }, {}, ['--no-test']);
    assert.match(
      played.out,
      /^Express 4 is still installed at\n {2}express 4\.1\.0 {2}node_modules\/a\/node_modules\/express$/m,
    );
  });

  test('an application that still loads Express: exits with code 2, and names the overrides that may cause it', async () => {
    const files = {
      'package.json': {
        private: true,
        workspaces: ['services/*'],
        resolutions: { '**/express': 'file:fork' },
      },
      'yarn.lock': '',
      'node_modules/express/package.json': { name: 'express', version: '4.19.2' },
      'services/a/package.json': { name: 'a', dependencies: { express: '^4.18.0' } },
      'services/a/node_modules/express/package.json': { name: 'express', version: '4.19.2' },
      'services/b/package.json': { name: 'b', dependencies: { express: '^4.18.0' } },
    };
    const args = ['--no-test'];
    const one = { ...files, 'package.json': { ...files['package.json'], resolutions: { 'b/express': 'x' } } };
    const unknown = await play(one, {}, args);
    assert.match(
      unknown.out,
      /^Applications that still load Express\n {2}services\/a\/package\.json: express 4\.19\.2, no override is known that causes it\.\n {2}services\/b\/package\.json: express 4\.22\.0, because of package\.json: resolutions\["b\/express"\], which is "x"\. Change or remove that, and install again\.$/m,
    );
    assert.equal(unknown.code, 2);
    const folder = folderOf({
      ...files,
      'package.json': { ...files['package.json'], resolutions: { '**/express': '4.19.2' } },
    });
    playManagers({});
    const { code, out } = await migrate(path.join(folder, 'services/a'), '--write', '--no-test');
    mock.reset();
    assert.match(
      out,
      /services\/a\/package\.json: express 4\.19\.2, because of package\.json: resolutions\["\*\*\/express"\], which is "4\.19\.2"\./,
    );
    assert.equal(code, 2);
  });

  test("an application that still loads Express: is also found with Plug'n'Play", async () => {
    const pnp = (name: string): string => `module.exports = {
      resolveToUnqualified: (request, issuer) => request + ' for ' + issuer,
      findPackageLocator: place => place.startsWith('express for ') ? { name: '${name}', reference: 'virtual:1a#npm:4.19.2' } : null,
    };`;
    const files = (name: string) => ({
      'package.json': { dependencies: { express: '^4.18.0' } },
      'yarn.lock': '__metadata:\n',
      '.pnp.cjs': pnp(name),
    });
    const stays = await play(files('express'), {}, ['--no-test']);
    assert.match(stays.out, /^ {2}package\.json: express 4\.19\.2, no override is known that causes it\.$/m);
    assert.equal(stays.code, 2);
    const moved = await play(files('ristretto'), {}, ['--no-test']);
    assert.equal(moved.code, 0);
    const broken = await play({ ...files('ristretto'), '.pnp.cjs': 'throw 1;' }, {}, ['--no-test']);
    assert.equal(broken.code, 0);
  });

  test('an override: removes the copies from the lock file of npm, which would keep them, unless the installation fails', async () => {
    const pins = { name: 'pins', version: '1.0.0', dependencies: { express: '4.1.0' } };
    const files = {
      ...APP,
      'node_modules/pins/package.json': pins,
      'node_modules/pins/node_modules/express/package.json': { name: 'express', version: '4.1.0' },
    };
    const nested = 'node_modules/pins/node_modules/express';
    const packages = {
      '': {},
      'node_modules/pins': pins,
      [nested]: { version: '4.1.0' },
      [`${nested}/node_modules/qs`]: {},
    };
    const played = await play({ ...files, 'package-lock.json': { packages } }, {}, ['--no-test']);
    assert.deepEqual(JSON.parse(played.read('package-lock.json')), {
      packages: { '': {}, 'node_modules/pins': pins },
    });
    assert.doesNotMatch(played.out, /is still installed/);
    const shared = await play(
      {
        'package.json': { private: true, workspaces: ['packages/*'] },
        'packages/api/package.json': {
          name: 'api',
          dependencies: { express: '^4.21.2', 'express-ws': '5.0.2' },
        },
        'node_modules/express/package.json': { name: 'express', version: '4.21.2' },
        'package-lock.json': { packages: { '': {}, 'node_modules/express': { version: '4.21.2' } } },
      },
      {},
      ['--no-test'],
    );
    assert.deepEqual(
      JSON.parse(shared.read('package-lock.json')),
      { packages: { '': {} } },
      'for a workspace',
    );
    const failed = await play(
      { ...files, 'package-lock.json': { packages } },
      { installs: [[1, 'npm error code ERESOLVE']] },
      ['--no-test'],
    );
    assert.deepEqual(JSON.parse(failed.read('package-lock.json')), { packages });
    assert.ok(failed.read(`${nested}/package.json`).includes('4.1.0'), 'the application still starts');
    assert.match(failed.out, /write legacy-peer-deps=true into its \.npmrc/);
    for (const lock of [{ 'package-lock.json': {} }, {}]) {
      const { 'package-lock.json': _, ...rest } = files;
      assert.doesNotMatch((await play({ ...rest, ...lock }, {}, ['--no-test'])).out, /is still installed/);
    }
  });

  test('nothing installed: installs before the first tests, and a failure changes nothing', async () => {
    const { 'node_modules/express/package.json': _, ...files } = APP;
    const played = await play(files, { before: [0, PASS], after: [0, PASS] });
    assert.deepEqual(
      played.calls.map(call => call.split(' ')[1]),
      ['install', 'test', 'install', 'test'],
    );
    const failed = await play(files, { installs: [[1, 'no such package']] });
    assert.match(failed.err, /npm install failed, before anything was changed:\n\nno such package/);
    assert.deepEqual([failed.code, JSON.parse(failed.read('package.json'))], [1, APP['package.json']]);
  });

  test('--no-install: changes the files and runs nothing', async () => {
    const played = await play(APP, {}, ['--no-install']);
    assert.match(played.out, /^The files have been changed\. Install, and run the tests\.$/m);
    assert.deepEqual([played.code, played.calls], [0, []]);
  });

  test('tests: runs the root’s test script, or each package’s, but not the default of npm init', async () => {
    const none = {
      scripts: { test: 'echo "Error: no test specified" && exit 1' },
      dependencies: { express: '4' },
    };
    const members = {
      'a/package.json': none,
      'b/package.json': APP['package.json'],
      'c/package.json': { dependencies: { express: '4' } },
    };
    const root = { workspaces: ['*'], packageManager: 'yarn@1.22.0' };
    const script: Script = { before: [0, PASS], after: [0, PASS] };
    const installed = { 'node_modules/x': '' };
    const some = await play({ ...installed, ...members, 'package.json': root }, script);
    assert.deepEqual(some.calls, ['yarn test in b', 'yarn install in app', 'yarn test in b']);
    const whole = await play(
      { ...installed, ...members, 'package.json': { ...root, scripts: { test: 'x' } } },
      script,
      ['--json'],
    );
    assert.deepEqual(whole.calls, ['yarn test in app', 'yarn install in app', 'yarn test in app']);
    const { tests } = JSON.parse(whole.out) as { tests: { verdict: string; before: { counts: object } }[] };
    assert.deepEqual(
      tests.map(({ verdict, before }) => [verdict, before.counts]),
      [['same', { passed: 3, failed: 0 }]],
    );
  });

  test('tests: run as in CI, with the package manager', async () => {
    const folder = folderOf({
      'package.json': { scripts: { test: 'node test.js' } },
      'test.js': 'console.log("# pass", process.env.CI ? 1 : 0); process.exit(3)',
    });
    const { command, code, counts } = await runTests(readProject(folder), folder);
    assert.deepEqual([command, code === 0, counts], ['npm test', false, { passed: 1, failed: 0 }]);
  });

  test('a package manager that is not installed: causes a failure', async t => {
    const { PATH } = process.env;
    t.after(() => (process.env.PATH = PATH));
    process.env.PATH = __dirname;
    const { code, output } = await install(readProject(folderOf(APP)));
    assert.notEqual(code, 0);
    assert.match(output, /npm/);
  });
});

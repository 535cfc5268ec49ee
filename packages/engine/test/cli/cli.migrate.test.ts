// runs: slow
/**
 * `ristretto migrate` and `verify`: which release of `@ristretto/migrate` it starts, and how. The tests of the package itself are
 * in `packages/migrate`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { Ended } from '../support/program.js';

const load = createRequire(__filename);
const home = path.dirname(load.resolve('ristretto/package.json'));
const { version } = load('ristretto/package.json') as { version: string };

/** An installation of ristretto in a separate folder, so that packages of this repository are not found. */
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cli-migrate-')));
after(() => fs.rmSync(folder, { recursive: true }));
const modules = path.join(folder, 'node_modules');
for (const part of ['package.json', 'bin', 'lib']) {
  fs.cpSync(path.join(home, part), path.join(modules, 'ristretto', part), { recursive: true });
}
fs.mkdirSync(path.join(modules, '@ristretto'));
const engine = path.dirname(load.resolve('@ristretto/private-engine/package.json'));
fs.symlinkSync(engine, path.join(modules, '@ristretto/private-engine'), 'junction');

/** A program that prints its name and arguments, and fails with 2. */
const program = (name: string) =>
  `#!${process.execPath}\nconsole.log(JSON.stringify(['${name}', ...process.argv.slice(2)]));process.exitCode = 2;`;

/** A folder for PATH with a program `npx`. */
function withNpx(): string {
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, 'npx.cjs'), program('npx'));
  fs.writeFileSync(path.join(bin, 'npx'), program('npx'), { mode: 0o755 });
  fs.writeFileSync(path.join(bin, 'npx.cmd'), `@"${process.execPath}" "%~dp0npx.cjs" %*`);
  return bin;
}

/** Installs a `@ristretto/migrate` of this version in a folder. */
function install(at: string, ofVersion: string): void {
  const target = path.join(at, 'node_modules/@ristretto/migrate');
  fs.mkdirSync(target, { recursive: true });
  fs.writeFileSync(path.join(target, 'package.json'), JSON.stringify({ version: ofVersion }));
  fs.writeFileSync(path.join(target, 'index.js'), program(`installed ${ofVersion}`));
}

function migrate(cwd: string, PATH: string, ...args: string[]): Promise<Ended> {
  return run(cwd, PATH, 'migrate', ...args);
}

function run(cwd: string, PATH: string, ...args: string[]): Promise<Ended> {
  const started = [path.join(modules, 'ristretto/bin/ristretto.js'), ...args];
  const child = spawn(process.execPath, started, { cwd, env: { ...process.env, PATH }, timeout: 15_000 });
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout.on('data', chunk => (ended.out += String(chunk)));
  child.stderr.on('data', chunk => (ended.err += String(chunk)));
  return new Promise(resolve => child.on('close', code => resolve({ ...ended, code })));
}

/** Creates a folder in which the command is run. */
function application(name: string): string {
  const made = path.join(folder, name);
  fs.mkdirSync(made);
  return made;
}

describe('ristretto migrate: start', () => {
  test('not installed: npx runs the release of the same version, with the arguments and its exit code', async () => {
    const { code, out, err } = await migrate(application('a'), withNpx(), 'some dir', '--write', '--help');
    const expected = ['--yes', `--package=@ristretto/migrate@${version}`, '--', 'ristretto-migrate'];
    assert.deepEqual(JSON.parse(out), ['npx', ...expected, 'some dir', '--write', '--help']);
    assert.equal(err, `@ristretto/migrate@${version} is not installed here, so npx runs it.\n`);
    assert.equal(code, 2);
  });

  test('installed in the current directory: is run without npx', async () => {
    const cwd = application('b');
    install(cwd, version);
    const { code, out, err } = await migrate(cwd, '', 'some dir', '--json');
    assert.deepEqual(JSON.parse(out), [`installed ${version}`, 'some dir', '--json']);
    assert.deepEqual([code, err], [2, '']);
  });

  test('another release installed: npx runs the release with the program’s version', async () => {
    const cwd = application('c');
    install(cwd, '4.1.0');
    const { out } = await migrate(cwd, withNpx());
    assert.equal((JSON.parse(out) as string[])[0], 'npx');
  });

  test('no npx: says what to install', async () => {
    const { code, out, err } = await migrate(application('d'), '');
    assert.match(err, /npx can't be started: .*ENOENT/);
    assert.ok(err.includes(`try again: npm install --save-dev --save-exact @ristretto/migrate@${version}\n`));
    assert.deepEqual([code, out], [1, '']);
  });

  test('version: both packages have the same', () => {
    assert.equal((load('@ristretto/migrate/package.json') as { version: string }).version, version);
  });

  test('installed beside ristretto: is run from any directory', async () => {
    install(folder, version);
    const { out } = await migrate(os.tmpdir(), '', '--write');
    assert.deepEqual(JSON.parse(out), [`installed ${version}`, '--write']);
  });

  test('verify: runs the same program, with the name of the command first', async () => {
    install(folder, version);
    const { out } = await run(os.tmpdir(), '', 'verify', '--har', 'a.har');
    assert.deepEqual(JSON.parse(out), [`installed ${version}`, 'verify', '--har', 'a.har']);
  });
});

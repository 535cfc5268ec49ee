// runs: once
/** deploy/systemd, checked with systemd's own tools. Skipped if they are not installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';

const home = path.join(__dirname, '../../deploy/systemd');
/** Null if the program does not exist. */
const { stdout: version } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
/** Version 250 added offline checks of files. */
const skip =
  !(Number(/^systemd (\d+)/.exec(version ?? '')?.[1]) >= 250) && 'systemd-analyze 250 is not installed';

describe('deploy systemd', { skip }, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'units-'));
  after(() => fs.rmSync(folder, { recursive: true }));

  /**
   * Runs the tool on the units of the process on port 3001, with the path of the current Node.js, because the tool
   * checks that it exists; returns the output.
   */
  function analyze(command: string[], edit = (unit: string) => unit) {
    for (const name of fs.readdirSync(home)) {
      const unit = fs
        .readFileSync(path.join(home, name), 'utf8')
        .replaceAll('/usr/bin/node', process.execPath);
      fs.writeFileSync(path.join(folder, name.replace('@', '@3001')), edit(unit));
    }
    return spawnSync('systemd-analyze', [...command, path.join(folder, 'crema@3001.service')], {
      encoding: 'utf8',
    });
  }

  test('the units are valid, and a mistake in them is found', () => {
    const { status, stderr } = analyze(['verify', '--man=no']);
    assert.deepEqual([status, stderr], [0, '']);
    const wrong = analyze(['verify', '--man=no'], unit =>
      unit.replace('ProtectHome=', 'ProtectHom=').replace('KillMode=mixed', 'KillMode=mixd'),
    );
    assert.match(wrong.stderr, /Unknown key 'ProtectHom' in section \[Service\]/);
    assert.match(wrong.stderr, /Failed to parse kill mode specification, ignoring: mixd/);
  });

  test('the exposure level of the service is at most 1.5 of 10', () => {
    const limit = ['security', '--offline=true', '--no-pager', '--threshold=15'];
    const { status, stdout, stderr } = analyze(limit);
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /Overall exposure level for crema@3001.service: 1\.\d OK/);
    const open = analyze(limit, unit => unit.replace(/^(Restrict|SystemCall|Capability).*\n/gm, ''));
    assert.notEqual(open.status, 0);
  });
});

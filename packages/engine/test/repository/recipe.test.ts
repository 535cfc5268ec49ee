// runs: slow, once
/** The recipe in CONTRIBUTING.md for a new member works as it is written, in a copy of the repository. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

const root = path.join(__dirname, '../../../..');
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'recipe-'));
const read = (file: string): string => fs.readFileSync(path.join(copy, file), 'utf8');

/** Copies what git tracks, and links what is installed, except the packages of the repository, which are the copied ones. */
function copyRepository(): void {
  const files = execFileSync(
    'git',
    ['ls-files', '-z', 'package.json', '*tsconfig*.json', 'packages', 'scripts', 'docs', '*.md'],
    { cwd: root },
  );
  for (const file of String(files).split('\0').slice(0, -1))
    fs.cpSync(path.join(root, file), path.join(copy, file));
  const link = (directory: string): void => {
    fs.mkdirSync(path.join(copy, directory), { recursive: true });
    for (const entry of fs.readdirSync(path.join(root, directory), { withFileTypes: true })) {
      const name = path.join(directory, entry.name);
      if (entry.name.startsWith('@') && entry.isDirectory()) link(name);
      else if (entry.isSymbolicLink())
        fs.symlinkSync(fs.readlinkSync(path.join(root, name)), path.join(copy, name));
      else if (entry.name !== '.cache') fs.symlinkSync(path.join(root, name), path.join(copy, name));
    }
  };
  link('node_modules');
  const home = 'packages/engine/node_modules';
  if (fs.existsSync(path.join(root, home))) fs.symlinkSync(path.join(root, home), path.join(copy, home));
}

/** Inserts the added lines of a block after the line that precedes them, and removes the removed ones. */
function applyDiff(block: string): void {
  for (const [, file, changes] of block.matchAll(/^--- (.+)\n((?:[ +-](?!-- ).*\n?)+)/gm)) {
    const lines = read(file!).split('\n');
    let at = 0;
    for (const change of changes!.trimEnd().split('\n')) {
      const line = change.slice(1);
      if (change.startsWith('+')) {
        lines.splice(at++, 0, line);
        continue;
      }
      at = lines.indexOf(line);
      assert.ok(at >= 0, `${file!} has the line ${line}`);
      if (change.startsWith('-')) lines.splice(at, 1);
      else at++;
    }
    fs.writeFileSync(path.join(copy, file!), lines.join('\n'));
  }
}

describe('the recipe for a new member', () => {
  before(copyRepository);
  after(() => {
    fs.rmSync(copy, { recursive: true });
  });

  test('steps: its own tests, the tests of the member tables, and the types pass afterwards', () => {
    const recipe = read('CONTRIBUTING.md').split('## Add a member')[1]!.split('\n## ')[0]!;
    const blocks = [...recipe.matchAll(/^ {3}```(\w+)\n([^]*?)^ {3}```/gm)];
    assert.equal(blocks.length, 5);
    for (const [, language, indented] of blocks) {
      const block = indented!.replaceAll(/^ {3}/gm, '');
      const [, file] = /^\/\/ (\S+)\n/.exec(block) ?? [];
      if (language === 'diff') applyDiff(block);
      else fs.writeFileSync(path.join(copy, file!), block.slice(block.indexOf('\n') + 1));
    }
    const words = ['res.noStore', 'additions.table'];
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run-tests.mjs', ...words], {
      cwd: copy,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, RISTRETTO_SOURCES: undefined },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /✔ Cache-Control: is no-store/);
    assert.match(stdout, /✔ types in packages\/engine\/test/);
  });
});

/** What differs from the main branch, and the lint of it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { bin, step } from './steps.mjs';
import { root } from './test-files.mjs';

function git(/** @type {string[]} */ ...args) {
  const { stdout, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter(Boolean) : [];
}

/** Returns the files that differ from a branch, by default the main one, committed or not, and still exist. */
export function changedFiles(/** @type {string | undefined} */ branch) {
  const bases = branch ? [branch] : ['upstream/main', 'origin/main', 'main'];
  const [base = 'HEAD'] = bases.flatMap(name => git('merge-base', 'HEAD', name));
  const names = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(names)].filter(name => fs.existsSync(path.join(root, name)));
}

/** Lints those of the files that have code. */
export function lintOf(/** @type {string[]} */ files) {
  const sources = files.filter(file => /\.(?:ts|[cm]?js)$/.test(file));
  if (sources.length === 0) return Promise.resolve(0);
  const eslint = [bin('eslint/bin/eslint.js'), '--max-warnings=0', '--no-warn-ignored'];
  return step('lint of what changed', [...eslint, ...sources]);
}

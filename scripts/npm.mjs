/** Runs npm. Errors contain npm's output, so that an unreachable registry is not mistaken for another failure. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The flags of every installation into a tool's own folder. */
export const INSTALL_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Runs npm in a folder; throws an error with its output if it fails. */
export function npm(/** @type {string[]} */ args, /** @type {string} */ folder) {
  // Removes what the outer npm sets for its own run; users' settings (a registry, a cache) stay.
  const outer = /^npm_(?!config_)|^npm_config_(?:local_prefix|workspace)/i;
  const environment = Object.entries(process.env).filter(([name]) => !outer.test(name));
  const result = spawnSync('npm', args, {
    cwd: folder,
    env: Object.fromEntries(environment),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return result.stdout;
  const unreachable = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|ENOTCACHED/.test(result.stderr);
  const hint = unreachable ? 'the npm registry cannot be reached: ' : '';
  throw new Error(
    `${hint}npm ${args.join(' ')} failed\n${result.error ?? ''}${result.stderr}${result.stdout}`,
  );
}

/** Installs the dependencies of a folder, which have exact versions, unless they are installed. */
export function installExact(/** @type {string} */ folder) {
  const read = (/** @type {string} */ file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
  const isThere = Object.entries(read('package.json').dependencies).every(([name, version]) => {
    const file = `node_modules/${name}/package.json`;
    return fs.existsSync(path.join(folder, file)) && read(file).version === version;
  });
  if (!isThere) npm(['install', ...INSTALL_FLAGS], folder);
}

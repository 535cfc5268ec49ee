/** Runs npm. A failure says what npm said, so that a registry that can't be reached is not mistaken for anything else. */
import { spawnSync } from 'node:child_process';

/** What every installation of a tool's own folder has in common. */
export const INSTALL_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Runs npm in a folder; throws with its output when it fails. */
export function npm(/** @type {string[]} */ args, /** @type {string} */ folder) {
  // What the outer npm says about its own run is not for this one; what users set (a registry, a cache) is.
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
  const hint = unreachable ? 'the npm registry can not be reached: ' : '';
  throw new Error(
    `${hint}npm ${args.join(' ')} failed\n${result.error ?? ''}${result.stderr}${result.stdout}`,
  );
}

/**
 * Installs the packages as they are published, and starts an application of each version with all middleware: on each Node of
 * scripts/nodes.json, or in an image, as .github/workflows/images.yml does.
 *
 *     node proofs/images/run.mjs                                     needs built packages, and the registry
 *     node proofs/images/run.mjs --image=node:24-alpine              needs Docker, too
 *     node proofs/images/run.mjs --image=amazonlinux:2023 --install='dnf install -y nodejs22'
 *
 * --node is the program in the image; --install runs in it before, if it has no Node.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { here, nodeOf, otherMajors } from '../../scripts/nodes.mjs';
import { INSTALL_FLAGS, npm } from '../../scripts/npm.mjs';
import { readOptions } from '../../scripts/options.cjs';
import { pack } from '../../scripts/pack.mjs';
import { MIDDLEWARE, VERSIONS, packageHomes, root } from '../../scripts/packages.cjs';

const { values } = readOptions({
  image: { type: 'string' },
  install: { type: 'string' },
  node: { type: 'string', default: 'node' },
});

/** Installs all packages of applications into a folder, beside the program that starts them. */
function install(/** @type {string} */ folder) {
  const nameOf = (/** @type {string} */ home) =>
    /** @type {string} */ (JSON.parse(fs.readFileSync(path.join(root, home, 'package.json'), 'utf8')).name);
  const served = packageHomes().filter(home => home.startsWith(`${MIDDLEWARE}/`) || VERSIONS.includes(home));
  const packed = pack(packageHomes(...served.map(nameOf)), path.join(folder, 'tarballs'));
  const tarballs = Object.fromEntries(packed.map(({ name, file }) => [name, `file:${file}`]));
  const manifest = { private: true, dependencies: tarballs, overrides: tarballs };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  npm(['install', ...INSTALL_FLAGS], folder);
  fs.copyFileSync(fileURLToPath(new URL('start.cjs', import.meta.url)), path.join(folder, 'start.cjs'));
}

/** Runs a program; prints what it prints, and returns whether it succeeds. */
function runs(/** @type {string} */ what, /** @type {string} */ program, /** @type {string[]} */ args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 600_000 });
  console.log(
    `${status === 0 ? '✔' : '✖'} ${what}: ${status === 0 ? stdout.trim() : `${error ?? ''}${stdout}${stderr}`}`,
  );
  return status === 0;
}

function inImage(/** @type {string} */ image, /** @type {string} */ folder) {
  const run = ['run', '--rm', '--volume', `${folder}:/app:ro`];
  if (values.install === undefined) {
    return runs(image, 'docker', [...run, '--entrypoint', values.node, image, '/app/start.cjs']);
  }
  const script = `(${values.install}) >&2 && ${values.node} /app/start.cjs`;
  return runs(image, 'docker', [...run, '--entrypoint', '/bin/sh', image, '-c', script]);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-images-'));
// A container may run as another user
fs.chmodSync(folder, 0o755);
try {
  install(folder);
  const program = path.join(folder, 'start.cjs');
  const results =
    values.image === undefined
      ? [here, ...otherMajors().map(nodeOf)].map(({ version, binary }) =>
          runs(`Node ${version}`, binary, [program]),
        )
      : [inImage(values.image, folder)];
  process.exitCode = results.includes(false) ? 1 : 0;
} finally {
  fs.rmSync(folder, { recursive: true });
}

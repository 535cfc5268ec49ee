/** Single executable applications of Node: https://nodejs.org/api/single-executable-applications.html */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The marker by which Node detects that a program was injected. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Creates a single executable. Resolves with its path.
 *
 * @param {string} node the Node binary that creates it, and of which it is a copy
 * @param {string} main a bundle, as a CommonJS module
 * @param {string} folder the folder it is written to
 */
export async function makeExecutable(node, main, folder) {
  const config = path.join(folder, 'sea-config.json');
  const output = path.join(folder, 'server.blob');
  fs.writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  await run(node, ['--experimental-sea-config', config]);
  const file = path.join(folder, 'server');
  fs.copyFileSync(node, file);
  fs.chmodSync(file, 0o755);
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  await run(process.execPath, [postject, file, 'NODE_SEA_BLOB', output, '--sentinel-fuse', FUSE]);
  return file;
}

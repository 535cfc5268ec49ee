/** The runtimes, and the ways in which each serves the application: `WAYS` has one entry for each. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { here, nodeOf, otherMajors } from '../../../scripts/nodes.mjs';
import { workerdConfiguration } from './workerd.mjs';

export const HOME = path.join(import.meta.dirname, '..');
const START = 20_000;

/**
 * @typedef {{ entry: string, patched: boolean }} Program `entry` is a file of application/
 * @typedef {{ name: string, version: string, entry: string, command: (program: Program) => string[] }} Way
 */

const application = (/** @type {string} */ file) => path.join(HOME, 'application', file);
const manifest = (/** @type {string} */ name) =>
  JSON.parse(fs.readFileSync(path.join(HOME, 'node_modules', name, 'package.json'), 'utf8'));

/** Returns the executable of an npm package for this machine, which is in one of its optional dependencies. */
function program(/** @type {string} */ name) {
  const places = Object.keys(manifest(name).optionalDependencies).flatMap(dependency =>
    [`bin/${name}`, name, `bin/${name}.exe`, `${name}.exe`].map(file =>
      path.join(HOME, 'node_modules', dependency, file),
    ),
  );
  const found = places.find(place => fs.existsSync(place));
  if (found === undefined) throw new Error(`npm has no ${name} for ${process.platform} ${process.arch}`);
  return found;
}

/** Returns the command that runs a file with the given flags, loading the tool first if requested. */
const preloading =
  (/** @type {string[]} */ command, /** @type {string} */ flag) =>
  (/** @type {Program} */ { entry, patched }) => [
    ...command,
    ...(patched ? [flag, application('tool.mjs')] : []),
    application(entry),
  ];

const version = (/** @type {string} */ name) => manifest(name).version;

/** @returns {Way} */
const node = (/** @type {import('../../../scripts/nodes.mjs').Node} */ { version, binary }) => ({
  name: `Node.js ${version.split('.')[0]}`,
  version,
  entry: 'listen.mjs',
  command: preloading([binary], '--import'),
});
/** `app.fetch` on Node.js, with a package. @returns {Way} */
const srvx = () => ({
  name: 'srvx',
  version: version('srvx'),
  entry: 'fetch-node.mjs',
  command: preloading([here.binary], '--import'),
});
/** @returns {Way} */
const bun = (/** @type {string} */ name, /** @type {string} */ entry) => ({
  name,
  version: version('bun'),
  entry,
  command: preloading([program('bun')], '--preload'),
});
/** @returns {Way} */
const deno = (/** @type {string} */ name, /** @type {string} */ entry) => ({
  name,
  version: version('deno'),
  entry,
  command: preloading([program('deno'), 'run', '--allow-all', '--no-lock'], '--preload'),
});
/** @returns {Way} */
const workerd = (/** @type {string} */ name, /** @type {string} */ entry) => ({
  name,
  version: version('workerd'),
  entry,
  command: wanted => [program('workerd'), 'serve', workerdConfiguration(HOME, wanted), '--control-fd=1'],
});

/** Returns the ways of this machine. @returns {Way[]} */
export function ways(/** @type {boolean} */ isHereOnly) {
  return [
    ...[here, ...(isHereOnly ? [] : otherMajors().map(nodeOf))].map(node),
    bun('Bun', 'listen.mjs'),
    deno('Deno', 'listen.mjs'),
    workerd('workerd', 'workerd.mjs'),
    srvx(),
    bun('Bun, fetch', 'fetch-bun.mjs'),
    deno('Deno, fetch', 'fetch-deno.mjs'),
    workerd('workerd, fetch', 'fetch-workerd.mjs'),
  ];
}

/**
 * Starts a way's program; resolves when it listens.
 *
 * @param {Way} way
 * @param {{ patched?: boolean, env?: Record<string, string> }} [options]
 */
export function start(way, { patched = false, env = {} } = {}) {
  const [file, ...args] = way.command({ entry: way.entry, patched });
  const child = spawn(file, args, {
    cwd: HOME,
    env: { ...process.env, NODE_ENV: 'test', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', text => (errors += text));
  const exited = new Promise(resolve => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const messages = [];
  const lines = readline.createInterface({ input: child.stdout }).setMaxListeners(Infinity);
  /**
   * Returns the first message that the process prints with a member of this name whose number is at least `atLeast`.
   */
  const said = (/** @type {string} */ name, atLeast = -Infinity) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = messages.find(message => name in message && !(message[name] < atLeast));
        if (found) resolve(found[name]);
      };
      const fail = () => reject(new Error(`${way.name} never said ${name}: ${errors}`));
      lines.on('line', look);
      lines.on('close', fail);
      setTimeout(fail, START).unref();
      look();
    });
  lines.on('line', line => {
    if (line.startsWith('{')) messages.push(JSON.parse(line));
  });
  return said('port').then(port => ({
    port,
    said,
    exited,
    errors: () => errors,
    signal: () => child.kill('SIGTERM'),
    kill: () => child.kill('SIGKILL'),
  }));
}

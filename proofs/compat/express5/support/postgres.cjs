/** An empty PostgreSQL server for one scenario, on loopback, in the working directory of the run. */
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { freePort, start } = require('../frameworks/support/program.cjs');

/** PostgreSQL refuses to run as root, so it runs as its own user in that case. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const id = flag => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts the server. @returns {Promise<{ url: string, stop: Function }>} */
async function startPostgres() {
  const user = unprivileged();
  const data = path.join(process.cwd(), 'postgres');
  fs.mkdirSync(data);
  if (user.uid !== undefined) {
    fs.chmodSync(process.cwd(), 0o755);
    fs.chownSync(data, user.uid, user.gid);
  }
  const flags = ['-D', data, '-U', 'compat', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync('initdb', flags, { cwd: data, stdio: 'pipe', ...user });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-F'];
  const ready = /database system is ready to accept connections/;
  const { stop } = await start('postgres', args, { ready, cwd: data, ...user });
  return { url: `postgres://compat@127.0.0.1:${port}/postgres`, stop: () => stop('SIGQUIT') };
}

module.exports = { startPostgres };

/** Starts programs from their command line, as a user does, and stops them with a signal. */
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');

/** Resolves with a free port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Writes files at paths below a folder: the working directory, by default. */
function write(files, folder = '.') {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** Returns the file of a package's command as `from` finds it; not every package exports its package.json. */
function commandOf(name, command = name, from = require) {
  const folders = from.resolve.paths(name).map(place => path.join(place, name));
  const folder = folders.find(each => fs.existsSync(path.join(each, 'package.json')));
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Starts a Node program, or any other if `file` is not a script, and waits for the output that it prints when ready.
 * @returns {Promise<{ output: () => string, stop: (signal?: string) => Promise<string> }>}
 */
function start(file, args, { ready, env = {}, cwd, uid, gid, seconds = 60 }) {
  const isScript = path.isAbsolute(file) && !file.startsWith('/usr/');
  const [program, all] = isScript ? [process.execPath, [file, ...args]] : [file, args];
  const child = spawn(program, all, {
    ...{ cwd, uid, gid },
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise(resolve => {
    child.on('exit', (code, signal) => resolve(`${code} ${signal}`));
    child.on('error', error => resolve(error.message));
  });
  const stop = async (signal = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return new Promise((resolve, reject) => {
    const fail = reason => reject(new Error(`${file} ${reason}\n${output}`));
    const timer = setTimeout(
      () => stop('SIGKILL').then(() => fail(`is not ready after ${seconds} s`)),
      seconds * 1000,
    );
    const read = chunk => {
      output += chunk;
      if (!ready.test(output)) return;
      clearTimeout(timer);
      resolve({ output: () => output, stop });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(how => {
      clearTimeout(timer);
      fail(`ended with ${how}`);
    });
  });
}

module.exports = { commandOf, freePort, start, write };

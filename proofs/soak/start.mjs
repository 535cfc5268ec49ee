/** Starts servers for the stress runs, each in a separate process, and creates a folder with the files they serve. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const FRAMEWORKS = ['ristretto', 'express 4', 'bare http'];
export const MiB = 1024 * 1024;

/**
 * Creates a folder with a small text, one of 8 MiB that compresses to half its size, a view, and a folder for uploads.
 */
export function makeFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-soak-'));
  const line = 'The quick brown fox jumps over the lazy dog. ';
  fs.writeFileSync(path.join(folder, 'small.txt'), line.repeat(100));
  fs.writeFileSync(path.join(folder, 'large.txt'), randomBytes(4 * MiB).toString('hex'));
  fs.writeFileSync(path.join(folder, 'page.boom'), '');
  return folder;
}

/**
 * Starts a server.
 * @param {string} framework one of FRAMEWORKS
 * @param {string} folder
 * @param {object} [options] those of `http.createServer`
 * @param {NodeJS.ProcessEnv} [environment] `PORT` to listen on, `DRAIN` of the stop
 */
export async function start(framework, folder, options = {}, environment = {}) {
  const child = fork(
    new URL('server.cjs', import.meta.url).pathname,
    [framework, folder, JSON.stringify(options)],
    {
      execArgv: ['--expose-gc'],
      env: { ...process.env, ...environment, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    },
  );
  const ended = new Promise(resolve => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const port = await new Promise((resolve, reject) => {
    child.once('message', ({ port }) => resolve(port));
    child.once('exit', code => reject(new Error(`${framework} ended with ${code}`)));
  });
  let last = 0;
  /** @returns {Promise<any>} */
  const ask = name =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const listen = message => {
        if (message.id !== id) return;
        child.off('message', listen);
        resolve(message.result);
      };
      child.on('message', listen);
      child.send({ id, name }, error => error && reject(error));
    });
  return {
    ...{ framework, port, child, ended },
    figures: () => ask('figures'),
    collect: () => ask('collect'),
    /** Kills the process. */
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

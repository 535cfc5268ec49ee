/** A process of the showcase, which can be stopped, killed, and restarted on its port. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/test-files.mjs';
import { start } from './children.mjs';

const SECONDS_TO_START = 120;

/** @typedef {ReturnType<typeof makeBoard>} Board */

/** @param {{ port: number, log: string, env: NodeJS.ProcessEnv }} options */
export function makeBoard({ port, log, env }) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {Promise<unknown> | undefined} */
  let ended;
  return {
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    get isRunning() {
      return child?.exitCode === null && child.signalCode === null;
    },
    /** Resolves when the process is listening. */
    async start() {
      const errors = fs.openSync(log, 'a');
      const { child: started, ended: end } = start(process.execPath, [path.join(root, 'examples/showcase')], {
        env: {
          ...process.env,
          NODE_ENV: 'production',
          LOG_LEVEL: 'warn',
          ADMIN_PASSWORD: '',
          TRUST_PROXY: '1',
          STOP_DRAIN: '3000',
          COMPRESSION: 'off',
          PORT: String(port),
          ...env,
        },
        stdio: ['ignore', 'pipe', errors],
      });
      fs.closeSync(errors);
      child = started;
      ended = end;
      await new Promise((resolve, reject) => {
        const fail = () =>
          reject(new Error(`The process on port ${port} did not start: ${fs.readFileSync(log)}`));
        const timer = setTimeout(fail, SECONDS_TO_START * 1000);
        started.once('exit', fail);
        let text = '';
        started.stdout?.setEncoding('utf8').on('data', chunk => {
          text += chunk;
          if (!text.includes('The data is in')) return;
          clearTimeout(timer);
          started.off('exit', fail);
          resolve(undefined);
        });
      });
    },
    /** Resolves when the process has ended. @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGTERM') {
      child?.kill(signal);
      await ended;
    },
  };
}

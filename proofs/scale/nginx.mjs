/** Runs deploy/nginx/board.conf unchanged, except for its ports, certificate, processes and log. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/test-files.mjs';
import { start } from './children.mjs';

const certificates = path.join(root, 'examples/https');

/**
 * Raises the limits of each address, from one of which all load of a test comes.
 * @type {[RegExp, string][]}
 */
const UNLIMITED = [
  [/rate=50r\/s;/, 'rate=100000r/s;'],
  [/burst=200 /, 'burst=100000 '],
  [/limit_conn board_connections 100;/, 'limit_conn board_connections 10000;'],
];

/** Returns the nginx.conf that includes the file; everything that nginx writes stays in one directory. */
const around = (/** @type {string} */ folder) => `
daemon off;
master_process on;
worker_processes 1;
user root;
pid ${folder}/pid;
error_log ${folder}/error.log warn;
events { worker_connections 4096; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/board.conf;
}
`;

/**
 * Adapts the configuration of deploy/ for a test. Each replacement must match, or the test would not cover that file.
 * @param {{ folder: string, port: number, plainPort: number, upstreams: number[], keepsLimits?: boolean,
 *   fault?: [RegExp, string][] }} options
 */
function adapted({ folder, port, plainPort, upstreams, keepsLimits = false, fault = [] }) {
  const servers = upstreams.map(each => `    server 127.0.0.1:${each} max_fails=0;\n`).join('');
  /** @type {[RegExp, string][]} */
  const changes = [
    [/( {4}server 127\.0\.0\.1:\d+ max_fails=0;\n)+/, servers],
    [/listen 80;/, `listen 127.0.0.1:${plainPort};`],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${port} ssl http2;`],
    [/ssl_certificate \S+;/, `ssl_certificate ${certificates}/localhost-cert.pem;`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${certificates}/localhost-key.pem;`],
    ...(keepsLimits ? [] : UNLIMITED),
    [/access_log \S+ board;/, `access_log ${folder}/access.log board;`],
    ...fault,
  ];
  return changes.reduce(
    (text, [pattern, by]) => {
      if (!pattern.test(text)) throw new Error(`deploy/nginx/board.conf has no ${pattern}`);
      return text.replace(pattern, by);
    },
    fs.readFileSync(path.join(root, 'deploy/nginx/board.conf'), 'utf8'),
  );
}

/** @typedef {Awaited<ReturnType<typeof startNginx>>} Nginx */

/** Checks the configuration and starts nginx. @param {Parameters<typeof adapted>[0]} options */
export async function startNginx(options) {
  const { folder } = options;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'board.conf'), adapted(options));
  const main = path.join(folder, 'nginx.conf');
  fs.writeFileSync(main, around(folder));
  const error = path.join(folder, 'error.log');
  execFileSync('nginx', ['-t', '-q', '-e', error, '-c', main], { stdio: 'pipe' });
  const { child, ended } = start('nginx', ['-e', error, '-c', main], { stdio: 'ignore' });
  // The check leaves an empty file; the master process writes its id once it is listening.
  for (let tries = 0; fs.statSync(path.join(folder, 'pid')).size === 0; tries++) {
    if (tries > 400 || child.exitCode !== null)
      throw new Error(`nginx did not start: ${fs.readFileSync(error, 'utf8')}`);
    await sleep(25);
  }
  const log = path.join(folder, 'access.log');
  return {
    pid: child.pid ?? 0,
    /** Returns the warnings in nginx's log. */
    warnings: () => fs.readFileSync(error, 'utf8'),
    /** Returns the completed requests in nginx's log. @returns {LogLine[]} */
    requests: () =>
      fs
        .readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * @typedef {{ method: string, uri: string, status: number, upstreams: string, statuses: string }} LogLine
 */

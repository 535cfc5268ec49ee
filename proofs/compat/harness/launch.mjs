/**
 * Runs one scenario on one side: a fresh process in a temporary working directory; requests are sent from here, and
 * agents report to here.
 */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { request } from './request.mjs';

/** @typedef {{ method: string, path: string, headers: http.IncomingHttpHeaders, body: string }} Report */
/** @typedef {Record<string, { status?: number, headers?: Record<string, string>, body?: string }>} Replies */

/** Returns the decompressed body of a report. */
function inflated(/** @type {Buffer} */ body, /** @type {string | undefined} */ encoding) {
  if (encoding === 'gzip') return zlib.gunzipSync(body);
  if (encoding === 'deflate') return zlib.inflateSync(body);
  return body;
}

/** All collectors of one scenario. */
class Collectors {
  /** @type {Map<number, { server: http.Server, reports: Report[] }>} */
  #open = new Map();

  /** Starts a collector with responses by path (without query); other paths get 200 and `{}`. Returns its port. */
  start(/** @type {Replies} */ replies = {}) {
    /** @type {Report[]} */
    const reports = [];
    const server = http.createServer((req, res) => {
      /** @type {Buffer[]} */
      const chunks = [];
      req.on('data', chunk => chunks.push(chunk));
      req.on('end', () => {
        const { method = '', url: path = '', headers } = req;
        const body = inflated(Buffer.concat(chunks), headers['content-encoding']);
        reports.push({ method, path, headers, body: body.toString('base64') });
        const reply = replies[path.split('?')[0] ?? ''] ?? {};
        res.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers });
        res.end(reply.body ?? '{}');
      });
    });
    return new Promise(resolve => {
      server.listen(0, '127.0.0.1', () => {
        const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
        this.#open.set(port, { server, reports });
        resolve(port);
      });
    });
  }

  /** Returns the reports received since the last call. */
  take(/** @type {number} */ port) {
    return this.#open.get(port)?.reports.splice(0) ?? [];
  }

  /** Closes all collectors. */
  close() {
    for (const { server } of this.#open.values()) {
      server.close();
      server.closeAllConnections();
    }
  }
}

const CHILD = path.join(import.meta.dirname, 'child.cjs');
const OUTPUT_KEPT = 8000;
/** A warning of Ristretto, with the place in the program. */
const WARNING = /\[(RISTRETTO_\w+)\] RistrettoWarning: .*(?:\n {4}at .*)?/g;

/**
 * Returns the environment of a scenario: without variables of npm or a debugger, and with a fixed time zone. In
 * development Ristretto warns, but sends no error page of its own, which Express does not have.
 *
 * @param {string} env `NODE_ENV`
 * @param {string} warningsFile where Node writes warnings in development, because some scenarios record standard error
 */
function environment(env, warningsFile) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_|INIT_CWD|DEBUG)/i.test(name));
  const own =
    env === 'development'
      ? { RISTRETTO_ERROR_PAGE: 'off', NODE_REDIRECT_WARNINGS: warningsFile }
      : { RISTRETTO_WARNINGS: 'off' };
  return { ...Object.fromEntries(kept), NODE_ENV: env, ...own, TZ: 'UTC' };
}

/** Reads Ristretto's warnings and removes the file. */
function takeWarnings(/** @type {string} */ file) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  fs.rmSync(file, { force: true });
  return [...text.matchAll(WARNING)].map(([warning]) => warning);
}

/** Returns a record without the paths of the side and of the working directory. */
function withoutPaths(/** @type {unknown} */ record, /** @type {string} */ side, /** @type {string} */ cwd) {
  const quoted = (/** @type {string} */ text) => JSON.stringify(text).slice(1, -1);
  const text = JSON.stringify(record).replaceAll(quoted(side), '<side>').replaceAll(quoted(cwd), '<cwd>');
  return JSON.parse(text);
}

/** Kills a child and the processes that it started. */
function kill(/** @type {import('node:child_process').ChildProcess} */ child) {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole process group has already exited.
  }
}

/**
 * Runs a scenario on a side.
 *
 * @param {import('./catalog.mjs').Scenario} scenario
 * @param {string} side
 * @param {boolean} speaksHttp2 whether applications listen over HTTP/2
 * @returns {Promise<{ record?: unknown, error?: string, output: string, warnings: string[] }>} `warnings` are those of
 *   Ristretto, in the order in which they were printed
 */
export function launch(scenario, side, speaksHttp2 = false) {
  const cwd = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'compat-')));
  const warningsFile = `${cwd}.warnings`;
  return new Promise(resolve => {
    const child = fork(
      CHILD,
      [
        side,
        scenario.file,
        scenario.program,
        ...[scenario.subprocess, scenario.isOverHttp2, speaksHttp2].map(String),
      ],
      {
        cwd,
        env: environment(scenario.env, warningsFile),
        execArgv: [],
        // Starts a separate process group, so that everything the scenario started is killed with it.
        detached: true,
        silent: true,
      },
    );
    const collectors = new Collectors();
    /** @type {Record<string, (argument: any) => unknown>} */
    const calls = {
      request: wanted => request(wanted, scenario.isOverHttp2),
      collect: replies => collectors.start(replies),
      collected: port => collectors.take(port),
    };
    let output = '';
    /** @type {{ record?: unknown, error?: string } | undefined} */
    let outcome;
    const keep = (/** @type {Buffer} */ chunk) => (output = (output + chunk).slice(-OUTPUT_KEPT));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const timer = setTimeout(() => {
      outcome ??= { error: `not finished after ${scenario.timeout} s` };
      kill(child);
    }, scenario.timeout * 1000);
    child.on('message', message => {
      const { id, call, argument, outcome: result } = /** @type {Record<string, any>} */ (message);
      if (result) return (outcome = result);
      // The child may exit before it reads this; the callback keeps that from becoming an error in the harness.
      const answer = (/** @type {object} */ value) =>
        child.connected && child.send({ id, ...value }, () => undefined);
      return Promise.resolve(argument)
        .then(calls[call])
        .then(
          value => answer({ answer: value }),
          error => answer({ error: String(error.message) }),
        );
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      kill(child);
      const settle = () => {
        collectors.close();
        fs.rmSync(cwd, { recursive: true, force: true });
        const { record, error } = outcome ?? { error: `the process ended with ${signal ?? `code ${code}`}` };
        const warnings = takeWarnings(warningsFile);
        resolve({ ...(error ? { error } : { record: withoutPaths(record, side, cwd) }), output, warnings });
      };
      // Its last message may still be in transit.
      if (child.connected) child.once('disconnect', settle);
      else settle();
    });
  });
}

/**
 * The benchmark: every framework in a process of its own on one core, loaded from the other, in interleaved rounds.
 *
 *     npm run bench                                   all scenarios and frameworks
 *     npm run bench -- --only 'json hello;text' --frameworks bare,ristretto --rounds 5 --seconds 2 --node /path/to/node
 *
 * With `--cpu` the figures are requests for each second of the server's processor time: on a machine that does other
 * work besides, they hold still where requests a second do not.
 *
 * Each answer is checked before it is timed. What counts is the median over the rounds of the ratio to bare `node:http`
 * in the same round. Results go to bench/results, unless `--dry` is given.
 */
import { execFile, fork, execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import * as payload from './payloads.mjs';
import { writeReport } from './report.mjs';
import { scenarios } from './scenarios.mjs';

const run = promisify(execFile);
const others = createRequire(import.meta.url)('./frameworks/others.cjs');
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    frameworks: {
      type: 'string',
      default: 'bare,ristretto,express4,express5,fastify,hono,koa,polka,sirv,serve-static',
    },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '50' },
    node: { type: 'string', default: process.execPath },
    cpu: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});

const SERVER_CORE = '0';
const LOAD_CORE = '1';
const files = payload.makeFiles();
const selected = options.only?.split(';').map(name => name.trim()) ?? Object.keys(scenarios);
const frameworks = options.frameworks.split(',');

function takesPart(framework, scenario) {
  if (framework in others) return others[framework].scenarios.includes(scenario);
  if (framework === 'fastify')
    return !/^file|^range|ejs|lean/.test(scenario) && scenario !== 'json hello, createServer';
  return true;
}

function start(framework, scenario) {
  const description = JSON.stringify({
    framework,
    scenario,
    files,
    payload: { text: payload.text, viewLocals: payload.viewLocals },
  });
  const child = fork(new URL('server.cjs', import.meta.url).pathname, [description], {
    execPath: options.node,
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  execFileSync('taskset', ['-apc', SERVER_CORE, String(child.pid)], { stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }) => resolve({ framework, child, port }));
    child.once('exit', code => reject(new Error(`${framework} for '${scenario}' ended with ${code}`)));
  });
}

function ask(port, { method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, method, path, headers, agent: false }, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The request as it is sent: a conditional one takes the validators of the server's own answer. */
async function prepare(port, request) {
  if (!request.conditional) return request;
  const { headers } = await ask(port, request);
  const conditions = headers.etag
    ? { 'If-None-Match': headers.etag }
    : { 'If-Modified-Since': headers['last-modified'] ?? new Date().toUTCString() };
  return { ...request, headers: { ...request.headers, ...conditions } };
}

function wrkScript({ method = 'GET', headers = {}, body }) {
  const lines = [`wrk.method = "${method}"`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  if (body !== undefined) {
    const file = join(files, 'body.bin');
    writeFileSync(file, body);
    lines.push(`local f = io.open(${JSON.stringify(file)}, "rb"); wrk.body = f:read("*a"); f:close()`);
  }
  const script = join(tmpdir(), `wrk-${process.pid}.lua`);
  writeFileSync(script, lines.join('\n'));
  return script;
}

async function load(port, request, seconds) {
  const script = wrkScript(request);
  const url = `http://127.0.0.1:${port}${request.path}`;
  const { stdout } = await run('taskset', [
    '-c',
    LOAD_CORE,
    'wrk',
    '-t1',
    `-c${options.connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    url,
  ]);
  const bad = /Non-2xx or 3xx responses: (\d+)/.exec(stdout);
  if (bad) throw new Error(`${bad[1]} failed answers from ${url}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]);
}

async function rate(server) {
  const before = await processorTime(server.child);
  const perSecond = await load(server.port, server.request, options.seconds);
  const used = (await processorTime(server.child)) - before;
  return options.cpu ? (perSecond * options.seconds) / used : perSecond;
}

function processorTime(child) {
  child.send('processor time');
  return new Promise(resolve => child.once('message', resolve));
}

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function measure(name) {
  const { request, check, goal } = scenarios[name];
  const servers = [];
  for (const framework of frameworks) {
    if (takesPart(framework, name)) servers.push(await start(framework, name));
  }
  const rates = new Map(servers.map(({ framework }) => [framework, []]));
  for (const server of servers) {
    server.request = await prepare(server.port, request);
    const answer = await ask(server.port, server.request);
    if (!check(answer)) {
      throw new Error(
        `${server.framework} answers '${name}' wrongly: ${answer.status} ${answer.body.slice(0, 200)}`,
      );
    }
    await load(server.port, server.request, 1);
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const server of servers) {
      rates.get(server.framework).push(await rate(server));
    }
  }
  for (const { child } of servers) child.disconnect();
  const bare = rates.get('bare');
  const result = { scenario: name, goal, rates: {}, ratios: {} };
  for (const [framework, list] of rates) {
    result.rates[framework] = Math.round(median(list));
    result.ratios[framework] = Number(median(list.map((rate, i) => rate / bare[i])).toFixed(3));
  }
  console.log(
    name.padEnd(28),
    Object.entries(result.ratios)
      .map(([f, r]) => `${f} ${r.toFixed(2)}`)
      .join('  '),
  );
  return result;
}

const version = execFileSync(options.node, ['-v']).toString().trim();
console.log(
  `Node ${version}: requests a second, ratio to bare node:http, median of ${options.rounds} rounds`,
);
const results = [];
try {
  for (const name of selected) results.push(await measure(name));
} finally {
  rmSync(files, { recursive: true });
}
if (!options.dry) writeReport(version, figure, results);

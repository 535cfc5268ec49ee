/**
 * Measures the throughput of one process and of two behind nginx, and the processor time that a request costs in all
 * processes involved, in interleaved rounds of Ristretto, Express 4 and Fastify.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { start } from '../../scale/children.mjs';
import { request } from '../../scale/clients.mjs';
import { startNginx } from '../../scale/nginx.mjs';
import { servers } from '../../scale/site.mjs';

/** Ticks per second, as Linux reports them to programs on every machine. */
const TICKS = 100;

/** Returns the fields of /proc/PID/stat after the name, which may contain any character. */
const fieldsOf = pid =>
  fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

/** Returns the seconds that a process and its children have used. @param {number} pid */
function processorTime(pid) {
  const [utime, stime, reapedUser, reapedSystem] = fieldsOf(pid).slice(11, 15).map(Number);
  return (
    (utime + stime + reapedUser + reapedSystem) / TICKS +
    childrenOf(pid).reduce((sum, child) => sum + processorTime(child), 0)
  );
}

const childrenOf = pid =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const FRAMEWORKS = ['ristretto', 'express4', 'fastify'];
const COUNTS = [1, 2];
const CONNECTIONS = 16;
const POSTS = 100;

/** Returns the median of the numbers. @param {number[]} numbers */
export const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** Starts one process; resolves when it listens. */
async function startProcess(framework, { databaseUrl, redisUrl }) {
  const { child } = start(process.execPath, [new URL('server.cjs', import.meta.url).pathname, framework], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((resolve, reject) => {
    child.stdout?.once('data', text => resolve(Number(text)));
    child.once('exit', code => reject(new Error(`${framework} ended with ${code}`)));
  });
  return { child, port: Number(port), pid: child.pid ?? 0 };
}

/** Starts two processes of a framework, nginx in front of one of them, and nginx in front of both. */
async function startFramework(framework, { folder, urls }) {
  const processes = await Promise.all(COUNTS.map(() => startProcess(framework, urls)));
  const fronts = [];
  for (const count of COUNTS) {
    const [port = 0, plainPort = 0] = await servers.freePorts(2);
    const home = path.join(folder, `${framework}-${count}`);
    const upstreams = processes.slice(0, count).map(each => each.port);
    const nginx = await startNginx({ folder: home, port, plainPort, upstreams });
    fronts.push({ count, port, nginx });
  }
  return { framework, processes, fronts };
}

/** Returns the measured requests. Each response is checked once, and must be the same for all frameworks. */
async function routesOf(sides, { folder, sql }) {
  const author = (await sql`select id from users limit 1`)[0]?.id;
  await sql`insert into posts (author, text) select ${author}, 'A post to be read, number ' || n from generate_series(1, ${POSTS}::int) n`;
  const [{ id }] = await sql`select max(id) as id from posts`;
  const bodies = { page: new Set(), json: new Set() };
  for (const { framework, fronts } of sides) {
    const login = await request({ port: fronts[0].port, path: '/login/Ada', method: 'POST' });
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
    const routes = { page: { path: '/', cookie }, json: { path: `/api/posts/${id}`, cookie: '' } };
    for (const front of fronts) {
      front.routes = {};
      for (const [name, route] of Object.entries(routes)) {
        const { status, text } = await request({ ...route, port: front.port });
        if (status !== 200) throw new Error(`${framework}: ${status} for ${route.path}`);
        bodies[name].add(text);
        const script = path.join(folder, `${framework}-${name}.lua`);
        fs.writeFileSync(
          script,
          route.cookie ? `wrk.headers["Cookie"] = ${JSON.stringify(route.cookie)}\n` : '\n',
        );
        front.routes[name] = { url: `https://127.0.0.1:${front.port}${route.path}`, script };
      }
    }
  }
  const [shown] = bodies.page;
  if (bodies.page.size > 1 || bodies.json.size > 1 || !shown.includes('Hello, Ada.'))
    throw new Error('The frameworks sent different responses.');
  return Object.keys(bodies);
}

/** Runs wrk once; returns requests per second, and the microseconds of processor time per request. */
async function run({ processes }, { count, nginx, routes }, name, seconds, { postgres, redis }) {
  const pids = {
    application: processes.slice(0, count).map(({ pid }) => pid),
    PostgreSQL: [postgres.pid ?? 0],
    Redis: [redis.pid ?? 0],
    nginx: [nginx.pid],
  };
  const used = () => Object.values(pids).map(list => list.reduce((sum, pid) => sum + processorTime(pid), 0));
  const { url, script } = routes[name];
  const before = used();
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url];
  const { stdout } = await promisify(execFile)('wrk', args);
  const after = used();
  const bad = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
  if (bad) throw new Error(`${url}: ${bad[0]}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const costs = Object.keys(pids).map((who, index) => [
    who,
    ((after[index] - before[index]) * 1e6) / requests,
  ]);
  return { perSecond, costs: Object.fromEntries(costs) };
}

/**
 * Measures everything; resolves with a row for each route, framework and number of processes.
 * @param {import('../../scale/site.mjs').Services} services
 * @param {{ rounds: number, seconds: number }} options
 */
export async function measureThroughput(services, { rounds, seconds }) {
  const sides = [];
  for (const framework of FRAMEWORKS) sides.push(await startFramework(framework, services));
  const names = await routesOf(sides, services);
  const rows = new Map();
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      for (const side of sides) {
        for (const front of side.fronts) {
          // An additional first round warms up.
          const result = await run(side, front, name, seconds, services);
          const key = `${name} ${side.framework} ${front.count}`;
          if (round < 0)
            rows.set(key, { route: name, framework: side.framework, processes: front.count, runs: [] });
          else rows.get(key).runs.push(result);
        }
      }
    }
  }
  for (const { processes, fronts } of sides) {
    for (const { nginx } of fronts) await nginx.stop();
    for (const { child } of processes) child.kill('SIGKILL');
  }
  return [...rows.values()];
}

/**
 * Restarts two processes behind nginx in turn, repeatedly, while wrk sends GET requests and our own client sends POST
 * requests, which nginx does not retry: none may fail.
 *
 *     node proofs/soak/rolling-restart.mjs [framework] [seconds]
 *
 * nginx runs in the foreground with its own configuration, on free ports.
 */
import { readOptions } from '../../scripts/options.cjs';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { request, sleep } from './client.mjs';
import { makeFolder, start } from './start.mjs';

/** Milliseconds during which a stopping process still accepts requests on the proxy's keep-alive connections. */
const DRAIN = '300';

/** Resolves with ports that were free a moment ago. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await sleep(50);
  const ports = servers.map(server => server.address().port);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
}

/**
 * Returns the configuration: connections to the processes are kept alive, and nginx retries only what it retries by
 * default: GET, never POST.
 */
const configuration = (home, port, upstreams) => `
daemon off; worker_processes 1; master_process off;
pid ${home}/pid; error_log ${home}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${home}/${name};`).join(' ')}
  upstream app { ${upstreams.map(each => `server 127.0.0.1:${each} max_fails=0;`).join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_next_upstream error timeout http_503;
    }
  }
}
`;

async function startNginx(port, upstreams) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-nginx-'));
  fs.writeFileSync(path.join(home, 'nginx.conf'), configuration(home, port, upstreams));
  const child = spawn('nginx', ['-c', path.join(home, 'nginx.conf')], { stdio: 'ignore' });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const ended = new Promise(resolve => child.once('exit', resolve));
  while ((await request(port, '/hello')).status !== 200) await sleep(50);
  return async () => {
    child.kill('SIGTERM');
    await ended;
    fs.rmSync(home, { recursive: true, force: true });
  };
}

/** Restarts the processes in turn until it is stopped; resolves with the number of restarts. */
async function restartInTurn(framework, folder, ports, servers, isOn) {
  let restarts = 0;
  while (isOn()) {
    const at = restarts++ % 2;
    servers[at].child.kill('SIGTERM');
    await servers[at].ended;
    servers[at] = await start(framework, folder, {}, { PORT: String(ports[at]), DRAIN });
    await sleep(300);
  }
  return restarts;
}

/** Sends POST requests, one after another on each of four connections, until it is stopped. */
async function post(port, isOn) {
  const counts = { sent: 0, failed: 0 };
  const work = async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    while (isOn()) {
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await request(port, '/json', { agent, headers, body: '{"a":1}' });
      counts.sent++;
      if (status !== 200) counts.failed++;
      await sleep(1);
    }
    agent.destroy();
  };
  await Promise.all([work(), work(), work(), work()]);
  return counts;
}

/** Runs it for this many seconds. */
async function restarting(framework, folder, seconds) {
  const [port, ...ports] = await freePorts(3);
  const begin = each => start(framework, folder, {}, { PORT: String(each), DRAIN });
  const servers = await Promise.all(ports.map(begin));
  const endNginx = await startNginx(port, ports);
  let on = true;
  const isOn = () => on;
  const restarts = restartInTurn(framework, folder, ports, servers, isOn);
  const posts = post(port, isOn);
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    '-c20',
    `-d${seconds}s`,
    `http://127.0.0.1:${port}/hello`,
  ]);
  on = false;
  const figures = { restarts: await restarts, ...(await posts) };
  await endNginx();
  await Promise.all(servers.map(server => server.end()));
  const number = pattern => Number(pattern.exec(stdout)?.[1] ?? 0);
  const socketErrors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? [];
  return {
    ...figures,
    got: number(/(\d+) requests in/),
    bad:
      number(/Non-2xx or 3xx responses: (\d+)/) + socketErrors.reduce((sum, each) => sum + Number(each), 0),
  };
}

export const rollingRestart = {
  title: 'rolling restart (two processes behind nginx, GET by wrk and POST)',
  goal: '0 failed requests',
  async run(framework, { folder, scale }) {
    const { restarts, sent, failed, got, bad } = await restarting(
      framework,
      folder,
      Math.max(5, Math.round(30 * scale)),
    );
    return {
      figures: `${restarts} restarts: ${bad} of ${got} GET and ${failed} of ${sent} POST failed`,
      reached: bad === 0 && failed === 0 && restarts > 1,
    };
  },
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [framework = 'ristretto', seconds = '20'] = readOptions({}, { words: true }).positionals;
  const folder = makeFolder();
  const { figures, reached } = await rollingRestart.run(framework, { folder, scale: Number(seconds) / 30 });
  fs.rmSync(folder, { recursive: true });
  console.log(`${framework}: ${figures}`);
  process.exitCode = reached ? 0 : 1;
}

// runs: once
/** The files in deploy/: their contents, backups, nginx and systemd, where those are installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { createClient } from 'redis';
import web from 'ristretto';
import { manifests, parseFile, read, root } from './deploy';
import { freePorts, missingProgram, missingServers, program, startServers } from './servers';
import { temporaryFolder } from './showcase';

const config = read('examples/showcase/src/config.ts');

/** Returns the maximum duration of a stop of the board in milliseconds, computed from the terms of its timeout. */
function timeout(stopDelay: number, stopDrain?: number): number {
  const [, sum] = /stopOnSignals\([^]*?timeout: (.*?),\n/.exec(read('examples/showcase/src/index.ts'))!;
  return sum!.split(' + ').reduce((total, term) => {
    if (/^[\d_]+$/.test(term)) return total + Number(term.replaceAll('_', ''));
    const name = /^config\.(\w+)$/.exec(term)![1]!;
    if (name === 'stopDelay') return total + stopDelay;
    if (name === 'stopDrain' && stopDrain !== undefined) return total + stopDrain;
    return total + Number(new RegExp(`${name}: wholeNumber\\('\\w+', (\\d+)\\)`).exec(config)![1]);
  }, 0);
}

const unit = read('deploy/systemd/crema@.service');
const dockerfile = read('deploy/docker/Dockerfile');
const { app } = (parseFile('deploy/docker/compose.yaml') as { services: Record<string, any> }).services; // eslint-disable-line @typescript-eslint/no-explicit-any -- as in the file

const all = manifests();
const configMap = all.find(({ kind }) => kind === 'ConfigMap')!.data!;
const pod = all.find(({ kind }) => kind === 'Deployment')!.spec.template.spec;
const [container] = pod.containers;
const preStop: number = container.lifecycle.preStop.sleep.seconds;

/** Returns the first group of a pattern. */
const find = (text: string, pattern: RegExp) => pattern.exec(text)![1]!;

/**
 * All of deploy/ agrees with examples/showcase: the duration of a stop, the health paths, and the variables it reads.
 */
describe('deploy', () => {
  test('each platform waits longer for a process to end than a stop takes, but not forever', () => {
    const waits = {
      systemd: [
        find(unit, /STOP_DELAY=(\d+)/),
        find(unit, /^TimeoutStopSec=(\d+)$/m),
        find(unit, /STOP_DRAIN=(\d+)/),
      ],
      compose: [app.environment.STOP_DELAY, find(app.stop_grace_period, /^(\d+)s$/)],
      run: [0, find(read('docs/deploy.md'), /--stop-timeout=(\d+)/)],
      kubernetes: [configMap.STOP_DELAY, pod.terminationGracePeriodSeconds - preStop, configMap.STOP_DRAIN],
    };
    for (const [name, [delay, seconds, drain]] of Object.entries(waits)) {
      const rest =
        Number(seconds) * 1000 - timeout(Number(delay), drain === undefined ? drain : Number(drain));
      // Databases are closed after the timeout.
      assert.ok(rest >= 2000 && rest <= 10_000, `${name}: ${rest} ms are left`);
    }
    assert.match(unit, /^KillSignal=SIGTERM$/m);
    assert.doesNotMatch(dockerfile, /STOPSIGNAL/);
  });

  test('nginx: keeps connections for a shorter time than processes drain, and waits longer than their deadlines', () => {
    const nginx = read('deploy/nginx/board.conf');
    const keepalive = Number(find(nginx, /keepalive_timeout (\d+)s;/)) * 1000;
    for (const drain of [find(unit, /STOP_DRAIN=(\d+)/), configMap.STOP_DRAIN])
      assert.ok(keepalive < Number(drain));
    const [, usual, uploads] = /deadline\('(\d+)s'\), web\.deadline\('(\d+)m'\)/.exec(
      read('examples/showcase/src/app.ts'),
    )!;
    const waits = [Number(usual), Number(uploads) * 60].map(seconds => seconds + 5);
    const [all, , posts] = [...nginx.matchAll(/proxy_read_timeout (\d+)s;/g)].map(([, seconds]) =>
      Number(seconds),
    );
    const gateway = read('deploy/kubernetes/gateway.yaml');
    const [, , other] = [...gateway.matchAll(/request: (\d+)s/g)].map(([, seconds]) => Number(seconds));
    assert.ok(all! >= waits[0]! && other! >= waits[0]!);
    assert.ok(posts! >= waits[1]!);
  });

  test('in Kubernetes a pod becomes unready before STOP_DELAY is over', () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    assert.ok(periodSeconds * failureThreshold * 1000 < Number(configMap.STOP_DELAY));
  });

  test('health probes use the paths of the board', () => {
    // Those of web.health, without checks of the stores that all processes share.
    assert.match(read('examples/showcase/src/app.ts'), /\bweb\.health\(\),/);
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      name => container[name].httpGet.path,
    );
    assert.deepEqual(probes, ['/livez', '/livez', '/readyz']);
    assert.match(dockerfile, /^HEALTHCHECK .*\/livez"\]$/m);
    assert.match(unit, /^ExecStartPost=.*\/readyz \d+$/m);
    const wait = Number(find(unit, /^ExecStartPost=.* (\d+)$/m));
    assert.ok(Number(find(unit, /^TimeoutStartSec=(\d+)$/m)) > wait);
  });

  test('every variable that is set is read by the board', () => {
    const known = [
      ...[...config.matchAll(/(?:env\.|wholeNumber\('|url\('|choice\(')([A-Z_]+)/g)].map(([, name]) => name!),
      'NODE_ENV',
      ...read('examples/showcase/src/log.ts').match(/LOG_LEVEL/g)!,
    ];
    const set = [
      ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list]) => list!.match(/[A-Z_]+(?==)/g)!),
      ...[...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, list]) => list!.match(/[A-Z_]+(?==)/g)!),
      ...Object.keys(app.environment as object),
      ...Object.keys(configMap),
    ];
    assert.ok(set.length > 15);
    for (const name of set) assert.ok(known.includes(name), name);
  });

  const promtool = program('promtool');
  describe('prometheus', { skip: promtool === undefined && 'promtool is not installed' }, () => {
    const check = (...args: string[]) => {
      const cwd = path.join(root, 'deploy/prometheus');
      return spawnSync(promtool!, args, { cwd, encoding: 'utf8' });
    };

    test('the configuration and the rules are valid', () => {
      for (const args of [
        ['config', 'prometheus.yml'],
        ['rules', 'alerts.yml'],
      ]) {
        const { status, stdout, stderr } = check('check', ...args);
        assert.equal(status, 0, stdout + stderr);
      }
    });

    test('each alert fires on its own condition, and none on a quiet fleet', () => {
      const series = (name: string, labels: string, values: string) => ({
        series: `${name}{job="board",instance="a"${labels && `,${labels}`}}`,
        values,
      });
      const requests = 'http_server_request_duration_seconds';
      const quiet = [
        series('up', '', '1x60'),
        series(`${requests}_count`, 'http_response_status_code="200"', '0+100x60'),
        series(`${requests}_count`, 'http_response_status_code="500"', '0x60'),
        series(`${requests}_bucket`, 'http_route="/",le="0.5"', '0+100x60'),
        series(`${requests}_bucket`, 'http_route="/",le="+Inf"', '0+100x60'),
        // Streams are open for hours.
        series(`${requests}_bucket`, 'http_route="/events",le="0.5"', '0x60'),
        series(`${requests}_bucket`, 'http_route="/events",le="+Inf"', '0+100x60'),
        series('ristretto_overload_requests_total', 'reason="delay"', '0x60'),
        series('http_server_unhandled_errors_total', '', '0x60'),
        series('nodejs_eventloop_utilization', '', '0.4x60'),
        series('nodejs_heap_used_bytes', '', '50x60'),
        series('nodejs_heap_limit_bytes', '', '100x60'),
        series('process_start_time_seconds', '', '0x60'),
        series('ristretto_stopping', '', '0x60'),
        series(`${requests}_bucket`, 'http_route="/",le="5"', '0+100x60'),
      ];
      const faults: Record<string, [index: number, values: string]> = {
        BoardGone: [0, '0x60'],
        BoardProcessGone: [0, '0x60'],
        BoardErrors: [2, '0+5x60'],
        BoardSlow: [3, '0+90x60'],
        BoardSheds: [7, '0+1x60'],
        BoardUnhandledErrors: [8, '0x25 1x35'],
        BoardBusy: [9, '0.9x60'],
        BoardMemory: [10, '90x60'],
        BoardRestarts: [12, '0 1 2 3 4 5x60'],
        BoardDoesNotStop: [13, '1x60'],
      };
      const alerts = (read('deploy/prometheus/alerts.yml').match(/alert: (\w+)/g) ?? []).map(text =>
        text.slice(7),
      );
      assert.deepEqual(alerts.sort(), Object.keys(faults).sort());
      const file = path.join(temporaryFolder(), 'test.yml');
      const rules = path.join(root, 'deploy/prometheus/alerts.yml');
      const firing = (input: object[]): Set<string> => {
        const at = { eval_time: '30m', exp_alerts: [] };
        const alert_rule_test = alerts.map(alertname => ({ ...at, alertname }));
        const tests = [{ interval: '1m', input_series: input, alert_rule_test }];
        fs.writeFileSync(file, JSON.stringify({ rule_files: [rules], tests }));
        const { stdout, stderr } = check('test', 'rules', file);
        return new Set([...(stdout + stderr).matchAll(/alertname: (\w+),/g)].map(([, name]) => name!));
      };
      assert.deepEqual([...firing(quiet)], []);
      for (const [name, [index, values]] of Object.entries(faults)) {
        const input = quiet.map((each, at) => (at === index ? { ...each, values } : each));
        assert.ok(firing(input).has(name), name);
      }
    });

    test('alerts and the dashboard use metrics that web.metrics has, and the ports of the deployments', async () => {
      const handler = web.metrics();
      const text = await handler.text();
      handler.close();
      const known = [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      );
      const used = ['alerts.yml', 'dashboard.json'].flatMap(name =>
        [
          ...read(`deploy/prometheus/${name}`).matchAll(
            /\b((?:http|nodejs|process|ristretto)_\w+)(?=\\?\{|\)| \/ |\[|, job| >)/g,
          ),
        ].map(([, metric]) => metric!),
      );
      assert.ok(new Set(used).size > 12);
      for (const name of used.filter(each => !/^http_(?:route|response_status_code)$/.test(each)))
        assert.ok(known.includes(name), name);
      const [, port] = container.ports as { containerPort: number }[];
      assert.match(read('deploy/prometheus/prometheus.yml'), new RegExp(`port: ${port!.containerPort} `));
      assert.match(dockerfile, new RegExp(`METRICS_PORT=${port!.containerPort} `));
      assert.match(unit, /METRICS_PORT=1%i$/m);
      assert.match(read('deploy/prometheus/prometheus.yml'), /127\.0\.0\.1:13001/);
    });
  });
});

const noServers =
  missingServers() ??
  ['pg_dump', 'redis-cli', 'sha256sum'].map(missingProgram).find(Boolean) ??
  (process.platform === 'win32' && 'there is no sh');

/** The programs of PostgreSQL are not in PATH on Debian. */
const PATH = [path.dirname(program('postgres') ?? '/'), process.env.PATH].join(path.delimiter);
let servers: Awaited<ReturnType<typeof startServers>>;

/** Runs a script. */
function run(name: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { databaseUrl, redisUrl } = servers;
  return spawnSync(path.join(root, 'deploy/backup', name), args, {
    env: { ...process.env, PATH, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...env },
    encoding: 'utf8',
  });
}

async function sql(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: servers.databaseUrl });
  await client.connect();
  // Several statements have an array of results.
  const results = [await client.query<Record<string, unknown>>(text)].flat();
  await client.end();
  return results.flatMap(({ rows }) => rows.flatMap(row => Object.values(row)));
}

async function redis(...command: string[]): Promise<unknown> {
  const client = createClient({ url: servers.redisUrl });
  await client.connect();
  const reply = await client.sendCommand(command);
  client.destroy();
  return reply;
}

/** deploy/backup, with a real PostgreSQL and a real Redis. Skipped if they are not installed. */
describe('deploy backup', { skip: noServers }, () => {
  const home = path.join(temporaryFolder(), 'backups');

  before(async () => {
    servers = await startServers();
    await sql("create table posts (text text); insert into posts values ('first'), ('second')");
    await redis('set', 'session:1', 'Ada');
  });
  after(() => Promise.all([servers.postgres.stop(), servers.redis.stop('SIGTERM')]));

  test('a restore brings back everything written before the backup, and nothing written later', async () => {
    const { status, stdout, stderr } = run('backup.sh', [home]);
    assert.equal(status, 0, stderr);
    const backup = stdout.trim();
    assert.deepEqual(fs.readdirSync(home), [path.basename(backup)]);
    assert.equal(fs.statSync(path.join(backup, 'postgres.dump')).mode & 0o077, 0);

    await sql("delete from posts; insert into posts values ('later'); create index on posts (text)");
    await redis('set', 'session:1', 'Mallory');
    const { dir: directory } = (await redis('config', 'get', 'dir')) as { dir: string };
    await servers.redis.stop('SIGTERM');
    const restored = run('restore.sh', [backup, directory]);
    assert.equal(restored.status, 0, restored.stderr);
    await servers.redis.start();
    assert.deepEqual(await sql('select text from posts order by text'), ['first', 'second']);
    assert.equal(await redis('get', 'session:1'), 'Ada');
    // Not only until the next restart.
    await servers.redis.stop('SIGTERM');
    await servers.redis.start();
    assert.equal(await redis('get', 'session:1'), 'Ada');
    assert.deepEqual(
      fs.readdirSync(directory).filter(name => name.startsWith('.')),
      [],
    );
  });

  test('a backup that breaks off leaves no folder, and a damaged one changes nothing', async () => {
    const backups = fs.readdirSync(home);
    const unreachable = run('backup.sh', [home], { REDIS_URL: 'redis://127.0.0.1:1' });
    assert.notEqual(unreachable.status, 0);
    assert.deepEqual(fs.readdirSync(home), backups);

    const backup = path.join(home, backups[0]!);
    fs.truncateSync(path.join(backup, 'postgres.dump'), 1000);
    await sql("insert into posts values ('third')");
    assert.notEqual(run('restore.sh', [backup]).status, 0);
    assert.deepEqual(await sql('select count(*)::int from posts'), [3]);
  });
});

interface Nginx {
  stop(): Promise<void>;
}

const BURST = 200;
const CONNECTIONS = 100;

/** More than either limit; nginx allows 128 streams of a connection at once. */
const MANY = 300;
const STREAMS = 120;
const waiting: http.ServerResponse[] = [];
let received = 0;

const upstream = http.createServer((req, res) => {
  received++;
  if (req.url === '/slow') waiting.push(res);
  else res.end('ok');
});

let nginx: Nginx;
let session: http2.ClientHttp2Session;

/** Sends a request over the one connection; resolves with the status. */
const ask = (target: string, method = 'GET') =>
  new Promise<number>((resolve, reject) => {
    const stream = session.request({ ':path': target, ':method': method }, { endStream: true });
    stream.on('response', headers => resolve(Number(headers[':status'])));
    stream.on('error', reject);
    stream.resume();
  });

/** Sends requests at once, and counts the responses by status. */
async function count(target: string, requests: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of await Promise.all(Array.from({ length: requests }, () => ask(target))))
    counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** deploy/nginx/board.conf in a real nginx, in front of a server that counts what reaches it. Skipped without nginx. */
describe('deploy nginx', { skip: missingProgram('nginx') }, () => {
  before(async () => {
    const { startNginx } = (await import('../../proofs/scale/nginx.mjs' as string)) as {
      startNginx(options: object): Promise<Nginx>;
    };
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const [port, plainPort, stopped] = await freePorts(3);
    const upstreams = [(upstream.address() as AddressInfo).port, stopped];
    // Checks the file with `nginx -t` first.
    nginx = await startNginx({ folder: temporaryFolder(), port, plainPort, upstreams, keepsLimits: true });
    session = http2.connect(`https://localhost:${port}`, {
      ca: fs.readFileSync(path.join(root, 'examples/https/localhost-cert.pem')),
    });
    await once(session, 'connect');
  });

  after(async () => {
    session?.close();
    await nginx?.stop();
    upstream.close();
  });

  test('limit_conn: more requests of an address at the same time get 429 without reaching a process', async () => {
    const asked = count('/slow', STREAMS);
    // All others have their response when this one does, because nginx handles the frames of a connection in order.
    while (waiting.length < CONNECTIONS) await once(upstream, 'request');
    assert.equal(await ask('/'), 429);
    for (const res of waiting) res.end();
    assert.deepEqual(await asked, { 200: CONNECTIONS, 429: STREAMS - CONNECTIONS });
  });

  test('failover: a member that is stopped is skipped at once, for GET and POST', async () => {
    for (let i = 0; i < 10; i++) {
      for (const method of ['GET', 'POST']) {
        const began = performance.now();
        assert.equal(await ask('/', method), 200);
        assert.ok(performance.now() - began < 1000);
      }
    }
  });

  test('limit_req: requests beyond the burst get a 429 without reaching a process', async () => {
    received = 0;
    const began = performance.now();
    const { 200: served = 0, 429: limited = 0, ...others } = await count('/', MANY);
    assert.deepEqual(others, {});
    assert.equal(served + limited, MANY);
    assert.equal(received, served);
    const allowed = BURST + 1 + ((performance.now() - began) / 1000) * 50;
    assert.ok(limited > 0 && served <= allowed, `${served} of ${MANY} were served`);
  });
});

/** Null if the program does not exist. */
const { stdout: version } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });

/** Version 250 added offline checks of files. */
const noSystemd =
  !(Number(/^systemd (\d+)/.exec(version ?? '')?.[1]) >= 250) && 'systemd-analyze 250 is not installed';

/** deploy/systemd, checked with systemd's own tools. Skipped if they are not installed. */
describe('deploy systemd', { skip: noSystemd }, () => {
  const home = path.join(__dirname, '../../deploy/systemd');

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'units-'));
  after(() => fs.rmSync(folder, { recursive: true }));

  /**
   * Runs the tool on the units of the process on port 3001, with the path of the current Node.js, because the tool
   * checks that it exists; returns the output.
   */
  function analyze(command: string[], edit = (unit: string) => unit) {
    for (const name of fs.readdirSync(home)) {
      const unit = fs
        .readFileSync(path.join(home, name), 'utf8')
        .replaceAll('/usr/bin/node', process.execPath);
      fs.writeFileSync(path.join(folder, name.replace('@', '@3001')), edit(unit));
    }
    return spawnSync('systemd-analyze', [...command, path.join(folder, 'crema@3001.service')], {
      encoding: 'utf8',
    });
  }

  test('the units are valid, and a mistake in them is found', () => {
    const { status, stderr } = analyze(['verify', '--man=no']);
    assert.deepEqual([status, stderr], [0, '']);
    const wrong = analyze(['verify', '--man=no'], unit =>
      unit.replace('ProtectHome=', 'ProtectHom=').replace('KillMode=mixed', 'KillMode=mixd'),
    );
    assert.match(wrong.stderr, /Unknown key 'ProtectHom' in section \[Service\]/);
    assert.match(wrong.stderr, /Failed to parse kill mode specification, ignoring: mixd/);
  });

  test('the exposure level of the service is at most 1.5 of 10', () => {
    const limit = ['security', '--offline=true', '--no-pager', '--threshold=15'];
    const { status, stdout, stderr } = analyze(limit);
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /Overall exposure level for crema@3001.service: 1\.\d OK/);
    const open = analyze(limit, unit => unit.replace(/^(Restrict|SystemCall|Capability).*\n/gm, ''));
    assert.notEqual(open.status, 0);
  });
});

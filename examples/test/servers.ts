/** Runs PostgreSQL and Redis on this machine, on free loopback ports, with their data in temporary folders. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { until } from '../../packages/engine/test/support/until';
import { temporaryFolder } from './showcase';

/** Returns the path of a program in PATH, or in Debian's PostgreSQL folders, which are not in PATH. */
export function program(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    '/usr/sbin',
    ...versions.map(v => `${debian}/${v}/bin`),
  ];
  return folders.map(folder => path.join(folder, name)).find(file => fs.existsSync(file));
}

/** Returns the user to run PostgreSQL as: undefined for the current user, null if there is none. */
function unprivileged(): { uid: number; gid: number } | undefined | null {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** Returns ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(held.map(server => once(server, 'listening')));
  const ports = held.map(server => (server.address() as AddressInfo).port);
  await Promise.all(held.map(server => once(server.close(), 'close')));
  return ports;
}

const accepts = (port: number) => async () => {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  return true;
};

/** PostgreSQL accepts connections before it accepts queries. */
const acceptsQueries = (connectionString: string) => async () => {
  const client = new Client({ connectionString });
  await client.connect();
  await client.end();
  return true;
};

export type Service = ReturnType<typeof service>;

/** Returns a service that can be restarted on its port, with its data. */
function service(
  isReady: () => Promise<boolean>,
  file: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number },
) {
  let child: ChildProcess | undefined;
  /** Returns the process ids of the service: PostgreSQL has a process for each connection. */
  const family = () => {
    const parent = String(child!.pid);
    const { stdout } = spawnSync('pgrep', ['-P', parent], { encoding: 'utf8' });
    return [parent, ...stdout.split('\n').filter(Boolean)].map(Number);
  };
  process.on('exit', () => child?.kill('SIGQUIT'));
  return {
    async start() {
      child = spawn(file, args, { ...options, stdio: 'ignore' });
      const failed = once(child, 'exit').then(([code]) => assert.fail(`${file} ended with ${code}`));
      await Promise.race([until(isReady), failed]);
    },
    /** Redis shuts down cleanly on SIGTERM; PostgreSQL on SIGQUIT stops immediately, without waiting for clients. */
    async stop(signal: NodeJS.Signals = 'SIGQUIT') {
      const ended = child && once(child, 'exit');
      child?.kill(signal);
      await ended;
      child = undefined;
    },
    /** Freezes the service: its connections stay open, the system accepts new ones, and nothing replies. */
    stall() {
      for (const pid of family()) process.kill(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of family()) process.kill(pid, 'SIGCONT');
    },
    get pid() {
      return child?.pid;
    },
  };
}

const user = unprivileged();

/** Returns a message such as "nginx is not installed"; undefined if it is. */
export function missingProgram(name: string): string | undefined {
  return program(name) === undefined ? `${name} is not installed` : undefined;
}

/**
 * Returns why PostgreSQL cannot be started here; undefined if it can. For root, it runs as its own user, since it refuses to run
 * as root.
 */
export function missingPostgres(): string | undefined {
  const missing = ['initdb', 'postgres', 'psql'].map(missingProgram).find(Boolean);
  if (missing) return missing;
  return user === null ? 'there is no user postgres' : undefined;
}

/** Returns why the servers cannot be started here; undefined if they can. */
export function missingServers(): string | undefined {
  return missingProgram('redis-server') ?? missingPostgres();
}

/** Starts PostgreSQL, empty. Commits are not forced to the disk: here only processes fail, not machines. */
export async function startPostgres() {
  const data = temporaryFolder();
  if (user) fs.chownSync(data, user.uid, user.gid);
  const options = { cwd: data, ...user };
  execFileSync(program('initdb')!, ['-D', data, '-U', 'board', '-A', 'trust', '-N', '--no-instructions'], {
    ...options,
    stdio: 'pipe',
  });
  const [port = 0] = await freePorts(1);
  const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-F'];
  const databaseUrl = `postgres://board@127.0.0.1:${port}/postgres`;
  const postgres = service(acceptsQueries(databaseUrl), program('postgres')!, flags, options);
  await postgres.start();
  return { postgres, databaseUrl };
}

/** Starts both, empty. */
export async function startServers() {
  const [redisPort = 0] = await freePorts(1);
  const kept = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
  const redis = service(
    accepts(redisPort),
    program('redis-server')!,
    ['--port', String(redisPort), '--bind', '127.0.0.1', ...kept],
    { cwd: temporaryFolder() },
  );
  const [started] = await Promise.all([startPostgres(), redis.start()]);
  return {
    ...started,
    redis,
    redisUrl: `redis://127.0.0.1:${redisPort}`,
  };
}

/** PostgreSQL and Redis as programs of this machine, on free ports of loopback, with their data in temporary folders. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './showcase';

/** A program of the PATH, or of Debian's PostgreSQL, which does not put its programs there. */
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

/** The user to run PostgreSQL as: undefined for ourselves, null if there is none. */
function unprivileged(): { uid: number; gid: number } | undefined | null {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(held.map(server => once(server, 'listening')));
  const ports = held.map(server => (server.address() as AddressInfo).port);
  await Promise.all(held.map(server => once(server.close(), 'close')));
  return ports;
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo().catch(() => false)) return;
    await sleep(50);
  }
  assert.fail('it did not come to be in 10 seconds');
}

const accepts = (port: number) => async () => {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  return true;
};

export type Service = ReturnType<typeof service>;

/** A service that can be started again on its port, with its data. */
function service(
  port: number,
  file: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number },
) {
  let child: ChildProcess | undefined;
  process.on('exit', () => child?.kill('SIGQUIT'));
  return {
    async start() {
      child = spawn(file, args, { ...options, stdio: 'ignore' });
      await until(accepts(port));
    },
    /** Redis ends by SIGTERM as it should; PostgreSQL by SIGQUIT: immediately, without waiting for clients. */
    async stop(signal: NodeJS.Signals = 'SIGQUIT') {
      const ended = child && once(child, 'exit');
      child?.kill(signal);
      await ended;
      child = undefined;
    },
    get pid() {
      return child?.pid;
    },
  };
}

const user = unprivileged();

/** "nginx is not installed", say; undefined if it is. */
export function missingProgram(name: string): string | undefined {
  return program(name) === undefined ? `${name} is not installed` : undefined;
}

/** Why they can't be started here; undefined if they can. As root, PostgreSQL is run as its own user, since it refuses root. */
export function missingServers(): string | undefined {
  const missing = ['initdb', 'postgres', 'redis-server'].map(missingProgram).find(Boolean);
  if (missing) return missing;
  return user === null ? 'there is no user postgres' : undefined;
}

/** Starts both, empty. What is committed is not forced to the disk: machines don't fail here, processes do. */
export async function startServers() {
  const data = temporaryFolder();
  if (user) fs.chownSync(data, user.uid, user.gid);
  const options = { cwd: data, ...user };
  execFileSync(program('initdb')!, ['-D', data, '-U', 'board', '-A', 'trust', '-N', '--no-instructions'], {
    ...options,
    stdio: 'pipe',
  });
  const [pgPort = 0, redisPort = 0] = await freePorts(2);
  const flags = ['-D', data, '-p', String(pgPort), '-h', '127.0.0.1', '-k', data, '-F'];
  const postgres = service(pgPort, program('postgres')!, flags, options);
  const kept = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
  const redis = service(
    redisPort,
    program('redis-server')!,
    ['--port', String(redisPort), '--bind', '127.0.0.1', ...kept],
    { cwd: temporaryFolder() },
  );
  await Promise.all([postgres.start(), redis.start()]);
  return {
    postgres,
    redis,
    databaseUrl: `postgres://board@127.0.0.1:${pgPort}/postgres`,
    redisUrl: `redis://127.0.0.1:${redisPort}`,
  };
}

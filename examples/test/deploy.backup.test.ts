// runs: once
/** deploy/backup, with a real PostgreSQL and a real Redis. Skipped if they are not installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { createClient } from 'redis';
import { root } from './deploy';
import { missingProgram, missingServers, program, startServers } from './servers';
import { temporaryFolder } from './showcase';

const skip =
  missingServers() ??
  ['pg_dump', 'redis-cli', 'sha256sum'].map(missingProgram).find(Boolean) ??
  (process.platform === 'win32' && 'there is no sh');
/** The programs of PostgreSQL are not in PATH on Debian. */
const PATH = [path.dirname(program('postgres') ?? '/'), process.env.PATH].join(path.delimiter);

let servers: Awaited<ReturnType<typeof startServers>>;
const home = path.join(temporaryFolder(), 'backups');

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

describe('deploy backup', { skip }, () => {
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

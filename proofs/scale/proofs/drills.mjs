/** Drills, with times: a release is rolled back under load, and everything is restored from a backup. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { request } from '../clients.mjs';
import { compare } from '../compare.mjs';
import { listed, startLoad } from '../load.mjs';
import { servers } from '../site.mjs';
import { root } from '../../../scripts/test-files.mjs';

const POSTS = 100_000;

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

/** Returns the milliseconds that some work takes. */
async function timed(/** @type {() => unknown} */ work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** @type {import('../proofs.mjs').Proof} */
export const rolledBack = {
  name: 'rollback',
  title: 'a rollback under load, to processes that are older than the tables, loses nothing',
  faults: [{ name: 'hasty', says: 'the new release renames a column that the old one reads' }],
  async run({ services, site, cookies, credentials, fault }) {
    const { sql } = services;
    const restartAll = async () => {
      for (const board of site.boards) {
        await board.stop();
        await board.start();
      }
    };
    const from = await services.lastEvent();
    const load = startLoad({
      port: site.port,
      cookies,
      login: credentials,
      kinds: ['read', 'page', 'change', 'post'],
    });
    // What the job of a new release does: the processes of the old one don't know its file.
    await sql`insert into migrations (name) values ('999-drill.sql')`;
    if (fault) await sql`alter table posts rename column text to body`;
    else await sql`alter table posts add column drill text`;
    try {
      const deployed = await timed(restartAll);
      const back = await timed(restartAll);
      const { requests, counts, failures, posts } = await load.end();
      const found = await compare(services, from, await services.lastEvent(), posts, []);
      return {
        figures: `deployed in ${seconds(deployed)}, rolled back in ${seconds(back)}: ${failures.length} of ${requests} requests failed${failures.length > 0 ? ` (${listed(failures)})` : ''}; of ${counts.post} posts ${found.lost} lost, ${found.doubled} doubled`,
        reached: failures.length + found.lost + found.doubled === 0 && found.events > 0,
      };
    } finally {
      await load.end();
      await sql`delete from migrations where name = '999-drill.sql'`;
      if (fault) await sql`alter table posts rename column body to text`;
      else await sql`alter table posts drop column drill`;
    }
  },
};

/** Runs a script of deploy/backup; returns its output. */
function run(
  /** @type {string} */ script,
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  const PATH = [path.dirname(String(servers.program('postgres'))), process.env.PATH].join(path.delimiter);
  const { status, stdout, stderr } = spawnSync(path.join(root, 'deploy/backup', script), args, {
    env: { ...process.env, PATH, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
  return stdout.trim();
}

/** @type {import('../proofs.mjs').Proof} */
export const restored = {
  name: 'restore',
  title: 'after the loss of PostgreSQL and Redis, a backup brings back what was there when it was made',
  faults: [{ name: 'partial', says: 'the backup is without Redis' }],
  async run({ services, site, cookies, fault }) {
    const { sql, urls, redis, names } = services;
    const { boards, port } = site;
    const [cookie] = cookies;
    const env = { DATABASE_URL: urls.databaseUrl, REDIS_URL: fault ? '' : urls.redisUrl };
    const post = (/** @type {string} */ text) =>
      request({ port, path: '/api/posts', cookie, json: { text } });
    // Without an event for each.
    await services.migration(async ({ sql, script }) => {
      await script('alter table posts disable trigger user');
      await sql`insert into posts (author, text) select id, 'An old post, number ' || n from users,
        generate_series(1, ${POSTS}::int) n where name = ${names[0]}`;
      await script('alter table posts enable trigger user');
    });
    await post('before the backup');
    let backup = '';
    const saved = await timed(
      () => (backup = run('backup.sh', [path.join(services.folder, 'backups')], env)),
    );
    await post('after the backup');
    const directory = await services.redisDirectory();

    const began = performance.now();
    await Promise.all(boards.map(board => board.stop('SIGKILL')));
    await services.migration(({ script }) => script('drop schema public cascade; create schema public'));
    await services.forgetRedis();
    await redis.stop('SIGTERM');
    const read = await timed(() => run('restore.sh', [backup, ...(fault ? [] : [directory])], env));
    await redis.start();
    const started = await timed(() => Promise.all(boards.map(board => board.start())));
    const { status } = await request({ port, path: '/', cookie });
    const away = performance.now() - began;

    const session = await request({ port, path: '/api/session', cookie });
    const [found] =
      await sql`select count(*)::int as posts, count(*) filter (where text = 'before the backup')::int as before,
      count(*) filter (where text = 'after the backup')::int as after from posts where author = (select id from users where name = ${names[0]})`;
    const isSame = found.posts > POSTS && found.before === 1 && found.after === 0;
    return {
      figures: `${POSTS} posts saved in ${seconds(saved)}, restored in ${seconds(read)}; ${boards.length} processes started in ${seconds(started)}; away for ${seconds(away)} in all; the session is ${session.status === 200 ? 'there' : 'lost'}`,
      reached: status === 200 && isSame && session.status === 200,
    };
  },
};

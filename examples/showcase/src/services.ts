/** Services shared by the parts of the application: opened once at startup, and closed at the end. */
import { randomBytes } from 'node:crypto';
import web from 'ristretto';
import type { Config } from './config.js';
import type { Database } from './data/database.js';
import { migrate, waitForMigrations } from './data/migrate.js';
import { makePosts, type Posts } from './data/posts.js';
import { ADMINISTRATOR, makeUsers, type Users } from './data/users.js';
import { Feed } from './feed.js';
import { type Fleet, openShared } from './fleet/member.js';
import { traced } from './operations.js';
import { connectRedis, type Redis } from './redis.js';

export interface Services {
  db: Database;
  redis?: Redis;
  users: Users;
  posts: Posts;
  feed: Feed;
  /** The other processes, if `npm start` has started several. */
  fleet?: Fleet;
  sessionSecret: string;
  metrics: web.MetricsHandler;
  close(): Promise<void>;
}

/** The engines are loaded on demand: each takes a moment, and only one is needed. */
export async function openDatabase(
  { databaseUrl, databaseConnections, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Config>,
  fleet?: Fleet,
): Promise<Database> {
  if (databaseUrl) return (await import('./data/server.js')).openServer(databaseUrl, databaseConnections);
  if (fleet) return openShared(fleet);
  return (await import('./data/embedded.js')).openEmbedded(dataDir);
}

export async function makeServices(
  config: Pick<Config, 'redisUrl'> & Partial<Config>,
  opened: Database,
  fleet?: Fleet,
): Promise<Services> {
  const db = traced(opened);
  // In the fleet, the primary process has updated the tables.
  if (!fleet) await (config.waitsForMigrations ? waitForMigrations(db) : migrate(db));
  const redis = config.redisUrl ? await connectRedis(config.redisUrl) : undefined;
  const posts = makePosts(db);
  const feed = new Feed(posts, redis, fleet);
  await feed.start();
  const sessionSecret = await secret(db, 'session');
  // Its port opens last, because it also reports whether the process is ready.
  const metrics = web.metrics({ listen: config.metrics });
  return {
    db,
    redis,
    users: makeUsers(db),
    posts,
    feed,
    fleet,
    sessionSecret,
    metrics,
    async close() {
      metrics.close();
      await feed.stop();
      redis?.destroy();
      await db.close();
    },
  };
}

/** Returns a secret, which is generated on the first start. Processes with the same database share it. */
async function secret({ sql }: Database, name: string): Promise<string> {
  const made = randomBytes(32).toString('base64url');
  await sql`insert into settings (name, value) values (${name}, ${made}) on conflict do nothing`;
  const [stored] = await sql<{ value: string }>`select value from settings where name = ${name}`;
  return stored!.value;
}

/** Sets or generates the administrator's password; returns a message about it. */
export async function prepareAdministrator(users: Users, given?: string, isPrinted = true): Promise<string> {
  if (given) {
    await users.setAdministrator(given);
    return 'the one in ADMIN_PASSWORD';
  }
  if (await users.hasAdministrator()) return 'as shown at the first start; ADMIN_PASSWORD sets another';
  if (!isPrinted) return 'none yet; ADMIN_PASSWORD sets one, and is not printed';
  const made = randomBytes(12).toString('base64url');
  return (await users.add(ADMINISTRATOR, made, 'admin'))
    ? made
    : 'as shown by the process that started first';
}

/** Prints where the board is. */
export function greet({ port, password, place }: { port: number; password: string; place: string }) {
  console.log(`
  The board is at     http://localhost:${port}
  Administrator       admin, at http://localhost:${port}/login
  Password            ${password}
  The data is in      ${place}
`);
}

/** Prints why the start failed. */
export function reportFailure(reason: unknown) {
  const error = reason as NodeJS.ErrnoException & { port?: number };
  const message =
    error.code === 'EADDRINUSE'
      ? `Port ${error.port} is in use by another program. Choose another one: PORT=3001 npm start`
      : error.message || String(error);
  console.error(message);
  process.exitCode = 1;
}

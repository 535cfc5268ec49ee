/** Services shared by the parts of the application: opened once at startup, and closed at the end. */
import { randomBytes } from 'node:crypto';
import type { Config } from './config.js';
import type { Database } from './data/database.js';
import { migrate, waitForMigrations } from './data/migrate.js';
import { makePosts, type Posts } from './data/posts.js';
import { ADMINISTRATOR, makeUsers, type Users } from './data/users.js';
import { Feed } from './feed.js';
import { connectRedis, type Redis } from './redis.js';

export interface Services {
  db: Database;
  redis?: Redis;
  users: Users;
  posts: Posts;
  feed: Feed;
  sessionSecret: string;
  close(): Promise<void>;
}

/** The engines are loaded on demand: each takes a moment, and only one is needed. */
export async function openDatabase({
  databaseUrl,
  databaseConnections,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Config>): Promise<Database> {
  if (databaseUrl) return (await import('./data/server.js')).openServer(databaseUrl, databaseConnections);
  return (await import('./data/embedded.js')).openEmbedded(dataDir);
}

export async function makeServices(
  config: Pick<Config, 'redisUrl'> & Partial<Config>,
  db: Database,
): Promise<Services> {
  await (config.waitsForMigrations ? waitForMigrations(db) : migrate(db));
  const redis = config.redisUrl ? await connectRedis(config.redisUrl) : undefined;
  const posts = makePosts(db);
  const feed = new Feed(posts, redis);
  await feed.start();
  return {
    db,
    redis,
    users: makeUsers(db),
    posts,
    feed,
    sessionSecret: await secret(db, 'session'),
    async close() {
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
export async function prepareAdministrator(users: Users, given?: string): Promise<string> {
  if (given) {
    await users.setAdministrator(given);
    return 'the one in ADMIN_PASSWORD';
  }
  if (await users.hasAdministrator()) return 'as shown at the first start; ADMIN_PASSWORD sets another';
  const made = randomBytes(12).toString('base64url');
  return (await users.add(ADMINISTRATOR, made, 'admin'))
    ? made
    : 'as shown by the process that started first';
}

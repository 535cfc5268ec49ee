/** The connection to Redis, through which processes share sessions and rate limits and notify each other. */
import { log } from './log.js';

export type Redis = Awaited<ReturnType<typeof connectRedis>>;

export async function connectRedis(url: string) {
  const { createClient } = await import('redis');
  // While Redis is unavailable, commands fail at once and clients get a 503, instead of all requests waiting for it.
  const client = createClient({ url, disableOfflineQueue: true });
  client.on('error', (error: Error) => log.warn({ err: error }, 'Redis connection failed'));
  await client.connect();
  return client;
}

/** The connection to Redis, through which processes share sessions and rate limits and notify each other. */
import { log } from './log.js';

export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** The parts of the client that the stores of sessions and limits use, and this application. */
const COMMANDS = ['get', 'set', 'expire', 'del', 'ping', 'publish', 'sendCommand'] as const;
/** Milliseconds within which Redis must reply; otherwise it counts as unavailable. */
const PATIENCE = 2000;

export async function connectRedis(url: string) {
  const { createClient } = await import('redis');
  const client = createClient({
    url,
    // While Redis is unavailable, commands fail at once and clients get a 503, instead of all requests waiting for it.
    disableOfflineQueue: true,
    // A dead network closes no connection, so a connection that stays silent between two pings is replaced.
    pingInterval: PATIENCE,
    socket: {
      connectTimeout: PATIENCE,
      socketTimeout: 2 * PATIENCE,
      reconnectStrategy: tries => Math.min(50 * 2 ** tries, 2000),
    },
  });
  // Logs each outage once, not each attempt.
  let isAway = false;
  client.on('ready', () => (isAway = false));
  client.on('error', (error: Error) => {
    if (!isAway) log.warn({ err: error }, 'Redis connection failed; trying again');
    isAway = true;
  });
  await client.connect();

  // The client only limits the time until a command is written. A server that has stopped, or a dead network, accepts
  // commands and never replies. Once one command has timed out, the others fail at once, until there is a reply
  // again.
  let isSilent = false;
  const inTime = <T>(send: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const fail = () => reject(Object.assign(new Error('Redis does not reply'), { code: 'ETIMEDOUT' }));
      if (isSilent) return fail();
      const timer = setTimeout(() => {
        isSilent = true;
        fail();
      }, PATIENCE);
      // Commands that were sent fail when the connection is replaced.
      const settled = () => {
        clearTimeout(timer);
        isSilent = false;
      };
      send().finally(settled).then(resolve, reject);
    });
  const limit = (name: (typeof COMMANDS)[number]) => {
    const command = client[name].bind(client) as (...args: unknown[]) => Promise<unknown>;
    return (...args: unknown[]) => inTime(() => command(...args));
  };
  const limited: unknown = Object.assign(
    Object.create(client),
    Object.fromEntries(COMMANDS.map(name => [name, limit(name)])),
  );
  return limited as typeof client;
}

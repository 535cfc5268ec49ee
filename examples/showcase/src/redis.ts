/** The connection to Redis, through which processes share sessions and rate limits and notify each other. */
import { log } from './log.js';

export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Milliseconds in which Redis replies, or else counts as unavailable. */
const PATIENCE = 2000;

export async function connectRedis(url: string) {
  const { createClient } = await import('redis');
  const client = createClient({
    url,
    // While Redis is unavailable, commands fail at once and clients get a 503, instead of all requests waiting for it.
    disableOfflineQueue: true,
    // A network that is gone closes no connection: one that stays silent between two pings is replaced.
    pingInterval: PATIENCE,
    socket: {
      connectTimeout: PATIENCE,
      socketTimeout: 2 * PATIENCE,
      reconnectStrategy: tries => Math.min(50 * 2 ** tries, 2000),
    },
  });
  client.on('error', (error: Error) => log.warn({ err: error }, 'Redis connection failed'));
  await client.connect();

  // The client limits only the time until a command is written. A server that has stopped, or a dead network, takes
  // commands and never replies; once one has waited in vain, the others fail at once, until there is a reply again.
  const send = client.sendCommand.bind(client);
  let isSilent = false;
  const sendInTime = (...command: Parameters<typeof send>) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(Object.assign(new Error('Redis does not reply'), { code: 'ETIMEDOUT' }));
      if (isSilent) return fail();
      const timer = setTimeout(() => {
        isSilent = true;
        fail();
      }, PATIENCE);
      // Those that were sent fail when the connection is replaced.
      const settled = () => {
        clearTimeout(timer);
        isSilent = false;
      };
      send(...command)
        .finally(settled)
        .then(resolve, reject);
    });
  client.sendCommand = sendInTime as typeof client.sendCommand;
  return client;
}

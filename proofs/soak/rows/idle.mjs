/** Thousands of idle keep-alive connections: the memory that each one costs. */
import net from 'node:net';
import { sleep, startProbe } from '../client.mjs';
import { start } from '../start.mjs';

/** Connects, sends one request, and keeps the connection open. */
function keep(port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    socket.once('data', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Heap bytes per connection, by framework, in this run. */
const cost = new Map();

export const idleSockets = {
  title: 'idle sockets (10,000 kept alive)',
  goal: 'at most 1 KiB more heap each than bare `http`',
  // The other frameworks are compared with this one.
  first: 'bare http',
  async run(framework, { folder, scale }) {
    const times = Math.max(200, Math.round(10_000 * scale));
    const server = await start(framework, folder, { keepAliveTimeout: 600_000 });
    for (let i = 0; i < 200; i++) (await keep(server.port)).destroy();
    await sleep(500);
    const before = await server.collect();
    const sockets = [];
    while (sockets.length < times) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => keep(server.port)))));
    }
    await sleep(500);
    const after = await server.collect();
    const probe = startProbe(server.port);
    await sleep(1000);
    const { p99 } = await probe.end();
    for (const socket of sockets) socket.destroy();
    await server.end();
    const each = (after.heapUsed - before.heapUsed) / sockets.length;
    const rss = (after.rss - before.rss) / sockets.length;
    cost.set(framework, each);
    const more = each - (cost.get('bare http') ?? NaN);
    return {
      figures: `${(each / 1024).toFixed(2)} KiB of heap and ${(rss / 1024).toFixed(1)} KiB of RSS each, ${(more / 1024).toFixed(2)} KiB of heap more than bare; probe p99 ${p99.toFixed(0)} ms`,
      reached: more <= 1024,
    };
  },
};

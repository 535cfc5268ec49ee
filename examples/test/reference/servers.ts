/**
 * Tracks the servers that examples start: they listen on any free port, whatever port they name, and are closed after
 * the example.
 */
import net from 'node:net';

const open = new Set<net.Server>();
const { listen } = net.Server.prototype;

// An example may call `app.listen(3000)`, and several run at once.
net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
  open.add(this);
  const callback = args.find(arg => typeof arg === 'function') as (() => void) | undefined;
  return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
} as typeof listen;

export const listening = {
  /** Closes every server that was started, with its connections. */
  async closeAll(): Promise<void> {
    const servers = [...open];
    open.clear();
    await Promise.all(
      servers.map(server => {
        (server as { closeAllConnections?: () => void }).closeAllConnections?.();
        return new Promise(resolve => server.close(resolve));
      }),
    );
  },
};

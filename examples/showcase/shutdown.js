// @ts-check
/** Stops a server without losing a request. */

/**
 * On one of the signals: takes no new connections, lets requests under way finish, and exits; at the latest after the
 * deadline.
 * @param {import('node:http').Server} server
 * @param {NodeJS.Signals[]} signals
 * @param {number} [deadline] milliseconds
 */
export function stopGracefully(server, signals, deadline = 10_000) {
  for (const signal of signals) {
    process.once(signal, () => {
      console.log(`${signal}: finishing what is under way`);
      server.close(() => console.log('Bye'));
      server.closeIdleConnections();
      // Does not keep the process alive by itself.
      setTimeout(() => server.closeAllConnections(), deadline).unref();
    });
  }
}

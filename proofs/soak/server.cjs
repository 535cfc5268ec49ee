/**
 * Runs one server in this process: `server.cjs <framework> <folder> <options of createServer>`, with `isHttp2` on
 * `node:http2`. Sends its port, and replies to the messages of `start.mjs`: figures of the process, with or without a
 * prior garbage collection. SIGTERM stops it.
 */
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const http2 = require('node:http2');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { builders } = require('./app.cjs');

const [, , framework, folder, options] = process.argv;
const told = { cut: 0, saved: 0, uncaught: 0 };
const app = builders[framework]({ folder, told });
const { isHttp2 = false, ...given } = JSON.parse(options ?? '{}');
const server = (isHttp2 ? http2 : http).createServer(given, app);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

const commands = {
  figures() {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    return {
      ...{ rss, heapUsed, external, arrayBuffers, told },
      descriptors: fs.readdirSync('/proc/self/fd').length,
      temporary: fs.readdirSync(folder).filter(name => name.startsWith('upload-')).length,
      peak: process.resourceUsage().maxRSS * 1024,
      delay: delay.percentile(99) / 1e6,
    };
  },
  collect() {
    global.gc();
    global.gc();
    return commands.figures();
  },
};

process.on('message', ({ id, name }) => {
  const result = commands[name]();
  if (process.connected) process.send({ id, result });
});
const DEADLINE = 4000;
const stopped = () => process.connected && process.disconnect();
if (framework === 'ristretto') {
  void require('ristretto')
    .stopOnSignals(server, { timeout: DEADLINE, drain: Number(process.env.DRAIN ?? 20) })
    .then(stopped);
} else {
  // This is the code that users of these frameworks write.
  process.once('SIGTERM', () => {
    server.close(stopped);
    setTimeout(() => server.closeAllConnections(), DEADLINE).unref();
  });
}
process.on('disconnect', () => setTimeout(() => process.exit(), 10_000).unref());
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', 4096, () =>
  process.send({ port: server.address().port }),
);

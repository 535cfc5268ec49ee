/** Requests from a connection in memory, without a network, and the bytes that they allocate. */
const { Duplex } = require('node:stream');

/** Nanoseconds of processor time since the start. */
exports.processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/** Reads what is pushed, and counts the responses that are written. */
class MemoryConnection extends Duplex {
  responses = 0;
  constructor() {
    super({ decodeStrings: false });
  }
  _read() {}
  _write(chunk, encoding, done) {
    if (chunk.toString('latin1', 0, 8).startsWith('HTTP/1.1')) this.responses++;
    done();
  }
  setTimeout() {
    return this;
  }
  destroySoon() {
    this.end();
  }
}

/** Connects to a server of `node:http`. */
exports.connect = server => {
  const connection = new MemoryConnection();
  server.emit('connection', connection);
  return connection;
};

/**
 * Receives a request many times, each in its own turn of the event loop. Calls `done` with the nanoseconds of processor time
 * for each.
 */
exports.receive = (connection, text, requests, done) => {
  const bytes = Buffer.from(text);
  const last = connection.responses + requests;
  let left = requests;
  const before = exports.processorTime();
  turn();
  function turn() {
    if (left-- > 0) connection.push(bytes);
    else if (connection.responses === last) return done((exports.processorTime() - before) / requests);
    setImmediate(turn);
  }
};

/** Returns the bytes allocated between the first and the last collection of a profile of `GCProfiler`. */
exports.allocated = ({ statistics }) => {
  let bytes = 0;
  let left;
  for (const { beforeGC, afterGC } of statistics) {
    if (left !== undefined) bytes += beforeGC.heapStatistics.usedHeapSize - left;
    left = afterGC.heapStatistics.usedHeapSize;
  }
  return bytes;
};

/** Serves an application until SIGTERM, and prints events as one JSON text per line. */
'use strict';
const http = require('node:http');

const print = value => console.log(JSON.stringify(value));

/** @param stopOnSignals the function of the framework, whose report is printed */
exports.serve = (app, stopOnSignals) => {
  const server = http.createServer(app);
  server.listen(0, '127.0.0.1', () => print({ port: server.address().port }));
  void stopOnSignals(server, { timeout: 5000 }).then(print);
};

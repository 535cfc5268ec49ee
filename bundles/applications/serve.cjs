/** Serves an application until SIGTERM, and prints what happens as one JSON text a line. */
'use strict';
const http = require('node:http');

const print = value => console.log(JSON.stringify(value));

/** @param stopOnSignals that of the framework, whose report is printed */
exports.serve = (app, stopOnSignals) => {
  const server = http.createServer(app);
  server.listen(0, '127.0.0.1', () => print({ port: server.address().port }));
  void stopOnSignals(server, { deadline: 5000 }).then(print);
};

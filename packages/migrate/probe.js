/** Loaded into the processes of an application that `ristretto verify` starts: reports where it listens, and its processor time. */
'use strict';

const http = require('node:http');
const https = require('node:https');
const net = require('node:net');

const connection = net.connect(Number(process.env.VERIFY_REPORT_PORT), '127.0.0.1').unref();
const report = message => connection.write(`${JSON.stringify(message)}\n`);
connection.on('error', () => {});
connection.on('data', () => report({ usage: process.cpuUsage() }));
// Ends with the command, even if that is killed. `unref` keeps the connection from keeping the application alive.
connection.on('close', () => process.exit());

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  const isSecure = this instanceof https.Server;
  if (isSecure || this instanceof http.Server) {
    const [first] = args;
    const usual = Number(typeof first === 'object' ? first?.port : first) || 0;
    // Any free port: the usual one may be in use, for example by the application itself.
    if (usual > 0) args[0] = typeof first === 'object' ? { ...first, port: 0 } : 0;
    this.once('listening', () => {
      const { port } = this.address();
      if (port !== undefined) report({ listening: { usual, port, isSecure } });
    });
  }
  return listen.apply(this, args);
};

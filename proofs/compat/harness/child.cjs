/**
 * Runs one scenario on one side: `node child.cjs <side folder> <file> <program> <subprocess> <over HTTP/2> <speaks it>`.
 * Loads nothing before the scenario does, because instrumentation must be loaded first. The harness sends the requests
 * (request.mjs) and runs the collectors of agents (launch.mjs); this process asks for both over its IPC channel.
 */
'use strict';

const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');

const [side, file, program, subprocess, isOverHttp2, speaksHttp2] = process.argv.slice(2);
const servers = [];
const http2Ports = new Set();
const notes = [];
const waiting = new Map();
const warned = new Set();
let sent = 0;

process.on('warning', ({ code }) => code && warned.add(code));

process.on('message', message => {
  const settle = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) settle.reject(new Error(message.error));
  else settle.resolve(message.answer);
});

/** Calls a function of the harness. */
function ask(call, argument) {
  const id = ++sent;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    process.send({ id, call, argument });
  });
}

/** Starts an application or a server on a free port. */
async function listen(target) {
  const isHttp2 = speaksHttp2 === 'true' && typeof target === 'function';
  const server = isHttp2 ? listenHttp2(target) : target.listen(0, '127.0.0.1');
  servers.push(server);
  if (!server.listening) await once(server, 'listening');
  if (isHttp2) http2Ports.add(server.address().port);
  return server;
}

function listenHttp2(app) {
  const sessions = new Set();
  const server = require('node:http2').createServer(app);
  server.on('session', session => sessions.add(session));
  server.closeAllConnections = () => sessions.forEach(session => session.destroy());
  return server.listen(0, '127.0.0.1');
}

/** Sends a request to a server (or a port) and resolves with status, headers, rawHeaders and body. */
function request(target, wanted = {}) {
  const port = typeof target === 'number' ? target : target.address().port;
  const { body } = wanted;
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : body && JSON.stringify(body);
  const headers = { ...wanted.headers };
  if (
    bytes !== undefined &&
    bytes !== body &&
    !Object.keys(headers).some(name => /^content-type$/i.test(name))
  ) {
    headers['Content-Type'] = 'application/json';
  }
  const encoded = bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
  return ask('request', { ...wanted, port, headers, body: encoded, isHttp2: http2Ports.has(port) });
}

/** Starts an HTTP server that agents report to; `take` waits for reports until `enough` returns true. */
async function collector(replies) {
  const port = await ask('collect', replies);
  const reports = [];
  const take = async (enough, seconds = 10) => {
    for (const end = Date.now() + seconds * 1000; ;) {
      for (const report of await ask('collected', port)) {
        reports.push({ ...report, body: Buffer.from(report.body, 'base64') });
      }
      if (enough(reports)) return reports.splice(0);
      if (Date.now() > end)
        throw new Error(
          `not enough after ${seconds} s: ${reports.map(({ method, path: target, body }) => `${method} ${target} ${body.length}`).join(', ') || 'nothing'}`,
        );
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  return { port, take };
}

/** Adds values to the record, in the order of the calls. */
function note(...values) {
  notes.push(values.length === 1 ? values[0] : values);
}

/** Packages that `debug` uses for colours if it finds them, even outside the side. They do not affect any response. */
const BY_CHANCE = /[\\/]node_modules[\\/](?:supports-color|has-flag)[\\/]/;

/** Checks that everything was loaded from the side, including the framework. */
function checkModules() {
  const own = [side + path.sep, __filename, process.cwd() + path.sep];
  const loaded = Object.keys(require.cache);
  const foreign = loaded.filter(
    name => path.isAbsolute(name) && !own.some(start => name.startsWith(start)) && !BY_CHANCE.test(name),
  );
  if (foreign.length > 0)
    throw new Error(`loaded from outside of the side: ${foreign.slice(0, 3).join(', ')}`);
  const framework = path.join('node_modules', 'express') + path.sep;
  if (subprocess !== 'true' && !loaded.some(name => name.includes(framework))) {
    throw new Error('the scenario never loaded express');
  }
}

/** Waits until Node has written all warnings to their file, which it does asynchronously. */
async function warningsAreWritten() {
  const file = process.env.NODE_REDIRECT_WARNINGS;
  if (file === undefined) return;
  const isWritten = text => [...warned].every(code => text.includes(`[${code}]`));
  for (const end = Date.now() + 5000; Date.now() < end;) {
    if (isWritten(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')) return;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** Sends the outcome and exits, whatever else is still running in the process. */
async function finish(outcome) {
  await warningsAreWritten();
  for (const server of servers) {
    server.close?.();
    server.closeAllConnections?.();
  }
  process.send({ outcome }, () => process.exit(0));
}

async function main() {
  const loaded = require(path.join(side, file));
  const scenario = loaded.programs?.[program] ?? loaded;
  const { packages } = scenario;
  const tools = { listen, request, note, collector, packages, isOverHttp2: isOverHttp2 === 'true' };
  const seen = await scenario.run(tools);
  checkModules();
  return { record: notes.length > 0 ? { seen, notes } : { seen } };
}

main().then(finish, error => finish({ error: String(error?.stack ?? error) }));

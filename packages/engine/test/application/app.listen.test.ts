// runs: each
/** `app.listen`: every form of Node's `server.listen`, and its errors. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import { askPort } from '../support/http.js';
import type { Web } from '../support/oracle.js';
import { outputOf } from '../support/program.js';

type Listen = (...args: unknown[]) => http.Server;
const listening = (server: http.Server) => new Promise<void>(resolve => server.once('listening', resolve));
const address = (server: http.Server) => server.address() as net.AddressInfo;

/** `SO_REUSEPORT` balances connections on Linux; Node has the option since 22.12 and 23.1. */
const [MAJOR, MINOR] = process.versions.node.split('.').map(Number) as [number, number];
const SHARES_PORTS = process.platform === 'linux' && (MAJOR > 23 || (MAJOR === 22 && MINOR >= 12));

type CreateServer = (...args: never[]) => http.Server;

/** Replacements for `http.createServer`, as tools install them. */
const wrappers: Record<string, (original: typeof http.createServer) => CreateServer> = {
  'by a function of the listener': original => (listener: http.RequestListener) => original(listener),
  'by a function that wraps the listener': original => (listener: http.RequestListener) =>
    original((req, res) => listener(req, res)),
  'by a function of the listener and more': original => (listener: http.RequestListener, _more: unknown) =>
    original(listener),
  'by a function of any arguments': original => original.bind(undefined) as CreateServer,
  'by one that sets options': original => (listener: http.RequestListener) =>
    original({ ServerResponse: class extends http.ServerResponse {}, keepAliveTimeout: 10 }, listener),
};

/** Listens with these arguments, sends one request over TCP, and closes. */
async function answers(web: Web, ...args: unknown[]): Promise<net.AddressInfo> {
  const app = web().get('/', (_req, res) => void res.send('here'));
  const server = (app.listen as Listen)(...args);
  try {
    await listening(server);
    assert.equal((await askPort(address(server).port)).text, 'here');
    return address(server);
  } finally {
    server.close();
  }
}

/** Sends a request over a UNIX socket. */
function askSocket(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get({ socketPath, path: '/', agent: false }, res =>
        res.on('data', (text: Buffer) => resolve(text.toString())),
      )
      .on('error', reject);
  });
}

/** Calls `use` with a path for a UNIX socket and removes its folder afterwards. */
async function withSocketPath(use: (socketPath: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-'));
  try {
    await use(path.join(folder, 'socket'));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe('app.listen', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`port: 0 selects any free port (${framework})`, async () => {
      assert.ok((await answers(web, 0)).port > 0);
    });
    test(`port: omitted selects any free port (${framework})`, async () => {
      assert.ok((await answers(web)).port > 0);
      assert.ok((await answers(web, undefined)).port > 0);
      assert.ok((await answers(web, null)).port > 0);
    });
    test(`port: may be a string (${framework})`, async () => {
      assert.ok((await answers(web, '0')).port > 0);
    });
    test(`host: binds to the address (${framework})`, async () => {
      assert.equal((await answers(web, 0, '127.0.0.1')).address, '127.0.0.1');
    });
    test(`backlog: is passed on to the server (${framework})`, async () => {
      assert.equal((await answers(web, 0, '127.0.0.1', 10)).address, '127.0.0.1');
      assert.ok((await answers(web, 0, 10)).port > 0);
    });
    test(`options: may be given as an object (${framework})`, async () => {
      assert.equal((await answers(web, { port: 0, host: '127.0.0.1', backlog: 5 })).address, '127.0.0.1');
    });
    const skip = !SHARES_PORTS && 'this Node cannot share ports';
    test(`options: reusePort lets several servers listen on one port (${framework})`, { skip }, async () => {
      const listen = async (port: number): Promise<http.Server> => {
        const server = (web().listen as Listen)({ port, host: '127.0.0.1', reusePort: true });
        await listening(server);
        return server;
      };
      const first = await listen(0);
      const second = await listen(address(first).port);
      assert.equal(address(second).port, address(first).port);
      first.close();
      second.close();
    });
    test(`callback: is called when the server listens, in every form (${framework})`, async () => {
      for (const args of [[], [0], [0, '127.0.0.1'], [0, '127.0.0.1', 5], [{ port: 0 }]]) {
        const server = await new Promise<http.Server>(resolve => {
          const started = (web().listen as Listen)(...args, function (this: http.Server) {
            assert.equal(this, started);
            resolve(started);
          });
        });
        assert.equal(server.listening, true);
        server.close();
      }
    });
    test(`path: listens on a UNIX socket (${framework})`, () =>
      withSocketPath(async socketPath => {
        const app = web().get('/', (_req, res) => void res.send('by socket'));
        const server = app.listen(socketPath);
        await listening(server);
        assert.equal(server.address(), socketPath);
        assert.equal(await askSocket(socketPath), 'by socket');
        server.close();
      }));
    test(`path: listens on a UNIX socket and calls the callback (${framework})`, () =>
      withSocketPath(async socketPath => {
        const server = await new Promise<http.Server>(resolve => {
          const started = web().listen(socketPath, () => resolve(started));
        });
        assert.equal(server.address(), socketPath);
        server.close();
      }));
    test(`handle: uses a server that is already listening (${framework})`, async () => {
      const first = net.createServer();
      await new Promise<void>(resolve => first.listen(0, '127.0.0.1', resolve));
      const server = web()
        .get('/', (_req, res) => void res.send('by handle'))
        .listen(first);
      await listening(server);
      assert.equal((await askPort((first.address() as net.AddressInfo).port)).text, 'by handle');
      server.close();
      first.close();
    });
    test(`returns: returns an http.Server that uses the application (${framework})`, async () => {
      const app = web();
      const server = app.listen(0);
      assert.ok(server instanceof http.Server);
      assert.deepEqual(server.listeners('request'), [app]);
      await listening(server);
      server.close();
    });
    test(`error: emits the event without calling the callback (${framework})`, async () => {
      const taken = web().listen(0, '127.0.0.1');
      await listening(taken);
      const callback = (): void => assert.fail('the callback was called');
      const server = web().listen(address(taken).port, '127.0.0.1', callback);
      const error = await new Promise<NodeJS.ErrnoException>(resolve => server.once('error', resolve));
      assert.equal(error.code, 'EADDRINUSE');
      await new Promise(resolve => setImmediate(resolve));
      taken.close();
    });
    test(`bad port: throws the error of Node (${framework})`, () => {
      assert.throws(() => web().listen(70_000), { code: 'ERR_SOCKET_BAD_PORT' });
      assert.throws(() => (web().listen as Listen)(true), { code: 'ERR_INVALID_ARG_VALUE' });
    });
    test(`several: one application may listen more than once (${framework})`, async () => {
      const app = web().get('/', (_req, res) => void res.send('x'));
      const servers = [app.listen(0), app.listen(0)];
      await Promise.all(servers.map(listening));
      for (const server of servers) {
        assert.equal((await askPort(address(server).port)).text, 'x');
        server.close();
      }
    });
    for (const [what, wrap] of Object.entries(wrappers)) {
      test(`http.createServer: replaced late, ${what}, is called with the application alone (${framework})`, async t => {
        const { createServer } = http;
        const calls: unknown[][] = [];
        const wrapped = wrap(createServer);
        const record = (...args: never[]): http.Server => (calls.push(args), wrapped(...args));
        t.mock.method(
          http,
          'createServer',
          Object.defineProperty(record, 'length', { value: wrapped.length }),
        );
        const app = web().get('/', (_req, res) => void res.send('here'));
        const server = app.listen(0);
        await listening(server);
        assert.deepEqual(calls, [[app]]);
        for (const _ of ['first', 'second']) assert.equal((await askPort(address(server).port)).text, 'here');
        server.close();
      });
    }
    test(`http.createServer: replaced before the framework is loaded, may accept only a listener (${framework})`, () => {
      const program = `
        const http = require('node:http');
        const { createServer } = http;
        http.createServer = listener => createServer(listener);
        const app = require(${JSON.stringify(framework)})().get('/', (req, res) => res.send('here'));
        const server = app.listen(0, async () => {
          const response = await fetch('http://127.0.0.1:' + server.address().port);
          console.log(await response.text());
          process.exit();
        });`;
      const output = outputOf(program);
      assert.equal(output, 'here\n');
    });
    test(`replaced: may be overwritten on the application (${framework})`, () => {
      const app = web();
      (app as { listen: unknown }).listen = () => 'mine';
      assert.equal((app.listen as unknown as () => unknown)(), 'mine');
    });
  }
});

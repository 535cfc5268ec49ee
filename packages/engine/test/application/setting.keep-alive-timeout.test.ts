/** The setting `keep-alive timeout`: how long servers of `app.listen` keep idle connections open. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { describe, test } from 'node:test';
import three from 'ristretto3';
import five from 'ristretto5';
import web from 'ristretto';
import { certificate } from '../support/certificate.js';

type Use = (server: Server, port: number) => unknown;

async function listening(app: web.Express, args: unknown[], use: Use): Promise<void> {
  const server = (app.listen as (...all: unknown[]) => Server)(...args);
  await new Promise<void>(resolve => server.once('listening', resolve));
  try {
    await use(server, (server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

const sending = (make = web): web.Express => make().get('/', (_req, res) => void res.send('here'));

/** Returns the header that tells clients how long an idle connection is kept. */
async function told(port: number): Promise<string | null> {
  const response = await fetch(`http://127.0.0.1:${port}`);
  await response.text();
  return response.headers.get('keep-alive');
}

describe('setting keep-alive timeout', () => {
  test('without it: idle connections close after Node’s 5 seconds, or the server’s own timeout', async () => {
    for (const value of [undefined, null]) {
      await listening(sending().set('keep-alive timeout', value), [0], async (server, port) => {
        assert.equal(await told(port), 'timeout=5');
        server.keepAliveTimeout = 9000;
        assert.equal(await told(port), 'timeout=9');
      });
    }
  });

  test('milliseconds and text: are sent to clients in Keep-Alive, in all versions', async () => {
    for (const make of [web, three as unknown as typeof web, five as unknown as typeof web]) {
      for (const value of [75_000, '75s']) {
        await listening(sending(make).set('keep-alive timeout', value), [0], async (server, port) => {
          assert.equal(await told(port), 'timeout=75');
          assert.equal(server.keepAliveTimeout, 75_000);
        });
      }
    }
  });

  test('a short one: an idle connection is closed', async () => {
    await listening(sending().set('keep-alive timeout', 20), [0], async (_server, port) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
      await new Promise(resolve => socket.resume().once('end', resolve));
    });
  });

  test('http2: applies to HTTP/1.1 connections of the server', async () => {
    const options = { http2: true, port: 0, ...certificate() };
    await listening(sending().set('keep-alive timeout', '75s'), [options], server => {
      assert.equal(server.keepAliveTimeout, 75_000);
    });
  });

  test('other values: throw', () => {
    for (const value of [0, -1, 2 ** 31, false, true, '75', 'soon', {}]) {
      assert.throws(
        () => web().set('keep-alive timeout', value as never),
        /Expected .*the setting 'keep-alive timeout'/,
      );
    }
  });
});

// runs: once, ci, built
/** The entries for public arenas, started as their images start them, with every endpoint that a board loads. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { root } from './deploy';
import { freePorts, until } from './servers';
import { temporaryFolder } from './showcase';

const arena = path.join(root, 'proofs/bench/arena');

/** Starts an entry, and waits until a request gets a response; its workers end with it. */
async function start(file: string, env: Record<string, string>, url: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [path.join(arena, file)], {
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    await until(async () => (await fetch(url)).ok);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

describe('arena entries', () => {
  let [port, tlsPort, http2Port]: (number | undefined)[] = [];
  let stop: (() => Promise<void>) | undefined;
  const get = async (target: string, init?: RequestInit) => {
    const response = await fetch(`http://localhost:${port}${target}`, init);
    return {
      type: response.headers.get('content-type'),
      status: response.status,
      body: await response.text(),
    };
  };
  const plain = (body: string) => ({ type: 'text/plain; charset=utf-8', status: 200, body });

  before(async () => {
    [port, tlsPort, http2Port] = await freePorts(3);
    const folder = temporaryFolder();
    const items = [1, 2, 3].map(id => ({ id, price: 10 * id, quantity: 2 }));
    fs.writeFileSync(path.join(folder, 'dataset.json'), JSON.stringify(items));
    fs.mkdirSync(path.join(folder, 'static'));
    fs.writeFileSync(path.join(folder, 'static/app.js'), 'let a;');
    for (const [from, to] of [
      ['localhost-key.pem', 'server.key'],
      ['localhost-cert.pem', 'server.crt'],
    ] as const)
      fs.copyFileSync(path.join(root, 'examples/https', from), path.join(folder, to));
    const ports = { PORT: String(port), TLS_PORT: String(tlsPort), HTTP2_PORT: String(http2Port) };
    const folders = { DATA: folder, CERTIFICATES: folder };
    stop = await start('ristretto/server.cjs', { ...ports, ...folders }, `http://localhost:${port}/pipeline`);
  });
  after(() => stop?.());

  test('HttpArena: sums, text, uploads and files over HTTP/1.1', async () => {
    assert.deepEqual(await get('/pipeline'), plain('ok'));
    assert.deepEqual(await get('/baseline11?a=13&b=42'), plain('55'));
    assert.deepEqual(await get('/baseline11?a=13&b=42', { method: 'POST', body: '20' }), plain('75'));
    const body = Buffer.alloc(1024 * 1024);
    assert.deepEqual(await get('/upload', { method: 'POST', body }), plain(String(body.length)));
    assert.deepEqual(await get('/static/app.js'), {
      ...{ type: 'application/javascript; charset=UTF-8', status: 200 },
      body: 'let a;',
    });
  });

  test('HttpArena: JSON with computed totals, compressed for clients that accept it, and over TLS', async () => {
    const expected = {
      items: [
        { id: 1, price: 10, quantity: 2, total: 60 },
        { id: 2, price: 20, quantity: 2, total: 120 },
      ],
      count: 2,
    };
    const { body } = await get('/json/2?m=3');
    assert.deepEqual(JSON.parse(body), expected);
    const options = { port: tlsPort, path: '/json/2?m=3', rejectUnauthorized: false, agent: false as const };
    const [response] = await once(https.get(options), 'response');
    assert.deepEqual(JSON.parse(await text(response)), expected);
  });

  test('HttpArena: sums and files over HTTP/2', async () => {
    const client = http2.connect(`https://localhost:${http2Port}`, { rejectUnauthorized: false });
    try {
      const bodyOf = (target: string) => text(client.request({ ':path': target }));
      assert.equal(await bodyOf('/baseline2?a=1&b=2'), '3');
      assert.equal(await bodyOf('/static/app.js'), 'let a;');
    } finally {
      client.close();
    }
  });

  test('web-frameworks: an empty page, a parameter, an empty response to a POST', async () => {
    const [own] = await freePorts(1);
    const url = `http://localhost:${own}`;
    const stopIt = await start('web-frameworks/app.cjs', { PORT: String(own) }, url);
    try {
      const bodyOf = async (target: string, method = 'GET') => {
        const response = await fetch(url + target, { method });
        return `${response.status} ${await response.text()}`;
      };
      assert.deepEqual(await Promise.all([bodyOf('/'), bodyOf('/user/7'), bodyOf('/user', 'POST')]), [
        '200 ',
        '200 7',
        '200 ',
      ]);
    } finally {
      await stopIt();
    }
  });
});

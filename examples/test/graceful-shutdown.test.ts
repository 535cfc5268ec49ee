/** examples/graceful-shutdown */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import request from 'supertest';
import example = require('../graceful-shutdown/index.js');

describe('example graceful-shutdown', () => {
  test('in-flight requests get their responses', async () => {
    const server = http.createServer(example).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    assert.equal((await request(url).get('/readyz')).status, 200);
    const slow = request(url).get('/slow').set('Connection', 'keep-alive').then();
    await once(server, 'request');
    assert.equal((await web.stop(server)).completed, 1);
    assert.equal((await slow).text, 'done');
    await assert.rejects(request(url).get('/readyz').then(), /ECONNREFUSED/);
  });
  test(
    'on SIGTERM the health check fails, and the process ends',
    { skip: process.platform === 'win32' },
    async t => {
      const program = path.join(__dirname, '../graceful-shutdown/index.js');
      const child = spawn(process.execPath, [program], { env: { ...process.env, PORT: '0' } });
      t.after(() => child.kill('SIGKILL'));
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
      await once(child.stdout, 'data');
      const [address = ''] = /^http:\/\/localhost:\d+/.exec(output) ?? [];
      const health = () =>
        request(address)
          .get('/readyz')
          .then(({ status }) => status);
      assert.equal(await health(), 200);
      child.kill('SIGTERM');
      while ((await health()) === 200);
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(code, 0);
      assert.match(output, /stopped/);
    },
  );
});

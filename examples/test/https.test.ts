/** examples/https */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import request from 'supertest';
import { start } from '../https/index.js';

describe('example https', () => {
  let servers: http.Server[] = [];
  const portOf = (server: http.Server | undefined) => (server?.address() as AddressInfo).port;
  before(async () => {
    servers = await start(0, 0);
  });
  after(() => servers.forEach(server => server.close()));

  test('HTTP redirects to HTTPS', async () => {
    const res = await request(`http://localhost:${portOf(servers[0])}`)
      .get('/?a=1')
      .set('Host', 'evil.example');
    assert.equal(res.status, 308);
    assert.equal(res.headers.location, `https://localhost:${portOf(servers[1])}/?a=1`);
  });
  test('HTTPS serves the page', async () => {
    const ca = fs.readFileSync(path.join(__dirname, '../https/localhost-cert.pem'));
    const text = await new Promise((resolve, reject) => {
      https
        .get({ host: 'localhost', port: portOf(servers[1]), ca, agent: false }, res => {
          res.setEncoding('utf8').on('data', resolve);
        })
        .on('error', reject);
    });
    assert.equal(text, '{"protocol":"https","secure":true}');
  });
});

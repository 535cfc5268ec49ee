/** Headers from a peer that is not a trusted proxy are ignored. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import web from 'ristretto';
import { ask } from '../support/http.js';

const FORGED = {
  'X-Forwarded-For': '6.6.6.6, 7.7.7.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'evil.example',
  Host: 'own.example',
};

/** Returns what the application sees of such a request. */
async function seen(trust: unknown): Promise<unknown> {
  const app = web().set('trust proxy', trust as string);
  app.use((req: Request, res: Response) => {
    const { ip, ips, protocol, secure, hostname, subdomains } = req;
    res.json({ ip, ips, protocol, secure, hostname, subdomains });
  });
  return JSON.parse((await ask(app as never, { headers: FORGED })).text);
}

describe('threats: proxies', () => {
  const own = {
    ip: '127.0.0.1',
    ips: [],
    protocol: 'http',
    secure: false,
    hostname: 'own.example',
    subdomains: [],
  };

  test('fastify < 5.8.3: headers forwarded by an untrusted peer are ignored', async () => {
    for (const trust of [false, 0, '10.0.0.0/8', ['203.0.113.1'], () => false]) {
      assert.deepEqual(await seen(trust), own, String(trust));
    }
  });

  test('fastify < 5.8.3, CVE-2026-27700: forwarded values are trusted up to the next untrusted peer', async () => {
    const forwarded = { protocol: 'https', secure: true, hostname: 'evil.example', subdomains: [] };
    const next = { ...forwarded, ip: '7.7.7.7', ips: ['7.7.7.7'] };
    for (const trust of ['loopback', 1]) assert.deepEqual(await seen(trust), next);
    const all = { ...forwarded, ip: '6.6.6.6', ips: ['6.6.6.6', '7.7.7.7'] };
    for (const trust of [true, 2, 'loopback, 7.7.7.7']) assert.deepEqual(await seen(trust), all);
  });
});

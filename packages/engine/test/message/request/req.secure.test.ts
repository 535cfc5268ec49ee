/** `req.secure`: whether the request came over TLS, to the server or to a trusted proxy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';

async function secure(trust: unknown, ...values: string[]): Promise<boolean[]> {
  const build = answering((req, res) => res.json(req.secure), { 'trust proxy': trust });
  const requests = values.map(value => ({ headers: { 'X-Forwarded-Proto': value } }));
  return (await sameEach(build, requests)).map(answer => answer.text === 'true');
}

describe('req.secure', () => {
  test('plain connection: is false', async () => {
    assert.deepEqual(await secure(false, 'https'), [false]);
  });

  test('TLS: is true', () => {
    const app = { get: () => () => false };
    const connection = { encrypted: true };
    assert.equal(
      alike({}, req => Object.assign(req, { app, connection, socket: connection }).secure),
      true,
    );
  });

  test('trust proxy on: is true if X-Forwarded-Proto is https', async () => {
    assert.deepEqual(await secure(true, 'https', 'http', 'https, http', 'http, https'), [
      true,
      false,
      true,
      false,
    ]);
  });
});

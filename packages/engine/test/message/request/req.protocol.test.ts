/** `req.protocol`: `http` or `https`, from the connection or from a trusted proxy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';

/** Returns the protocols for some values of `X-Forwarded-Proto`. */
async function protocols(trust: unknown, ...values: string[]): Promise<string[]> {
  const build = answering((req, res) => res.send(req.protocol), { 'trust proxy': trust });
  const requests = values.map(value => ({
    headers: value === '' ? undefined : { 'X-Forwarded-Proto': value },
  }));
  return (await sameEach(build, requests)).map(answer => answer.text);
}

describe('req.protocol', () => {
  test('plain connection: is http', async () => {
    assert.deepEqual(await protocols(false, ''), ['http']);
  });

  test('TLS: is https', () => {
    const app = { get: () => () => false };
    const connection = { encrypted: true };
    assert.equal(
      alike({}, req => Object.assign(req, { app, connection, socket: connection }).protocol),
      'https',
    );
  });

  test('trust proxy off, peer not trusted: X-Forwarded-Proto is ignored', async () => {
    assert.deepEqual(await protocols(false, 'https'), ['http']);
    assert.deepEqual(await protocols('10.0.0.0/8', 'https'), ['http']);
    assert.deepEqual(await protocols(0, 'https'), ['http']);
  });

  test('trust proxy on: is the first value of X-Forwarded-Proto', async () => {
    const values = ['', 'https', 'https, http', ' https ,http', 'HTTPS', ',https'];
    assert.deepEqual(await protocols(true, ...values), ['http', 'https', 'https', 'https', 'HTTPS', '']);
    assert.deepEqual(await protocols('loopback', 'https'), ['https']);
    assert.deepEqual(await protocols(1, 'https'), ['https']);
  });
});

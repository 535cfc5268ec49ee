/** `req.ip`: the address of the client, from the socket or from a trusted proxy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';

/** Returns the addresses for some values of `X-Forwarded-For`. */
async function addresses(trust: unknown, ...lists: string[]): Promise<string[]> {
  const build = answering(
    (req, res) => res.send(req.ip),
    trust === undefined ? {} : { 'trust proxy': trust },
  );
  const requests = lists.map(list => ({ headers: list === '' ? undefined : { 'X-Forwarded-For': list } }));
  return (await sameEach(build, requests)).map(answer => answer.text.replace('::ffff:', ''));
}

describe('req.ip', () => {
  test('trust proxy off: is the address of the socket', async () => {
    assert.deepEqual(await addresses(undefined, '', '1.1.1.1'), ['127.0.0.1', '127.0.0.1']);
    assert.deepEqual(await addresses(false, '1.1.1.1'), ['127.0.0.1']);
  });

  test('trust proxy on: is the leftmost entry of X-Forwarded-For', async () => {
    assert.deepEqual(await addresses(true, '', '1.1.1.1', '1.1.1.1, 2.2.2.2'), [
      '127.0.0.1',
      '1.1.1.1',
      '1.1.1.1',
    ]);
  });

  test('trust proxy addresses: is the first address from the right that is not trusted', async () => {
    const lists = ['1.1.1.1, 2.2.2.2, 10.0.0.1', '10.0.0.1', 'x, y', ' , '];
    assert.deepEqual(await addresses('loopback, 10.0.0.0/8', ...lists), [
      '2.2.2.2',
      '10.0.0.1',
      'y',
      '127.0.0.1',
    ]);
    assert.deepEqual(await addresses('10.0.0.0/8', '1.1.1.1'), ['127.0.0.1']);
  });

  test('fastify < 5.8.3, CVE-2026-27700, CVE-2026-18174: forged entries on the left are not trusted', async () => {
    assert.deepEqual(await addresses('loopback', '6.6.6.6, 203.0.113.7'), ['203.0.113.7']);
    assert.deepEqual(await addresses(1, '6.6.6.6, 203.0.113.7'), ['203.0.113.7']);
  });

  test('closed socket: is undefined', () => {
    const app = { get: () => () => false };
    assert.equal(
      alike({}, req => Object.assign(req, { app, socket: {}, connection: {} }).ip),
      undefined,
    );
  });
});

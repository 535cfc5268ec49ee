/** `req.ips`: the addresses in `X-Forwarded-For` up to the first untrusted one, the client first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';

/** Returns the lists of addresses for some values of `X-Forwarded-For`. */
async function chains(trust: unknown, ...lists: string[]): Promise<unknown[]> {
  const build = answering((req, res) => res.json(req.ips), { 'trust proxy': trust });
  const requests = lists.map(list => ({ headers: list === '' ? undefined : { 'X-Forwarded-For': list } }));
  return (await sameEach(build, requests)).map(answer => JSON.parse(answer.text) as unknown);
}

describe('req.ips', () => {
  test('trust proxy off: is empty', async () => {
    assert.deepEqual(await chains(false, '', '1.1.1.1, 2.2.2.2'), [[], []]);
  });

  test('trust proxy on: contains all addresses, the client first', async () => {
    assert.deepEqual(await chains(true, '', '1.1.1.1, 2.2.2.2'), [[], ['1.1.1.1', '2.2.2.2']]);
  });

  test('trust proxy addresses, hops: contain addresses up to the first from the right that is not trusted', async () => {
    assert.deepEqual(await chains('loopback', '1.1.1.1, 2.2.2.2'), [['2.2.2.2']]);
    assert.deepEqual(await chains('loopback, 2.2.2.2', '0.0.0.1, 1.1.1.1, 2.2.2.2'), [
      ['1.1.1.1', '2.2.2.2'],
    ]);
    assert.deepEqual(await chains(1, '1.1.1.1, 2.2.2.2'), [['2.2.2.2']]);
    assert.deepEqual(await chains('8.8.8.8', '1.1.1.1'), [[]]);
  });

  test('several headers, empty entries: are read as one list, without the empty entries', async () => {
    const build = answering((req, res) => res.json(req.ips), { 'trust proxy': true });
    const lists = ['1.1.1.1', '2.2.2.2,, 3.3.3.3'];
    const [answer] = await sameEach(build, [{ headers: { 'X-Forwarded-For': lists } }]);
    assert.equal(answer?.text, '["1.1.1.1","2.2.2.2","3.3.3.3"]');
    assert.deepEqual(await chains(true, ',', ' ,1.1.1.1,'), [[], ['1.1.1.1']]);
  });
});

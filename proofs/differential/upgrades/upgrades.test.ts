// runs: slow
/** Generated connections with pipelined requests and upgrades get the responses of the oracle, on each version. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestLines } from '../../../packages/engine/test/support/websocket.js';
import { report, runSession, Upgrades } from './session.js';
import type { Case } from './session.js';

const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_128);
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 600);

describe('differential of upgrades', () => {
  for (const express of ['4', '5', '3']) {
    const count = express === '4' ? cases : Math.ceil(cases / 4);
    test(`generated connections: ${count} from seed ${seed} respond as Express ${express} does`, async () => {
      const findings = await runSession({ cases: count, seed, most: 3, express });
      assert.equal(findings.length, 0, findings.map(report).join('\n\n'));
    });
  }

  test('a handshake behind an unfinished request: responds alike wherever the bytes are cut, or the client disconnects', async () => {
    const [, , ...lines] = requestLines('/ws');
    const headers = lines.map(line => line.split(': ') as [string, string]);
    const asks = [
      { method: 'GET', target: '/later', headers: [] },
      { method: 'GET', target: '/ws', headers },
    ];
    const length = 260;
    const upgrades = new Upgrades();
    await upgrades.start();
    for (let at = 1; at < length; at += 3) {
      const one: Case = { asks, isEager: true, isWrapped: false, cuts: [at] };
      assert.equal(await upgrades.difference(one), undefined, `cut at ${at}`);
      assert.equal(await upgrades.difference({ ...one, abort: at }), undefined, `disconnects at ${at}`);
    }
    await upgrades.stop();
  });
});

// runs: slow
/** A thousand generated applications of 3.x, which must respond as the oracle does. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { report, runSession } from './session.js';

const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_130_305);
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 1_000);

describe('differential of 3.x', () => {
  test(`generated applications: ${cases} from seed ${seed} answer as the oracle does`, async t => {
    const { requests, findings, passing } = await runSession({ cases, seed, most: 5 });
    t.diagnostic(`seed ${seed}: ${requests} requests compared, ${passing} cases differed once`);
    assert.equal(findings.length, 0, findings.map(report).join('\n\n'));
  });
});

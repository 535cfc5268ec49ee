/** The test that generated applications and requests get the same responses as from the oracle. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { report, reportPassing, runSession } from './session.js';
import type { Versions } from './session.js';

/** @param versions those of Express 4 by default */
export function generatedTest(express: string, most: number, versions?: Versions): void {
  const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_240_305);
  const cases = Number(process.env.DIFFERENTIAL_CASES ?? most);
  describe('differential', () => {
    test(`generated applications: ${cases} from seed ${seed} respond as ${express} does`, async t => {
      const outcome = await runSession({ cases, seed, most: 5, versions });
      const { requests, findings } = outcome;
      t.diagnostic(`seed ${seed}: ${requests} requests compared\n${reportPassing(outcome)}`);
      assert.equal(findings.length, 0, findings.map(finding => report(finding, versions)).join('\n\n'));
    });
  });
}

// runs: slow
/** Thousands of generated applications and requests, each served as by the oracle. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { report, reportPassing, runSession } from '../session.js';
import { express5 } from './express5.js';

const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_240_305);
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 2_000);

describe('differential', () => {
  test(`generated applications: ${String(cases)} from seed ${String(seed)} respond as Express 5 does`, async t => {
    const outcome = await runSession({ cases, seed, most: 5, versions: express5 });
    const { requests, findings } = outcome;
    t.diagnostic(`seed ${String(seed)}: ${String(requests)} requests compared\n${reportPassing(outcome)}`);
    assert.equal(findings.length, 0, findings.map(finding => report(finding, express5)).join('\n\n'));
  });
});

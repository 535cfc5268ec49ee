// runs: slow
/**
 * Thousands of generated programs with events, framing and aborts produce the same bytes, events and states as the
 * oracle.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { report, runSession } from './session.js';

const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_122);
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 1_000);

describe('differential of events', () => {
  test(`generated programs: ${cases} from seed ${seed} behave as on the oracle`, async t => {
    const { findings, differing, unstable, passing } = await runSession({ cases, seed, most: 5 });
    t.diagnostic(
      `seed ${seed}: ${differing} programs differ, ${unstable} differ on the oracle alone, ${passing} differed once`,
    );
    assert.equal(findings.length, 0, findings.map(report).join('\n\n'));
  });
});

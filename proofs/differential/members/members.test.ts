// runs: slow, once
/** Applications that change members of Node's messages end the process, hang and spoil the connection no more than with Express. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Case } from './case.js';
import { report, runCases, runSession } from './session.js';

const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_128);
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 600);

/** Each ended the process once. */
const ENDED: [member: string, change: string, way: string][] = [
  ['_header', 'becomes empty', 'res.end'],
  ['_header', 'is deleted', 'a 404'],
  ['_header', 'becomes undefined', 'a redirect'],
  ['_events', 'becomes undefined', 'an error'],
  ['outputData', 'is deleted', 'res.send'],
  ['socket', 'becomes an object', 'web.static'],
  ['on', 'becomes an object', 'a large file'],
];

describe('changed members', () => {
  test('those that ended the process: have no worse results than with Express', async () => {
    const made = ENDED.map(([member, change, way]): Case => ({
      of: 'res',
      member,
      change,
      way,
      moment: 'before',
    }));
    const findings = await runCases(made);
    assert.equal(findings.length, 0, findings.map(report).join('\n\n'));
  });

  test(`generated: ${cases} from seed ${seed} have no worse results than with Express`, async () => {
    const findings = await runSession({ cases, seed });
    assert.equal(findings.length, 0, findings.map(report).join('\n\n'));
  });
});

/**
 * Compares generated applications with the oracle for as long as you like:
 *
 *     npm run differential -- --cases 100000 --seed 7 [--most 20] [--self] [--whole]
 *
 * --self compares the oracle with itself, --whole prints the cases unshrunk too.
 */
import { parseArgs } from 'node:util';
import { report, runSession } from './session.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    most: { type: 'string', default: '10' },
    self: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const started = Date.now();
  const session = {
    cases: Number(values.cases),
    seed: Number(values.seed),
    most: Number(values.most),
    self: values.self,
  };
  console.log(`seed ${session.seed}, ${session.cases} cases`);
  const { requests, unanswered, findings } = await runSession({
    ...session,
    onFinding: finding => {
      console.log(report(finding));
      if (values.whole) console.log(`whole: ${JSON.stringify(finding.description)}`);
    },
  });
  console.log(
    `${requests} requests in ${(Date.now() - started) / 1000} s (${unanswered} left unanswered by both), ${findings.length} differences`,
  );
  process.exitCode = findings.length > 0 ? 1 : 0;
}

void main();

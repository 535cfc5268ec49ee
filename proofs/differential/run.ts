/**
 * Compares generated applications with the oracle for as long as you like:
 *
 *     npm run differential -- --cases 100000 --seed 7 [--most 20] [--self] [--whole]
 *     npm run differential -- --express 3 or 5 …
 *     npm run differential -- --family events [--ignore 'regular expression'] …
 *     npm run differential -- --family upgrades [--express 3 or 5] …
 *     npm run differential -- --family members …
 *
 * --express 5 compares applications of Express 5 with ristretto5, --express 3 those of Express 3 with ristretto3;
 * --family events compares programs of events, framing and aborts instead of applications and their responses, and
 * --ignore excludes what matches from their records;
 * --family upgrades compares connections with pipelined requests and upgrades;
 * --family members compares what happens after an application has changed members of Node's messages;
 * --self compares the oracle with itself, --whole also prints the unshrunk cases.
 */
import '../../scripts/options.cjs';
import { parseArgs } from 'node:util';
import * as events from './events/session.js';
import * as members from './members/session.js';
import { report, reportPassing, runSession } from './session.js';
import type { Versions } from './session.js';
import * as upgrades from './upgrades/session.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '5000' },
    express: { type: 'string', default: '4' },
    ignore: { type: 'string' },
    family: { type: 'string', default: 'applications' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    most: { type: 'string', default: '10' },
    self: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
  },
});

/** Returns the versions to compare for a major version of Express; those of 3 and 5 are loaded only if needed. */
function versionsOf(express: string): Versions | undefined {
  if (express === '4') return undefined;
  return (require(`./express${express}/express${express}.js`) as Record<string, Versions>)[
    `express${express}`
  ];
}

async function main(): Promise<void> {
  const started = Date.now();
  const session = {
    cases: Number(values.cases),
    seed: Number(values.seed),
    most: Number(values.most),
    self: values.self,
  };
  console.log(`seed ${session.seed}, ${session.cases} cases, Node ${process.version}`);
  if (values.family === 'events') {
    process.exitCode = await compareEvents(session, started);
    return;
  }
  if (values.family === 'upgrades') {
    const { express } = values;
    const onFinding = (finding: upgrades.Finding) => void console.log(upgrades.report(finding));
    const findings = await upgrades.runSession({ ...session, express, onFinding });
    console.log(`${(Date.now() - started) / 1000} s, ${findings.length} differences`);
    process.exitCode = findings.length > 0 ? 1 : 0;
    return;
  }
  if (values.family === 'members') {
    const findings = await members.runSession(session);
    for (const finding of findings) console.log(members.report(finding));
    console.log(`${(Date.now() - started) / 1000} s, ${findings.length} differences`);
    process.exitCode = findings.length > 0 ? 1 : 0;
    return;
  }
  const versions = versionsOf(values.express);
  const outcome = await runSession({
    ...session,
    versions,
    onFinding: finding => {
      console.log(report(finding, versions));
      if (values.whole) console.log(`whole: ${JSON.stringify(finding.description)}`);
    },
  });
  const { requests, unanswered, findings, passing } = outcome;
  if (passing.length > 0) console.log(reportPassing(outcome));
  console.log(
    `${requests} requests in ${(Date.now() - started) / 1000} s (${unanswered} left unanswered by both), ` +
      `${findings.length} differences, ${passing.length} that did not come again`,
  );
  process.exitCode = findings.length > 0 ? 1 : 0;
}

/** Compares programs of events; returns the exit code. */
async function compareEvents(session: events.Session, started: number): Promise<number> {
  const { findings, differing, passing } = await events.runSession({
    ...session,
    ignored: values.ignore === undefined ? undefined : new RegExp(values.ignore, 'g'),
    onFinding: finding => {
      console.log(events.report(finding));
      if (values.whole) console.log(`whole: ${JSON.stringify(finding.program)}`);
    },
  });
  for (const { seed, times, difference } of findings)
    console.log(`${times} × ${events.kindOf(difference)} (case ${seed})`);
  console.log(
    `${(Date.now() - started) / 1000} s, ${findings.length} kinds of differences in ${differing} programs, ${passing} that did not come again`,
  );
  return findings.length > 0 ? 1 : 0;
}

void main();

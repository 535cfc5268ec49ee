/**
 * Counts the responses that were checked, and makes violations fail the test file: they are printed, and the process
 * ends with an error. Figures and violations are also appended to a file, if the runner of the tests names one.
 */
import fs from 'node:fs';
import type { Exchange } from './exchange.js';
import { exemptionFor } from './exemptions.js';
import { rules } from './rules.js';
import type { Rule } from './rules.js';

/** The origin of the response: the framework, the oracle, a bare `node:http` handler, or Node itself. */
export type Origin = 'ours' | 'oracle' | 'bare' | 'runtime';

export interface Violation {
  rule: Rule;
  exchange: Exchange;
  wrong: string;
  origin: Origin;
}

const file = process.env.RESPONSE_LINT_FILE ?? process.argv[1] ?? 'a program';
const counts: Record<Origin, number> = { ours: 0, oracle: 0, bare: 0, runtime: 0 };
/** How often each rule was broken by the oracle, by rule. */
const oracle: Record<string, number> = {};
/** How often each exemption was used, by its reason. */
const exempted: Record<string, number> = {};
const printed = new Set<string>();
let violations = 0;

export function checked(origin: Origin): void {
  counts[origin]++;
}

export function violated(violation: Violation): void {
  const { rule, origin } = violation;
  if (origin === 'oracle') {
    oracle[rule.id] = (oracle[rule.id] ?? 0) + 1;
    return;
  }
  const exemption = exemptionFor(file, violation);
  if (exemption) {
    exempted[exemption.reason] = (exempted[exemption.reason] ?? 0) + 1;
    return;
  }
  violations++;
  const text = describe(violation);
  if (printed.has(text) || printed.size >= 20) return;
  printed.add(text);
  process.stderr.write(`${text}\n`);
  note({ violation: `${rule.id} (${rule.section}) in ${file}: ${violation.wrong}` });
}

/** A violation: the problem, the rule, and the response. */
export function describe({ rule, exchange, wrong }: Violation): string {
  const { request, head } = exchange;
  return [
    `\nA response breaks the rule ${rule.id} of ${rule.section}: ${rule.says}`,
    `  found: ${wrong}`,
    `  file: ${file}`,
    `  request: ${request.method} ${request.target} HTTP/${request.version}`,
    ...head.text.split('\r\n').map(line => `  | ${line}`),
  ].join('\n');
}

function note(entry: object): void {
  const { RESPONSE_LINT_REPORT: report } = process.env;
  if (report !== undefined) fs.appendFileSync(report, JSON.stringify(entry) + '\n');
}

process.on('exit', () => {
  note({ file, rules: rules.length, counts, oracle, exempted });
  if (violations > 0) process.exitCode = 1;
});

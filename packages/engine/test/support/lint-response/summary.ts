/** Adds up the records of all processes of a test run. */
import { exemptions } from './exemptions.js';

/** The figures of a process, written at its end, or a violation, written at once. */
interface Note {
  violation?: string;
  rules?: number;
  counts?: Record<string, number>;
  oracle?: Record<string, number>;
  exempted?: Record<string, number>;
}

/** @param ofAll whether every test has run, so that each exemption should have been used */
export function summarize(notes: readonly Note[], ofAll: boolean): { violations: number; lines: string[] } {
  const violations = notes.flatMap(({ violation }) => violation ?? []);
  const add = (pick: (note: Note) => Record<string, number> | undefined): Map<string, number> => {
    const total = new Map<string, number>();
    for (const [name, count] of notes.flatMap(note => Object.entries(pick(note) ?? {}))) {
      total.set(name, (total.get(name) ?? 0) + count);
    }
    return total;
  };
  const sum = (counts: Map<string, number>): number =>
    [...counts.values()].reduce((all, one) => all + one, 0);
  const checked = add(note => note.counts);
  const exempted = add(note => note.exempted);
  const rules = Math.max(0, ...notes.map(note => note.rules ?? 0));
  const own = (checked.get('ours') ?? 0) + (checked.get('bare') ?? 0);
  const lines = [
    `responses: ${own} checked by ${rules} rules, ${violations.length} violations, ${sum(exempted)} exempted`,
    `responses of the oracle: ${checked.get('oracle') ?? 0}, ${sum(add(note => note.oracle))} violations`,
    ...violations,
  ];
  const idle = exemptions.filter(({ reason }) => !exempted.has(reason));
  if (ofAll) lines.push(...idle.map(({ reason }) => `unused exemption: ${reason}`));
  return { violations: violations.length, lines };
}

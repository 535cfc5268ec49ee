/** Renders the cases and their outcomes as the tables of docs/proofs/conformance.md. */
import { needsApplication } from './application.js';
import { isRight } from './outcome.js';
import type { Case, Group } from './case.js';

/** How each server responded, by case. */
export interface Outcomes {
  /** `node:http` without a framework. */
  runtime: Map<Case, string>;
  express: Map<Case, string>;
  ours: Map<Case, string>;
  strict: Map<Case, string>;
}

const HEADER = ['case', 'allowed', '`node:http`', 'Express 4', 'Ristretto', '`strict http`', ''];

/** The rows of a group, each as an array of cells. */
export function rows({ cases }: Group, { runtime, express, ours, strict }: Outcomes): string[][] {
  const body = cases.map(one => [
    text(one.title),
    one.right.map(codeCell).join(' or '),
    needsApplication(one.bytes) ? '–' : judged(one, runtime.get(one)!),
    judged(one, express.get(one)!),
    judged(one, ours.get(one)!),
    judged(one, strict.get(one)!),
    text(one.open ?? one.differs ?? ''),
  ]);
  return [HEADER, HEADER.map(() => '---'), ...body];
}

/** All groups as Markdown. */
export function tables(groups: readonly Group[], outcomes: Outcomes): string {
  return groups
    .map(group => {
      const lines = rows(group, outcomes).map(cells => `| ${cells.join(' | ')} |`);
      const { section } = group.cases[0]!;
      return [`### ${group.name} (${section})`, '', ...lines].join('\n');
    })
    .join('\n\n');
}

/** Parses the tables of a document: the cells of each row, without padding. */
export function cellsOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim().replace(/^-+$/, '---')),
    );
}

function judged(one: Case, outcome: string): string {
  return isRight(outcome, one) ? codeCell(outcome) : `✗ ${codeCell(outcome)}`;
}

/** Formats an outcome as code in a cell. */
export function codeCell(outcome: string): string {
  const [open, close] = outcome.includes('`') ? ['`` ', ' ``'] : ['`', '`'];
  return `${open}${outcome.replace(/\|/g, '\\|').trim()}${close}`;
}

const text = (title: string): string => title.replace(/[\\*_<>|]/g, '\\$&');

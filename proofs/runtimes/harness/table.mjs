/** Writes docs/runtimes.md from the checks and the listed differences, which a run verifies. */
import fs from 'node:fs';
import path from 'node:path';
import { groups } from '../checks/index.mjs';
import { differences, inapplicable } from '../differences.mjs';
import { HOME } from './runtimes.mjs';

const FILE = path.join(HOME, '../../docs/runtimes.md');
const INTRODUCTION = fs.readFileSync(path.join(HOME, 'harness/introduction.md'), 'utf8').trim();

const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
const table = (/** @type {string[]} */ head, /** @type {string[][]} */ rows) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

/** Returns how many of the checks that apply to a way it passes as Node.js does. */
function passed(/** @type {string} */ way) {
  const applied = Object.keys(groups).filter(group => inapplicable[way]?.[group] === undefined);
  const count = applied.reduce((sum, group) => sum + groups[group].length, 0);
  const listed = differences.filter(({ on }) => on.includes(way)).flatMap(({ seen }) => Object.keys(seen));
  return listed.length === 0 ? `all ${count}` : `${count - listed.length} of ${count}`;
}

/** Returns the document for these ways. All versions of Node.js share one row: none may differ. */
function document(/** @type {import('./runtimes.mjs').Way[]} */ ways, /** @type {string[]} */ majors) {
  const others = ways.filter(({ name }) => !name.startsWith('Node.js'));
  const rows = [
    [`Node.js ${majors.join(', ')}`, passed('Node.js')],
    ...others.map(({ name, version }) => [`${name} ${version}`, passed(name)]),
  ];
  /** @type {Record<string, string[]>} The ways with the same reason, which share a line. */
  const reasons = {};
  for (const [way, of] of Object.entries(inapplicable))
    for (const [group, reason] of Object.entries(of)) (reasons[`${group}: ${reason}.`] ??= []).push(way);
  const listed = differences.map(({ on, what }) => [on.join('; '), what]);
  return `${[
    INTRODUCTION,
    table(['where', 'checks passed'], rows),
    'What is not counted, because it does not apply:',
    Object.entries(reasons)
      .map(([reason, of]) => `- ${of.join('; ')}: ${reason}`)
      .join('\n'),
    '## What differs',
    'The runtimes do the same without the framework.',
    table(['where', 'what'], listed),
  ].join('\n\n')}\n`;
}

/** Returns titles that differences name but that no check has. */
function unknownTitles() {
  const titles = new Set(
    Object.entries(groups).flatMap(([group, checks]) => checks.map(({ name }) => `${group}: ${name}`)),
  );
  return differences.flatMap(({ seen }) => Object.keys(seen)).filter(title => !titles.has(title));
}

/** Writes the document, or only compares it; returns the problems found. */
export function documentRun(
  /** @type {import('./runtimes.mjs').Way[]} */ ways,
  /** @type {string[]} */ majors,
  /** @type {boolean} */ isCheck,
) {
  const names = new Set(ways.map(({ name }) => name));
  const unknownWays = differences.flatMap(({ on }) => on).filter(name => !names.has(name));
  const wrong = [
    ...unknownTitles().map(title => `no check is called ${title}`),
    ...unknownWays.map(name => `no way is called ${name}`),
  ];
  const text = document(ways, majors);
  if (!isCheck) fs.writeFileSync(FILE, text);
  else if (!fs.existsSync(FILE) || fs.readFileSync(FILE, 'utf8') !== text)
    wrong.push('docs/runtimes.md is out of date (npm run runtimes)');
  return wrong;
}

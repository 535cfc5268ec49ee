/** Sends the cases to all servers, and renders the outcomes as the tables of docs/proofs/conformance.md. */
import { frameworks } from '../oracle.js';
import { application, bare, needsRoutes } from './application.js';
import type { Case, Group } from './case.js';
import { connection } from './connection.js';
import { fields } from './fields.js';
import { framing } from './framing.js';
import { isRight, outcomes } from './outcome.js';
import { requestLine, target } from './request-line.js';

/** How each server responded, by case. */
export interface Outcomes {
  /** `node:http` without a framework. */
  runtime: Map<Case, string>;
  express: Map<Case, string>;
  ours: Map<Case, string>;
  strict: Map<Case, string>;
}

/** The servers in the order of the tables. */
export const SERVERS = [
  ['`node:http`', 'runtime'],
  ['Express 4', 'express'],
  ['Ristretto', 'ours'],
  ['`strict http`', 'strict'],
] as const satisfies [string, keyof Outcomes][];

/** Sends all cases to all servers. */
export async function askAll(groups: readonly Group[]): Promise<Outcomes> {
  const all = groups.flatMap(({ cases }) => cases);
  const ask = async (server: ReturnType<typeof bare>): Promise<Map<Case, string>> => {
    const answers = await outcomes(server, all);
    return new Map(all.map((one, at) => [one, answers[at]!]));
  };
  // At the same time, because each mostly waits for the timeouts of incomplete requests
  const [runtime, express, ours, strict] = await Promise.all([
    ask(bare()),
    ask(application(frameworks.express)),
    ask(application(frameworks.ristretto)),
    ask(application(frameworks.ristretto, 'strict http', 'method not allowed')),
  ]);
  return { runtime, express, ours, strict };
}

/** Whether a server without a framework does what the specification requires, and the default does not. */
export function isKept(one: Case, { runtime, ours }: Outcomes): boolean {
  return !needsRoutes(one.bytes) && isRight(runtime.get(one)!, one) && !isRight(ours.get(one)!, one);
}

/** The tables of the page: the counts of each group, the cases in which only bare `node:http` is right, and all others that fail or differ. */
export function tables(groups: readonly Group[], outcomes: Outcomes): string {
  const isPassed = ({ cases }: Group): boolean =>
    cases.every(one => SERVERS.every(([, server]) => isRight(outcomes[server].get(one)!, one)));
  const passed = groups.filter(isPassed).map(({ name, cases }) => `${name} (${cases.length})`);
  const mixed = groups.filter(group => !isPassed(group));
  const kept = groups.flatMap(group => group.cases).filter(one => isKept(one, outcomes));
  return [
    '### Groups',
    table(
      ['group', 'RFC', 'cases', ...SERVERS.map(([name]) => name)],
      mixed.map(group => counts(group, outcomes)),
    ),
    `All servers are right in all cases of: ${passed.join(', ')}.`,
    '### Where `node:http` is right and the default is not',
    table(
      ['case', 'RFC', ...SERVERS.map(([name]) => name), 'why'],
      kept.map(one => allCells(one, outcomes)),
    ),
    '### Where else the default, or `strict http`, is not right',
    table(
      ['case', 'default', '`strict http`'],
      groups.flatMap(({ name, cases }) =>
        cases.filter(one => isListed(one, outcomes)).map(one => failure(name, one, outcomes)),
      ),
    ),
  ].join('\n\n');
}

/** All cases with all outcomes. */
export function wholeTable(groups: readonly Group[], outcomes: Outcomes): string {
  return table(
    ['case', 'RFC', ...SERVERS.map(([name]) => name), 'allowed'],
    groups.flatMap(({ name, cases }) =>
      cases.map(one => [
        `${name}: ${text(one.title)}`,
        ...allCells(one, outcomes).slice(1, -1),
        allowed(one),
      ]),
    ),
  );
}

/** How many cases of a group each server gets right. */
function counts({ name, cases }: Group, outcomes: Outcomes): string[] {
  const numbers = SERVERS.map(([, server]) => {
    const asked = server === 'runtime' ? cases.filter(one => !needsRoutes(one.bytes)) : cases;
    const right = asked.filter(one => isRight(outcomes[server].get(one)!, one)).length;
    return asked.length === cases.length ? String(right) : `${right} of ${asked.length}`;
  });
  return [name, shortSection(cases[0]!), String(cases.length), ...numbers];
}

function allCells(one: Case, outcomes: Outcomes): string[] {
  const cells = SERVERS.map(([, server]) =>
    server === 'runtime' && needsRoutes(one.bytes) ? '–' : judged(one, outcomes[server].get(one)!),
  );
  return [text(one.title), shortSection(one), ...cells, one.kept ?? ''];
}

const isListed = (one: Case, outcomes: Outcomes): boolean =>
  !isKept(one, outcomes) &&
  (one.differs !== undefined ||
    !isRight(outcomes.ours.get(one)!, one) ||
    !isRight(outcomes.strict.get(one)!, one));

/** `node:http` is not right here either, so its outcome is left out, and so is what is allowed if `strict http` is right. */
function failure(group: string, one: Case, { express, ours, strict }: Outcomes): string[] {
  const [theirs, own] = [codeCell(express.get(one)!), codeCell(ours.get(one)!)];
  const last = judged(one, strict.get(one)!);
  return [
    `${group}: ${text(one.title)}`,
    theirs === own ? own : `${own}, Express ${theirs}`,
    one.open === undefined ? last : `${last}, allowed ${allowed(one)}: ${one.open}`,
  ];
}

function table(header: string[], body: string[][]): string {
  return [header, header.map(() => '---'), ...body].map(cells => `| ${cells.join(' | ')} |`).join('\n');
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

const shortSection = ({ section }: Case): string => section.replace('RFC ', '');
const allowed = ({ right }: Case): string => right.map(codeCell).join(' or ');

function judged(one: Case, outcome: string): string {
  return isRight(outcome, one) ? codeCell(outcome) : `✗ ${codeCell(outcome)}`;
}

/** Formats an outcome as code in a cell. */
export function codeCell(outcome: string): string {
  const [open, close] = outcome.includes('`') ? ['`` ', ' ``'] : ['`', '`'];
  return `${open}${outcome.replace(/\|/g, '\\|').trim()}${close}`;
}

const text = (title: string): string => title.replace(/[\\*_<>|]/g, '\\$&');

/** All cases, in table order. */
export const groups: Group[] = [...requestLine, ...target, ...fields, ...framing, ...connection];

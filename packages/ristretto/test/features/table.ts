/** Finds the tests of each row of the catalogue, and writes the table as Markdown. */
import type { Chapter, Rows } from './chapter.js';

/** A test that a run executes: its file, the titles of the suites around it, its own title. */
export interface NotedTest {
  file: string;
  suites: string[];
  title: string;
}

/** A row of the catalogue with its tests. */
export interface Found {
  chapter: string;
  /** Empty where tests of any member count. */
  member: string;
  row: string;
  rule: string;
  tests: NotedTest[];
}

/** Ends of titles of tests that run on each framework. */
const FRAMEWORK = / \((ristretto|express)\)$/;

/** The tests that run against this package, without its name in their titles. */
export function ownTests(tests: NotedTest[]): NotedTest[] {
  return tests
    .filter(({ suites, title }) => ![...suites, title].some(text => FRAMEWORK.exec(text)?.[1] === 'express'))
    .map(({ file, suites, title }) => ({
      file,
      suites: suites.map(suite => suite.replace(FRAMEWORK, '')),
      title: title.replace(FRAMEWORK, ''),
    }));
}

/**
 * Whether a title belongs to a row. A row with a colon is the beginning of a title, up to the end of a word; any
 * other row is the whole text before the title's colon, alone or in a list.
 */
export function isOfRow(row: string, title: string): boolean {
  const rest = title.startsWith(row) ? title.slice(row.length) : undefined;
  if (rest === '' || rest?.startsWith(':')) return true;
  if (row.includes(': ')) return /^[,; ]/.test(rest ?? '');
  const colon = title.indexOf(': ');
  return colon > 0 && title.slice(0, colon).split(', ').includes(row);
}

/** Whether a title contains an id that is not part of a longer one. */
export function namesId(id: string, title: string): boolean {
  const at = title.indexOf(id);
  return at >= 0 && !/[\w-]/.test(title[at - 1] ?? ' ') && !/[\w-]/.test(title[at + id.length] ?? ' ');
}

/** Every row with its tests. */
export function findTests(catalog: Chapter[], all: NotedTest[]): Found[] {
  const own = ownTests(all);
  const homes = catalog.flatMap(({ home }) => home ?? []);
  return catalog.flatMap(({ title: chapter, home, members = {}, ids = {} }) => {
    const tests = own.filter(({ file }) => homes.find(folder => file.startsWith(folder)) === home);
    return rowsOf(chapter, members, ids, tests);
  });
}

function rowsOf(chapter: string, members: Record<string, Rows>, ids: Rows, tests: NotedTest[]): Found[] {
  return [
    ...Object.entries(members).flatMap(([member, rows]) => {
      const inMember = tests.filter(({ suites }) => suites.includes(member));
      return Object.entries(rows).map(([row, rule]) => ({
        chapter,
        member,
        row,
        rule,
        tests: inMember.filter(({ title }) => isOfRow(row, title)),
      }));
    }),
    ...Object.entries(ids).map(([row, rule]) => ({
      chapter,
      member: '',
      row,
      rule,
      tests: tests.filter(({ title }) => namesId(row, title)),
    })),
  ];
}

/** The table: chapters, members, and for each row its rule and its tests. */
export function toMarkdown(found: Found[], intro: string): string {
  const lines = [intro.trimEnd()];
  let chapter: string | undefined;
  let member: string | undefined;
  for (const row of found) {
    if (row.chapter !== chapter) lines.push('', `## ${row.chapter}`);
    if (row.chapter !== chapter || row.member !== member) {
      if (row.member) lines.push('', `### ${row.member}`);
      lines.push('', '| row | what it is | tests |', '| --- | --- | --- |');
    }
    ({ chapter, member } = row);
    lines.push(`| ${[code(row.row), cell(row.rule), testsOf(row)].join(' | ')} |`);
  }
  return lines.join('\n') + '\n';
}

/** The maximum number of titles that a row shows; the others are counted. */
const SHOWN = 3;

function testsOf({ tests }: Found): string {
  const titles = new Map<string, Set<string>>();
  for (const { file, title } of tests) {
    const ofFile = titles.get(file) ?? new Set();
    titles.set(file, ofFile.add(title));
  }
  return [...titles]
    .map(([file, ofFile]) => {
      const shown = [...ofFile].slice(0, SHOWN).map(cell);
      if (ofFile.size > SHOWN) shown.push(`${ofFile.size - SHOWN} more`);
      return `[${file.slice(file.lastIndexOf('/') + 1)}](../../${file}): ${shown.join('; ')}`;
    })
    .join('<br>');
}

const code = (text: string): string => '`' + text.replaceAll('|', '\\|') + '`';
const cell = (text: string): string => text.replace(/[|\\<>*_`[\]]/g, '\\$&');

/**
 * Mistakes that programs make, and what the terminal and the browser say about each in development: the value that is
 * wrong, the line of the program, and what to do.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { MISTAKES } from '../support/mistakes.js';
import type { Mistake } from '../support/mistakes.js';

interface Result {
  output: string;
  pages: { status: number; text: string }[];
}

const VERSIONS = { 3: 'ristretto3', 4: 'ristretto', 5: 'ristretto5' } as const;
/** How many programs share a process: after five warnings with one code, the framework only counts them. */
const AT_ONCE = 20;

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mistakes-')));
after(() => {
  fs.rmSync(folder, { recursive: true });
});

/** Writes the program to a file, in which its first line is line 2. */
function write({ title, program }: Mistake, version: string): string {
  const file = path.join(folder, `${version}-${title.replaceAll(/\W+/g, '-').slice(0, 60)}.cjs`);
  fs.writeFileSync(file, `const app = web();\n${program.trim()}\nmodule.exports = app;\n`);
  return file;
}

/** The line that the program marks as the one to name. */
function markedLine({ program }: Mistake): number | undefined {
  const line = program
    .trim()
    .split('\n')
    .findIndex(text => text.includes('// <-'));
  return line < 0 ? undefined : line + 2;
}

function expectedOf({ terminal, on, remedy }: Mistake, version: keyof typeof VERSIONS): RegExp[] {
  return [...(on?.[version] ?? terminal), ...(remedy === undefined ? [] : [remedy])];
}

/** Runs programs in one process, and returns what each printed and sent. */
async function run(version: keyof typeof VERSIONS, mistakes: readonly Mistake[]): Promise<Result[]> {
  const list = mistakes.map(mistake => ({
    file: write(mistake, `v${version}`),
    asks: mistake.asks ?? [],
    isLate: mistake.isLate ?? false,
    expected: expectedOf(mistake, version).map(({ source }) => source),
  }));
  const input = path.join(folder, `v${version}-${path.basename(list[0]!.file)}.json`);
  fs.writeFileSync(input, JSON.stringify({ name: VERSIONS[version], mistakes: list }));
  const env = { ...process.env };
  // The runner of the tests sets these; and the last one fails the run for responses that break rules, as some of these do
  const unwanted = ['NODE_ENV', 'RISTRETTO_WARNINGS', 'RISTRETTO_ERROR_PAGE', 'RESPONSE_LINT_REPORT'];
  for (const name of unwanted) Reflect.deleteProperty(env, name);
  const child = spawn(
    process.execPath,
    ['--no-warnings', path.join(__dirname, '../support/mistakes.cjs'), input],
    { env },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await new Promise(resolve => child.on('close', resolve));
  const results = JSON.parse(stdout) as Result[];
  if (mistakes.length === 1) results[0]!.output += stderr;
  return results;
}

function textOf(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}

function check(mistake: Mistake, version: keyof typeof VERSIONS, { output, pages }: Result): void {
  const line = markedLine(mistake);
  const place =
    line === undefined
      ? ''
      : `v${version}-${mistake.title.replaceAll(/\W+/g, '-').slice(0, 60)}.cjs:${line}:`;
  const said = `${mistake.title}\n${output}\n${pages.map(({ status, text }) => `${status} ${text.slice(0, 300)}`).join('\n')}`;
  assert.ok(output.includes(place), `The terminal does not name line ${line}: ${said}`);
  for (const fact of expectedOf(mistake, version)) assert.match(output, fact, said);
  const page = pages.at(-1);
  if (page === undefined) return;
  assert.ok(page.status > 0 || mistake.isLate === true, `No response: ${said}`);
  if (page.status < 500) return;
  assert.ok(page.text.includes(place), `The page does not name line ${line}: ${said}`);
  const shown = [...page.text.matchAll(/aria-label="Source of ([^"]*)"/g)].map(([, file]) => file!);
  if (line !== undefined && shown.length > 0)
    assert.ok(
      shown.some(file => file.includes(place)),
      `The page shows ${shown.join()}: ${said}`,
    );
  assert.ok(
    !shown.some(file => /packages.(?:engine|ristretto)/.test(file)),
    `The page shows ${shown.join()}`,
  );
  for (const fact of mistake.page ?? []) assert.match(textOf(page.text), fact, said);
}

for (const version of [4, 5, 3] as const) {
  describe(`mistakes on ${version}.x`, () => {
    const applicable = MISTAKES.filter(({ versions = [4, 5] }) => versions.includes(version));
    const groups = applicable.filter(({ ends }) => ends).map(mistake => [mistake]);
    const late = applicable.filter(({ ends, isLate }) => !ends && isLate);
    if (late.length > 0) groups.push(late);
    const rest = applicable.filter(({ ends, isLate }) => !ends && !isLate);
    const count = Math.ceil(rest.length / AT_ONCE);
    // Neighbors have the same codes
    for (let i = 0; i < count; i++) groups.push(rest.filter((_, at) => at % count === i));
    for (const group of groups) {
      const results = run(version, group);
      for (const [i, mistake] of group.entries()) {
        test(mistake.title, async () => {
          check(mistake, version, (await results)[i]!);
        });
      }
    }
  });
}

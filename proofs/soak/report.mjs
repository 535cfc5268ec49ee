/**
 * Writes the results of the stress runs as JSON and as a table in Markdown. Rows of the same day that were not run
 * again are kept.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const folder = new URL('../bench/results/', import.meta.url);

/** @typedef {{ title: string, goal: string, load: string, cells: Record<string, { figures: string, reached: boolean }> }} Result */

/** The load average of the last minute, which includes other work on the machine. */
export const load = () => loadavg()[0].toFixed(1);

/**
 * @param {string[]} titles of all rows, in order
 * @param {string[]} frameworks
 * @param {Result[]} results
 */
export function writeReport(titles, frameworks, results) {
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const file = new URL(`operations-${date}.json`, folder);
  /** @type {Result[]} */
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const all = titles.flatMap(title => [...results, ...earlier].find(result => result.title === title) ?? []);
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  const line = cells => `| ${cells.join(' | ')} |`;
  const head = ['what goes wrong', 'goal', ...frameworks, 'load average'];
  const rows = all.map(({ title, goal, load, cells }) => [
    title,
    goal,
    ...frameworks.map(name => `${cells[name].reached ? '✔' : '✖'} ${cells[name].figures}`),
    load,
  ]);
  const text = `# Operation under stress, ${date}

Node ${process.version}, ${cpus().length} cores, ${cpus()[0].model}; servers and load on the same machine. The load average
is that before each row: above ${cpus().length}, the machine had other work, and times are longer for it. Made by \`npm run soak\`.

${line(head)}
${line(head.map(() => '---'))}
${rows.map(line).join('\n')}
`;
  writeFileSync(new URL(`operations-${date}.md`, folder), text);
}

/** Writes the results as JSON, as a table in Markdown, and as a bar chart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const folder = new URL('../results/', import.meta.url);

/**
 * Writes all three. Rows that an earlier run of the same day, with as many bursts, has measured are kept.
 *
 * @param isInMemory whether requests came from a connection in memory
 * @param arena whether these are the profiles of the arenas
 * @param applications whether these are real applications, which are compared with Express; neither has a chart
 */
export function writeReport(version, bursts, measured, { memory: isInMemory, arena, applications }) {
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const group = arena ? 'arena-' : applications ? 'applications-' : '';
  const name = `${group}${isInMemory ? 'without-network-' : ''}${date}-node${version.slice(1)}`;
  const machine = `${cpus().length} cores, ${cpus()[0].model}`;
  const file = new URL(`${name}.json`, folder);
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { results: [] };
  const isKept = ({ scenario }) =>
    earlier.bursts === bursts && !measured.some(row => row.scenario === scenario);
  const results = [...earlier.results.filter(isKept), ...measured];
  writeFileSync(file, JSON.stringify({ date, node: version, machine, bursts, results }, null, 2) + '\n');
  writeFileSync(
    new URL(`${name}.md`, folder),
    table(
      version,
      date,
      isInMemory
        ? `${machine}; requests from a connection in memory, without a network`
        : `${machine}; server and load pinned to different cores`,
      bursts,
      results,
      applications ? 'express' : 'bare',
    ),
  );
  const conditions = isInMemory ? `${version}, without the network` : version;
  if (group === '')
    writeFileSync(new URL(`node${version.slice(1).split('.')[0]}.svg`, folder), chart(conditions, results));
}

/** Returns a ratio with its quartiles, and what else was measured: the time of its own code, the bytes for each request. */
function cell(figure) {
  if (figure === undefined) return '–';
  const [low, high] = figure.quartiles.map(each => each.toFixed(2));
  const own = figure.own === undefined ? '' : `, ${figure.own.toFixed(1)} µs`;
  const bytes = figure.bytes === undefined ? '' : `, ${figure.bytes} B`;
  return `${figure.ratio.toFixed(2)} (${low}–${high})${own}${bytes}${p99Of(figure)}`;
}

/** Returns the milliseconds within which 99 % of the responses arrived, on 16 connections, if that was measured. */
const p99Of = ({ p99 }) => (p99 === undefined ? '' : `, p99 ${p99.toFixed(1)} ms`);

function table(version, date, conditions, bursts, results, base) {
  const frameworks = [...new Set(results.flatMap(({ figures }) => Object.keys(figures)))];
  const peers = frameworks.filter(name => name !== base);
  const rows = results.map(({ scenario, figures, goal }) => [
    scenario,
    figures[base] === undefined ? '–' : (figures[base].nanoseconds / 1000).toFixed(1) + p99Of(figures[base]),
    goal ?? '–',
    ...peers.map(name => cell(figures[name])),
  ]);
  const line = cells => `| ${cells.join(' | ')} |`;
  const head = ['scenario', `µs of ${base}`, 'goal', ...peers];
  return `# Node ${version}, ${date}

How many requests each answers in the processor time in which ${base === 'bare' ? 'bare \`node:http\`' : 'Express'} answers one: the median of the ratios of ${bursts}
interleaved bursts, with the quartiles. \`again\` is a second such server, which shows the noise. Microseconds, if given, are the
time of the framework's own JavaScript, with its packages and the handler, without Node's functions and system calls.
${conditions}.

${line(head)}
${line(head.map(() => '---'))}
${rows.map(line).join('\n')}
`;
}

/** Draws a group of bars for each scenario; the line is bare \`node:http\`. */
function chart(conditions, results) {
  const shown = ['ristretto', 'fastify', 'express4'];
  const colors = { ristretto: '#7c4a1e', fastify: '#9aa5b1', express4: '#d9c7b0' };
  const barHeight = 12;
  const groupHeight = shown.length * barHeight + 12;
  const left = 190;
  const scale = 240;
  const height = results.length * groupHeight + 60;
  const parts = results.map(({ scenario, figures }, i) => {
    const top = 40 + i * groupHeight;
    const bars = shown.map((name, j) => {
      const ratio = figures[name]?.ratio;
      if (ratio === undefined) return '';
      const y = top + j * barHeight;
      const width = Math.min(ratio, 2.2) * scale;
      return `<rect x="${left}" y="${y}" width="${width.toFixed(1)}" height="${barHeight - 2}" fill="${colors[name]}"/><text x="${(left + width + 4).toFixed(1)}" y="${y + 9}">${ratio.toFixed(2)}</text>`;
    });
    return `<text x="${left - 8}" y="${top + groupHeight / 2 - 4}" text-anchor="end">${scenario.replace('&', '&amp;')}</text>${bars.join('')}`;
  });
  const legend = shown
    .map(
      (name, i) =>
        `<rect x="${left + i * 110}" y="12" width="10" height="10" fill="${colors[name]}"/><text x="${left + 14 + i * 110}" y="21">${name}</text>`,
    )
    .join('');
  const bare = left + scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
${legend}<text x="${bare + 4}" y="${height - 8}">bare node:http = 1 (${conditions})</text>
<line x1="${bare}" y1="32" x2="${bare}" y2="${height - 20}" stroke="black" stroke-dasharray="3 3"/>
${parts.join('\n')}
</svg>
`;
}

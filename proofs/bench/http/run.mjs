/**
 * The benchmark: what a request costs each framework in processor time, beside bare `node:http`.
 *
 *     npm run bench                                   all scenarios and frameworks
 *     npm run bench -- --only 'json hello;text' --frameworks bare,again,ristretto --node /path/to/node
 *                      --bursts 40                    measurements of each server
 *                      --starts 1                     processes of each server, one after the other: compiled code
 *                                                     differs from start to start
 *                      --milliseconds 60              processor time of one burst, about
 *                      --connections 16               keep-alive connections of a burst
 *                      --memory                       without a network: requests from a connection in memory, also the
 *                                                     bytes that a request allocates
 *                      --arena                         the profiles of the public arenas (proofs/bench/arena/README.md) instead
 *                      --applications                  real applications on Express and here instead, also with p99
 *                      --own                          also what its own code takes, by profile (needs perf)
 *                      --dry                          writes nothing to proofs/bench/results
 *
 * All servers of a scenario run at the same time, on one core, and get short bursts of requests from the other core, in
 * turn, on new connections. A machine's speed changes from second to second, so a burst is compared only with that of
 * bare `node:http` in the same turn. A figure is the median of these ratios (how many requests it answers in the time in
 * which bare answers one), with its quartiles. `again` is a second bare server: how far it is from 1 is the noise.
 *
 * Each response is checked before it is timed. Needs h2load (`apt-get install nghttp2-client`), built packages, and the
 * registry, from which it installs the other frameworks in proofs/bench/node_modules; some scenarios start PostgreSQL or Redis, and
 * are left out without it (`apt-get install postgresql redis-server`).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import path from 'node:path';
import { npm } from '../../../scripts/npm.mjs';
import { readOptions } from '../../../scripts/options.cjs';
import { root } from '../../../scripts/packages.cjs';
import { ask, load, prepare, prepareLoad, textOf } from './load.mjs';
import { files, median, quantile, services, start, tell } from './processes.mjs';
import { ownTimes } from './profile.mjs';
import { scenarios } from './scenarios.mjs';

const folder = new URL('../results/', import.meta.url);

/**
 * Writes all three. Rows that an earlier run of the same day, with as many bursts, has measured are kept.
 *
 * @param isInMemory whether requests came from a connection in memory
 * @param arena whether these are the profiles of the arenas
 * @param applications whether these are real applications, which are compared with Express; neither has a chart
 */
function writeReport(version, bursts, measured, { memory: isInMemory, arena, applications }) {
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

const hono = createRequire(import.meta.url)('./frameworks/hono.cjs');
const { values: options } = readOptions({
  only: { type: 'string' },
  frameworks: { type: 'string' },
  arena: { type: 'boolean', default: false },
  applications: { type: 'boolean', default: false },
  bursts: { type: 'string', default: '40' },
  starts: { type: 'string', default: '1' },
  milliseconds: { type: 'string', default: '60' },
  connections: { type: 'string', default: '16' },
  node: { type: 'string', default: process.execPath },
  memory: { type: 'boolean', default: false },
  own: { type: 'boolean', default: false },
  dry: { type: 'boolean', default: false },
});

const isOfArena = name => name.startsWith('arena ');
const isApplication = name => name.startsWith('application: ');
const selected =
  options.only?.split(';').map(name => name.trim()) ??
  Object.keys(scenarios).filter(
    name => isOfArena(name) === options.arena && isApplication(name) === options.applications,
  );
const ARENA = 'bare,again,ristretto,ristretto5,express4,express5,fastify,hono';
const ALL =
  'bare,again,bare-headers,limit,ristretto,ristretto+,ristretto5,ristretto5+,express4,express5,fastify,hono';
const APPLICATIONS = 'express,again,ristretto,ristretto5';
const frameworks = (
  options.frameworks ?? (options.arena ? ARENA : options.applications ? APPLICATIONS : ALL)
).split(',');
requireKnown('scenario', selected, Object.keys(scenarios));
requireKnown('framework', frameworks, [ALL, ARENA, APPLICATIONS].join().split(','));
/** What others are compared with. */
const BASE = options.applications ? 'express' : 'bare';
const connections = Number(options.connections);
/**
 * Nanoseconds of processor time for which a server is loaded before it is measured. After one second, the compiler still
 * works on applications with many middlewares, and its time would count as theirs.
 */
const WARM_UP = 4e9;

/** Ends the benchmark if one of the names is not known. */
function requireKnown(kind, names, known) {
  const unknown = names.find(name => !known.includes(name));
  if (unknown === undefined) return;
  console.error(`No ${kind} is named '${unknown}'; there are: ${[...new Set(known)].join('; ')}`);
  rmSync(files, { recursive: true });
  process.exit(1);
}

const OVER_HTTP2 = ['bare', 'again', 'ristretto', 'ristretto5', 'fastify'];

/** Whether a framework can do what a scenario asks for. */
function takesPart(framework, scenario) {
  const { http2, middleware } = scenarios[scenario];
  if (isApplication(scenario))
    return !/^ristretto/.test(framework) || framework.endsWith('5') === /Nest|Apollo/.test(scenario);
  if (isOfArena(scenario)) return (scenarios[scenario].frameworks ?? ARENA.split(',')).includes(framework);
  if (framework === 'bare-headers') return scenario === 'usual middleware';
  // GET requests whose responses are the same bytes each time.
  if (framework === 'limit')
    return /^json hello(?:, (?:awaited|lean))?$|^text$|^last of|nested routers|middlewares/.test(scenario);
  if (framework.endsWith('+')) return middleware === true;
  if (http2) return OVER_HTTP2.includes(framework);
  if (framework === 'hono') return hono.scenarios.includes(scenario);
  if (framework === 'fastify')
    return !/^file|^range|ejs|lean/.test(scenario) && scenario !== 'json hello, createServer';
  return true;
}

/** Sends a burst; returns the nanoseconds of the server's processor time for each request. */
async function burst(server, requests) {
  if (options.memory) return tell(server.child, { text: server.text, requests });
  const before = await tell(server.child, 'processor time');
  const { count, times } = await load(server.port, server.request, { requests }, connections);
  server.times?.push(...times);
  return ((await tell(server.child, 'processor time')) - before) / count;
}

/** Starts a server, checks its response, and loads it until its code is compiled. */
async function ready(framework, name) {
  const { request, check, http2 } = scenarios[name];
  const server = await start(
    framework,
    name,
    request.path,
    options.node,
    options.memory ? ['--expose-gc'] : [],
  );
  server.request = await prepare(server.port, { ...request, http2 });
  server.text = textOf(server.request);
  const answer = await ask(server.port, server.request);
  if (!check(answer))
    throw new Error(`${framework} answers '${name}' wrongly: ${answer.status} ${answer.body.slice(0, 200)}`);
  let cost = await burst(server, connections);
  for (let used = 0; used < WARM_UP;) {
    const requests = sizeOf(cost);
    cost = await burst(server, requests);
    used += cost * requests;
  }
  server.requests = sizeOf(cost);
  return server;
}

/** Returns the requests of a burst, of which each connection sends several if the time allows it. */
const sizeOf = cost =>
  Math.max(
    connections,
    Math.min(Math.max(5000, 100 * connections), Math.round((Number(options.milliseconds) * 1e6) / cost)),
  );

/** Starts all servers, and adds what a request costs them in each turn, and the bytes that it allocates. */
async function measureOnce(name, costs, bytes, p99) {
  const servers = [];
  for (const framework of costs.keys()) servers.push(await ready(framework, name));
  if (options.applications) for (const server of servers) server.times = [];
  for (let turn = 0; turn < Number(options.bursts); turn++) {
    // Runs them in a different order each time, so that none always follows the same one.
    const first = turn % servers.length;
    for (const server of [...servers.slice(first), ...servers.slice(0, first)])
      costs.get(server.framework).push(await burst(server, server.requests));
  }
  for (const { framework, child, requests, ...server } of options.memory ? servers : []) {
    await tell(child, 'allocated');
    await burst({ child, ...server }, requests);
    bytes.set(framework, Math.round((await tell(child, 'allocated')) / requests));
  }
  for (const { framework, times } of servers) if (times) p99.set(framework, quantile(times, 0.99) / 1000);
  for (const { child } of servers) child.disconnect();
}

async function measure(name) {
  const taking = frameworks.filter(framework => takesPart(framework, name));
  const costs = new Map(taking.map(framework => [framework, []]));
  const bytes = new Map();
  const p99 = new Map();
  for (let i = 0; i < Number(options.starts); i++) await measureOnce(name, costs, bytes, p99);
  const base = costs.get(BASE);
  const figures = {};
  for (const [framework, list] of costs) {
    const ratios = list.map((cost, turn) => base[turn] / cost);
    figures[framework] = {
      nanoseconds: Math.round(median(list)),
      ratio: round(median(ratios)),
      quartiles: [round(quantile(ratios, 0.25)), round(quantile(ratios, 0.75))],
      starts: Array.from({ length: Number(options.starts) }, (_, i) =>
        round(median(ratios.slice(i * Number(options.bursts), (i + 1) * Number(options.bursts)))),
      ),
      bytes: bytes.get(framework),
      p99: p99.get(framework),
    };
  }
  const own = options.own ? await ownTimes([...costs.keys()], name, options.node, connections) : {};
  for (const [framework, microseconds] of Object.entries(own)) figures[framework].own = microseconds;
  console.log(name);
  for (const [framework, { nanoseconds, ratio, quartiles, own, starts, bytes, p99 }] of Object.entries(
    figures,
  )) {
    const parts = [
      `  ${framework.padEnd(14)} ${ratio.toFixed(2)} (${quartiles.map(each => each.toFixed(2)).join(' to ')})  ${(nanoseconds / 1000).toFixed(1)} µs`,
      starts.length > 1 && `starts ${starts.map(each => each.toFixed(2)).join(' ')}`,
      bytes !== undefined && `${bytes} bytes`,
      p99 !== undefined && `p99 ${p99.toFixed(1)} ms`,
      own !== undefined && `own code ${own.toFixed(1)} µs`,
    ];
    console.log(parts.filter(Boolean).join(', '));
  }
  return { scenario: name, goal: scenarios[name].goal, figures };
}

const round = number => Number(number.toFixed(3));

prepareLoad();
npm(['install'], path.join(root, 'proofs/bench'));
const version = execFileSync(options.node, ['-v']).toString().trim();
console.log(
  `Node ${version}: requests in the processor time in which ${BASE === 'bare' ? 'bare node:http' : 'Express'} answers one; median and quartiles of ${options.bursts} bursts each`,
);
const results = [];
try {
  for (const name of selected) {
    const { service } = scenarios[name];
    if (service && services[service].missing()) {
      console.log(`${name}\n  left out: ${services[service].missing()}`);
      continue;
    }
    const stop = service && (await services[service].start());
    results.push(await measure(name));
    await stop?.();
  }
} finally {
  rmSync(files, { recursive: true });
}
if (!options.dry) writeReport(version, Number(options.bursts), results, options);

/**
 * The benchmark: every framework runs in a separate process on one core and is loaded from the other, in interleaved
 * rounds.
 *
 *     npm run bench                                   all scenarios and frameworks
 *     npm run bench -- --only 'json hello;text' --frameworks bare,ristretto --rounds 5 --seconds 2 --node /path/to/node
 *
 * With `--cpu`, the figures are requests per second of the server's processor time: they are stable on a machine that
 * does other work, while requests per second are not.
 *
 * Time to load, memory and allocation are measured at the end; with `--only`, only if `--resources` is given.
 *
 * Each response is checked before it is timed. The result is the median over the rounds of the ratio to bare
 * `node:http` in the same round. Results go to bench/results, unless `--dry` is given.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { askHttp2, hasH2load, loadHttp2 } from './h2load.mjs';
import { ask, files, load, median, prepare, start, tell } from './processes.mjs';
import { writeReport } from './report.mjs';
import { measureResources } from './resources.mjs';
import { scenarios } from './scenarios.mjs';

const others = createRequire(import.meta.url)('./frameworks/others.cjs');
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    frameworks: {
      type: 'string',
      default: 'bare,ristretto,ristretto5,express4,express5,fastify,hono,koa,polka,sirv,serve-static',
    },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '50' },
    node: { type: 'string', default: process.execPath },
    cpu: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    resources: { type: 'boolean', default: false },
  },
});

const selected = options.only?.split(';').map(name => name.trim()) ?? Object.keys(scenarios);
const frameworks = options.frameworks.split(',');

const OVER_HTTP2 = ['bare', 'ristretto', 'ristretto5', 'fastify'];

function takesPart(framework, scenario) {
  if (scenarios[scenario].http2) return OVER_HTTP2.includes(framework);
  if (framework in others) return others[framework].scenarios.includes(scenario);
  if (framework === 'fastify')
    return !/^file|^range|ejs|lean/.test(scenario) && scenario !== 'json hello, createServer';
  return true;
}

async function rate(server) {
  const before = await tell(server.child, 'processor time');
  const perSecond = await server.load(server.port, server.request, options.seconds, options.connections);
  const used = (await tell(server.child, 'processor time')) - before;
  return options.cpu ? (perSecond * options.seconds) / used : perSecond;
}

async function measure(name) {
  const { request, check, goal, http2 } = scenarios[name];
  const servers = [];
  for (const framework of frameworks) {
    if (takesPart(framework, name)) servers.push(await start(framework, name, options.node));
  }
  const rates = new Map(servers.map(({ framework }) => [framework, []]));
  for (const server of servers) {
    server.request = await prepare(server.port, request);
    server.load = http2 ? loadHttp2 : load;
    const answer = await (http2 ? askHttp2 : ask)(server.port, server.request);
    if (!check(answer)) {
      throw new Error(
        `${server.framework} answers '${name}' wrongly: ${answer.status} ${answer.body.slice(0, 200)}`,
      );
    }
    await server.load(server.port, server.request, 1);
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const server of servers) {
      rates.get(server.framework).push(await rate(server));
    }
  }
  for (const { child } of servers) child.disconnect();
  const bare = rates.get('bare');
  const result = { scenario: name, goal, rates: {}, ratios: {} };
  for (const [framework, list] of rates) {
    result.rates[framework] = Math.round(median(list));
    result.ratios[framework] = Number(median(list.map((rate, i) => rate / bare[i])).toFixed(3));
  }
  console.log(
    name.padEnd(28),
    Object.entries(result.ratios)
      .map(([f, r]) => `${f} ${r.toFixed(2)}`)
      .join('  '),
  );
  return result;
}

const version = execFileSync(options.node, ['-v']).toString().trim();
const figure = options.cpu ? 'requests for each second of processor time' : 'requests a second';
console.log(`Node ${version}: ${figure}, ratio to bare node:http, median of ${options.rounds} rounds`);
const results = [];
let resources;
try {
  for (const name of selected) {
    if (scenarios[name].http2 && !hasH2load)
      console.log(name.padEnd(28), 'left out: needs h2load (apt-get install nghttp2-client)');
    else results.push(await measure(name));
  }
  if (options.only === undefined || options.resources)
    resources = await measureResources(frameworks, options.node);
} finally {
  rmSync(files, { recursive: true });
}
if (!options.dry) writeReport(version, figure, results, resources);

/**
 * Runs real npm packages on Express 4 and on this framework, and compares everything observable:
 *
 *     npm run compat                      everything; writes docs/COMPATIBILITY.md
 *     npm run compat -- word ...          scenarios whose `group/name` contains a word
 *     npm run compat -- --http2 word ...  only those runs in which Ristretto speaks HTTP/2
 *     npm run compat -- --express=5 word  only those runs on Express 5
 *     npm run compat -- --aliases word    only those runs in which our packages replace the middleware
 *     npm run compat -- --env=development word  under this NODE_ENV, or under several; in development, checks warnings too
 *     npm run compat -- --quick           scenarios with `quick: true`: the part that CI runs
 *     npm run compat -- --record word     also prints the record of Express 4
 */
import { readOptions } from '../../scripts/options.cjs';
import { inEnvironment, MAJORS, missingNeed, runsOf, scenarios, skipped } from './harness/catalog.mjs';
import { differences } from './harness/compare.mjs';
import { launch } from './harness/launch.mjs';
import { installGroups } from './harness/npm.mjs';
import { checkOverride } from './harness/override.mjs';
import { makeSides } from './harness/sides.mjs';
import { missingInTable, versions, writeTable } from './harness/table.mjs';

const { values: options, positionals: words } = readOptions(
  {
    express: { type: 'string' },
    env: { type: 'string', default: 'test' },
    http2: { type: 'boolean' },
    aliases: { type: 'boolean' },
    quick: { type: 'boolean' },
    record: { type: 'boolean' },
  },
  { words: true },
);
const AT_ONCE = 2;
/** @type {Map<string, unknown>} */
const records = new Map();

/** Runs a task and prints how long it took. */
function timed(/** @type {string} */ title, /** @type {() => any} */ work) {
  const started = Date.now();
  const result = work();
  console.log(`  ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return result;
}

/**
 * Runs a scenario on both sides, one after the other, because some need a port or a database exclusively.
 *
 * @returns {Promise<import('./harness/table.mjs').Row>}
 */
async function both(
  /** @type {import('./harness/catalog.mjs').Scenario} */ scenario,
  /** @type {import('./harness/sides.mjs').Sides} */ sides,
  /** @type {boolean} */ show,
) {
  const need = missingNeed(scenario);
  if (need) return { scenario, result: 'skipped', detail: [need] };
  const express = await launch(scenario, sides.express);
  if (show) console.log(JSON.stringify(express.record, null, 2), express.output);
  const side = scenario.hasAliases ? sides.aliases : sides.ristretto;
  const ristretto = await launch(scenario, side, scenario.isOverHttp2);
  records.set(scenario.name, ristretto.record);
  const failures = Object.entries({ express, ristretto }).filter(([, { error }]) => error);
  const detail =
    failures.length > 0
      ? failures.map(([side, { error, output }]) => `on ${side}: ${error}\n${output}`)
      : [
          ...differences(express.record, ristretto.record, scenario.known),
          ...unexpected(ristretto.warnings, scenario),
        ];
  return { scenario, result: detail.length > 0 ? 'differs' : 'same', detail };
}

/** A warning about the version of Node, not about the program. */
const OF_NODE = 'RISTRETTO_HTTP2_UNPATCHED';

/** Returns the warnings of a run in development that the scenario does not expect, and those that are missing. */
function unexpected(
  /** @type {string[]} */ warnings,
  /** @type {import('./harness/catalog.mjs').Scenario} */ { env, warnings: expected },
) {
  if (env !== 'development') return [];
  const has = (/** @type {string} */ text, /** @type {string} */ code) => text.startsWith(`[${code}]`);
  const codes = Object.keys(expected);
  return [
    ...warnings.filter(text => ![...codes, OF_NODE].some(code => has(text, code))),
    ...codes.filter(code => !warnings.some(text => has(text, code))).map(code => `no warning ${code}`),
  ];
}

/** Prints a row as soon as it is complete. */
function print(
  /** @type {import('./harness/table.mjs').Row} */ { scenario, result, detail },
  /** @type {number} */ ms,
) {
  const sign = { same: '✔', differs: '✖', skipped: '-' }[result];
  const names = versions(scenario).map(({ name, version }) => `${name}@${version}`);
  console.log(`${sign} ${scenario.name} (${(ms / 1000).toFixed(1)} s) ${names.join(' ')}`);
  for (const text of detail) console.log(`    ${text.replaceAll('\n', '\n    ')}`);
}

/** Runs scenarios, a few at a time; resolves with their rows in the order of the scenarios. */
async function runAll(
  /** @type {import('./harness/catalog.mjs').Scenario[]} */ chosen,
  /** @type {Map<number, import('./harness/sides.mjs').Sides>} */ sides,
  /** @type {boolean} */ show,
) {
  const queue = [...chosen];
  /** @type {import('./harness/table.mjs').Row[]} */
  const rows = [];
  const worker = async () => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
      const started = Date.now();
      const row = await both(scenario, sidesOf(sides, scenario.major), show);
      rows.push(row);
      print(row, Date.now() - started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return rows.sort((a, b) => chosen.indexOf(a.scenario) - chosen.indexOf(b.scenario));
}

/** Returns the sides for a major version of Express; throws if they were not created. */
function sidesOf(
  /** @type {Map<number, import('./harness/sides.mjs').Sides>} */ sides,
  /** @type {number} */ major,
) {
  const found = sides.get(major);
  if (!found) throw new Error(`no sides were made for Express ${major}`);
  return found;
}

/** After a full run: checks the real installations, and writes the table. Returns the problems found. */
async function conclude(
  /** @type {import('./harness/table.mjs').Row[]} */ rows,
  /** @type {Map<number, import('./harness/sides.mjs').Sides>} */ sides,
) {
  const overridden = rows
    .map(({ scenario }) => scenario)
    .filter(each => each.override && !each.isOverHttp2 && !each.hasAliases);
  const wrong = [];
  for (const [major, { packages }] of sides) {
    const chosen = overridden.filter(scenario => scenario.major === major);
    wrong.push(...(await checkOverride(chosen, records, major, packages)));
  }
  const there = wrong.length === 0 ? 'the same result' : 'not the same result';
  writeTable(
    rows,
    `${overridden.length} of them also ran in a real installation with an override: ${there}.`,
  );
  for (const { package: name, reason } of skipped()) console.log(`- ${name}: ${reason}`);
  return wrong;
}

/** Returns the selected runs. */
function runsFor(
  /** @type {typeof options} */ { express: major, env, quick, http2, aliases },
  /** @type {import('./harness/catalog.mjs').Scenario[]} */ chosen,
) {
  const environments = env.split(',');
  return chosen
    .flatMap(runsOf)
    .flatMap(run => environments.map(env => (env === 'test' ? run : inEnvironment(run, env))))
    .filter(
      run =>
        (!quick || run.quick.includes(run.major)) &&
        (!http2 || run.isOverHttp2) &&
        (!aliases || run.hasAliases) &&
        // Warnings are about the application and the framework, not about its middleware.
        (!run.hasAliases || run.env === 'test') &&
        (major === undefined || run.major === Number(major)),
    );
}

/** Returns the exit code. */
async function main(/** @type {string[]} */ args) {
  const runs = runsFor(options, scenarios(words));
  if (runs.length === 0) throw new Error(`no scenario matches ${args.join(' ')}`);
  timed('installed', () => installGroups([...new Set(runs.map(({ group }) => group))]));
  const majors = MAJORS.filter(major => runs.some(run => run.major === major));
  const sides = timed('the sides', () => {
    const hasAliases = runs.some(run => run.hasAliases);
    return new Map(majors.map(major => [major, makeSides(major, hasAliases)]));
  });
  const rows = await runAll(runs, sides, options.record);

  const isWhole = args.length === 0;
  const wrong = isWhole ? await conclude(rows, sides) : [];
  if (options.quick) {
    const missing = missingInTable(runs).map(({ name }) => name);
    if (missing.length > 0)
      wrong.push(`docs/COMPATIBILITY.md is out of date (npm run compat): ${missing.join(', ')}`);
  }
  for (const text of wrong) console.log(`✖ ${text}`);
  const count = (/** @type {string} */ result) => rows.filter(row => row.result === result).length;
  console.log(
    `\n${rows.length} programs: ${count('same')} same, ${count('differs')} differ, ${count('skipped')} skipped`,
  );
  return count('differs') + wrong.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? `✖ ${error.message}` : error);
  if (error instanceof Error && error.cause) console.error(error.cause);
  process.exitCode = 1;
}

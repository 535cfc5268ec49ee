/** Runs checks on one way, and compares the observed with the expected results. */
import { isDeepStrictEqual } from 'node:util';
import { differences, inapplicable } from '../differences.mjs';
import { client } from './client.mjs';
import { start } from './runtimes.mjs';

/** Milliseconds that one check may take. */
const LONGEST = 15_000;
/** The number of checks with their own processes that run concurrently. */
const AT_ONCE = 4;

/**
 * @typedef {{ group: string, name: string, result: 'same' | 'differs' | 'wrong', seen: unknown, expected: unknown }} Row
 */

/** Returns the part of an observation that the pattern names. @returns {unknown} */
function picked(/** @type {any} */ observed, /** @type {any} */ pattern) {
  const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(pattern) || !isObject(observed)) return observed;
  return Object.fromEntries(Object.keys(pattern).map(name => [name, picked(observed[name], pattern[name])]));
}

/** Returns the observation of a check; a failure is observed as its message. */
async function observe(
  /** @type {import('../checks/index.mjs').Check} */ { ask, expected },
  /** @type {any} */ tools,
) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), LONGEST);
  });
  try {
    return picked(await Promise.race([ask(tools), late]), expected);
  } catch (err) {
    return `failed: ${err.message}`;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the listed difference for a check of a way, wrapped, because it may be any value; undefined if there is none.
 */
function listedFor(/** @type {import('./runtimes.mjs').Way} */ way, /** @type {string} */ title) {
  const found = differences.find(({ on, seen }) => on.includes(way.name) && Object.hasOwn(seen, title));
  return found && { seen: found.seen[title] };
}

/** Returns whether a difference is the listed one. */
const isListed = (/** @type {unknown} */ seen, /** @type {unknown} */ listed) =>
  listed instanceof RegExp ? listed.test(JSON.stringify(seen)) : isDeepStrictEqual(seen, listed);

/** @returns {Promise<Row>} */
async function row(way, group, check, tools) {
  const seen = await observe(check, tools);
  const { name, expected } = check;
  const listed = listedFor(way, `${group}: ${name}`);
  const isRight = listed ? isListed(seen, listed.seen) : isDeepStrictEqual(seen, picked(expected, expected));
  return {
    group,
    name,
    result: isRight ? (listed ? 'differs' : 'same') : 'wrong',
    seen,
    expected: listed?.seen ?? expected,
  };
}

/** Runs checks on one running application, one after the other. */
async function onOne(way, groups, options) {
  const running = await start(way, options);
  const tools = client(running.port);
  const rows = [];
  for (const [group, checks] of groups) {
    for (const check of checks) rows.push(await row(way, group, check, tools));
  }
  running.kill();
  await running.exited;
  if (rows.some(({ result }) => result === 'wrong')) console.log(running.errors());
  return rows;
}

/** Runs checks that start applications, a few at a time. */
async function onMany(way, groups) {
  const queue = groups.flatMap(([group, checks]) => checks.map(check => ({ group, check })));
  const rows = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { group, check } = next;
      const processes = [];
      const tools = {
        start: async env => {
          const running = await start(way, { env });
          processes.push(running);
          return { ...running, ...client(running.port) };
        },
      };
      rows.push(await row(way, group, check, tools));
      for (const { kill } of processes) kill();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return rows;
}

/** Runs all groups on a way. @returns {Promise<Row[]>} */
export async function runChecks(
  way,
  /** @type {[string, import('../checks/index.mjs').Check[]][]} */ groups,
) {
  const chosen = groups.filter(([group]) => inapplicable[way.name]?.[group] === undefined);
  const of = (/** @type {string[]} */ ...names) => chosen.filter(([group]) => names.includes(group));
  const own = ['patched functions', 'stop'];
  const rows = [
    ...(await onOne(
      way,
      chosen.filter(([group]) => !own.includes(group)),
      {},
    )),
    ...(await onOne(way, of('patched functions'), { patched: true })),
    ...(await onMany(way, of('stop'))),
  ];
  return rows;
}

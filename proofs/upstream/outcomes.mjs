/** Reads the results of test runners, test by test, and compares two runs. */

/** @typedef {Map<string, boolean>} Outcomes whether each test passed, by its full title; skipped tests are left out */

const TAP = /^( *)(ok|not ok)\b(?: +\d+)?(?: +- | +)?(.*?)(?:\s+# (?:(SKIP|TODO)\b.*|.*))?$/i;

/**
 * Reads TAP, as node:test, Mocha, AVA and tape print it. A subtest is named by its parents, which follow it; a parent is
 * no test of its own.
 *
 * @returns {Outcomes}
 */
function ofTap(/** @type {string} */ output) {
  /** @type {{ depth: number, path: string[], passed: boolean, skipped: boolean }[]} */
  const found = [];
  for (const line of output.split(/\r?\n/)) {
    const [, indent = '', result, title = '', directive] = TAP.exec(line) ?? [];
    if (result === undefined) continue;
    const depth = indent.length;
    const children = [];
    while (found.length > 0 && /** @type {any} */ (found.at(-1)).depth > depth) children.unshift(found.pop());
    if (children.length === 0)
      found.push({ depth, path: [title], passed: result === 'ok', skipped: directive !== undefined });
    for (const child of children) {
      if (child) found.push({ ...child, depth, path: [title, ...child.path] });
    }
  }
  return numbered(
    found.filter(({ skipped }) => !skipped).map(({ path, passed }) => [path.join(' '), passed]),
  );
}

/** Reads the report of `jest --json`, which is one line among others. @returns {Outcomes} */
function ofJest(/** @type {string} */ output) {
  const line = output.split('\n').find(each => each.startsWith('{"num'));
  /** @type {{ testResults: { assertionResults: { fullName: string, status: string }[] }[] }} */
  const { testResults } = line === undefined ? { testResults: [] } : JSON.parse(line);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return numbered(
    tests
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => [fullName, status === 'passed']),
  );
}

/** Several tests may have one title. @returns {Outcomes} */
function numbered(/** @type {[string, boolean][]} */ tests) {
  /** @type {Outcomes} */
  const outcomes = new Map();
  for (const [title, passed] of tests) {
    let name = title;
    for (let count = 2; outcomes.has(name); count++) name = `${title} (${count})`;
    outcomes.set(name, passed);
  }
  return outcomes;
}

/** Reads the output of a run. @returns {Outcomes} */
export function read(/** @type {'tap' | 'jest'} */ format, /** @type {string} */ output) {
  return format === 'jest' ? ofJest(output) : ofTap(output);
}

/** Checks whether a run came to its end: TAP has the number of tests there, and Jest writes nothing before. */
export function isWhole(/** @type {'tap' | 'jest'} */ format, /** @type {string} */ output) {
  return format === 'jest' || /^1\.\.\d+$/m.test(output);
}

/** Returns how many tests passed. */
export function passed(/** @type {Outcomes} */ outcomes) {
  return [...outcomes.values()].filter(Boolean).length;
}

/** Returns the tests that pass in the first run and not in the second, where they may also be missing. */
export function lost(/** @type {Outcomes} */ before, /** @type {Outcomes} */ after) {
  return [...before]
    .filter(([title, isPassed]) => isPassed && after.get(title) !== true)
    .map(([title]) => title);
}

/** @typedef {{ title: string, reason: string | undefined }} Loss */

/**
 * Finds the reason of each loss, and the reasons that no longer explain anything.
 *
 * @param {string[]} titles
 * @param {import('./catalog.mjs').Reason[]} reasons
 * @returns {{ losses: Loss[], stale: string[] }}
 */
export function explain(titles, reasons) {
  const losses = titles.map(title => ({
    title,
    reason: reasons.find(({ tests }) => tests.test(title))?.reason,
  }));
  const stale = reasons.filter(({ tests }) => !titles.some(title => tests.test(title)));
  return { losses, stale: stale.map(({ tests, reason }) => `${String(tests)}: ${reason}`) };
}

/**
 * Which tests there are, without running any: every test file is loaded with a `node:test` that only takes notes, so
 * that titles made in loops and by shared functions are exactly those that a run would show.
 */
import { createRequire } from 'node:module';
import Module from 'node:module';

/** @typedef {{ file: string, suites: string[], title: string }} NotedTest */

/**
 * @param {string[]} files names relative to `root`
 * @param {string} root the repository
 * @returns {NotedTest[]} the tests that a run would execute, in the order of the files; what is marked to be skipped,
 * or has no function, is none
 */
export function testTitles(files, root) {
  const require = createRequire(`${root}/scripts/`);
  require('./typescript.cjs');
  /** @type {NotedTest[]} */
  const found = [];
  let file = '';
  /** @type {string[]} */
  let suites = [];

  const test = noting((title, run) => found.push({ file, suites, title }) && run);
  const describe = noting((title, run) => {
    const outer = suites;
    suites = [...outer, title];
    run();
    suites = outer;
  });

  const nothing = () => undefined;
  const recorder = Object.assign(test, {
    test,
    it: test,
    describe,
    suite: describe,
    before: nothing,
    after: nothing,
    beforeEach: nothing,
    afterEach: nothing,
  });
  const loader = /** @type {{ _load(request: string, ...rest: unknown[]): unknown }} */ (
    /** @type {unknown} */ (Module)
  );
  const load = loader._load;
  loader._load = function loadNoting(request, ...rest) {
    return request === 'node:test' ? recorder : load.call(this, request, ...rest);
  };
  try {
    for (file of files) require(`${root}/${file}`);
  } finally {
    loader._load = load;
  }
  return found;
}

/**
 * A function with the arguments of `test` and `describe`; what is skipped or has no function is not noted.
 *
 * @param {(title: string, run: () => unknown) => unknown} note
 */
function noting(note) {
  /** @param {unknown[]} args */
  function noted(...args) {
    const run = args.find(arg => typeof arg === 'function');
    const options = /** @type {{ skip?: unknown, todo?: unknown }} */ (
      args.find(arg => typeof arg === 'object') ?? {}
    );
    if (run && !options.skip && !options.todo) note(String(args[0]), /** @type {() => unknown} */ (run));
  }
  return Object.assign(noted, { skip: () => undefined, todo: () => undefined, only: noted });
}

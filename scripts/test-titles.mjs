/**
 * Lists the tests without running any: every test file is loaded with a `node:test` that only records them, so that
 * titles created in loops and by shared functions are exactly those of a run.
 */
import Module, { createRequire } from 'node:module';
import { mock } from 'node:test';

/** @typedef {{ file: string, suites: string[], title: string }} NotedTest */

/** A `node:test` that adds tests to `found`; `file` is the file being loaded. */
class Recorder {
  /** @type {NotedTest[]} */
  found = [];
  file = '';
  /** @type {string[]} */
  suites = [];

  /** The module that test files import. */
  get module() {
    const test = noting(title => {
      this.found.push({ file: this.file, suites: this.suites, title });
    });
    const describe = noting((title, run) => {
      const outer = this.suites;
      this.suites = [...outer, title];
      run();
      this.suites = outer;
    });
    const hooks = { before: nothing, after: nothing, beforeEach: nothing, afterEach: nothing };
    return Object.assign(test, { test, it: test, describe, suite: describe, mock, ...hooks });
  }
}

function nothing() {
  // Hooks do nothing, because no test runs.
}

/**
 * Returns a function with the arguments of `test` and `describe`; tests that are skipped or have no function are not
 * recorded.
 *
 * @param {(title: string, run: () => void) => void} note
 */
function noting(note) {
  /** @param {unknown[]} args */
  function noted(...args) {
    const run = args.find(arg => typeof arg === 'function');
    const options = /** @type {{ skip?: unknown, todo?: unknown }} */ (
      args.find(arg => typeof arg === 'object') ?? {}
    );
    if (run && !options.skip && !options.todo) note(String(args[0]), /** @type {() => void} */ (run));
  }
  return Object.assign(noted, { skip: nothing, todo: nothing, only: noted });
}

/**
 * @param {string[]} files paths relative to `root`
 * @param {string} root the repository
 * @returns {NotedTest[]} the tests that a run would execute, in the order of the files
 */
export function testTitles(files, root) {
  const require = createRequire(`${root}/scripts/`);
  require('./typescript.cjs');
  const recorder = new Recorder();
  const { module } = recorder;
  const loader = /** @type {{ _load(request: string, ...rest: unknown[]): unknown }} */ (
    /** @type {unknown} */ (Module)
  );
  const load = loader._load;
  loader._load = function loadNoting(request, ...rest) {
    return request === 'node:test' ? module : load.call(this, request, ...rest);
  };
  try {
    for (const file of files) {
      recorder.file = file;
      require(`${root}/${file}`);
    }
  } finally {
    loader._load = load;
  }
  return recorder.found;
}

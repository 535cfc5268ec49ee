/**
 * Lists the scenarios with their descriptions. Only the top level of each file is evaluated here, so a scenario
 * requires npm packages inside `run`, and not at the top of its file.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export const HOME = path.resolve(import.meta.dirname, '..');
export const GROUPS = ['tools', 'middleware', 'frameworks', 'testing', 'old-tools', 'express5', 'newest'];
/** The major versions of Express that our packages replace here. */
export const MAJORS = [4, 5];
/** Our middleware packages: what they replace, and with which version. */
export const ALIASES = middlewarePackages();
/** The groups that are small enough to be installed by each run of CI. */
const QUICK_GROUPS = ['tools', 'middleware'];
/** What scenarios of a group export unless they say otherwise. */
const USUAL = { tools: { express: MAJORS }, middleware: { express: MAJORS, quick: true } };

/**
 * @typedef {object} Scenario
 * @property {string} group    folder under proofs/compat/
 * @property {string} file     path from proofs/compat/, with forward slashes
 * @property {string} program  its name in the file, or that of the file
 * @property {string} name     `group/program`, as it is printed and selected
 * @property {string[]} packages  names as in the package.json of the group
 * @property {string} exercised   prose for readers, whom the table sends to the program
 * @property {string[]} needs     programs other than Node: see `missingNeed`
 * @property {{ places: RegExp, reason: string }[]} known  documented differences that must occur
 * @property {number[]} quick     the major versions on which it is part of CI
 * @property {boolean} override   whether it also runs in a real npm install with an override
 * @property {boolean} subprocess whether a child process of the scenario loads the framework
 * @property {number} timeout     seconds
 * @property {number[]} majors    the major versions of Express that it runs on; `express` in the file
 * @property {number} major       the one that this run is on
 * @property {boolean} http2      whether it also runs with Ristretto on HTTP/2
 * @property {{ places: RegExp, reason: string }[]} knownOverHttp2  documented differences that must occur there
 * @property {{ places: RegExp, reason: string }[]} knownOn5  documented differences that must occur on Express 5
 * @property {boolean} isOverHttp2  whether this is the run over HTTP/2
 * @property {{ places: RegExp, reason: string }[]} knownWithAliases  documented differences that must occur there
 * @property {boolean} hasAliases  whether this is the run in which our packages replace the middleware
 * @property {string} env  NODE_ENV
 * @property {Record<string, string>} warnings  the warnings that the program must cause in development: reasons by code
 * @property {{ places: RegExp, reason: string }[]} knownInDevelopment  documented differences that must occur there
 */

/** Programs that scenarios may need, with their names on different systems. */
const PROGRAMS = {
  redis: ['redis-server'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  postgres: ['postgres'],
  mongodb: ['mongod'],
};

/** Checks whether a program can be found in PATH. */
function onPath(/** @type {string} */ program) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some(folder => fs.existsSync(path.join(folder, program)));
}

/** Returns why a scenario cannot run on this machine; undefined if it can. */
export function missingNeed(/** @type {Scenario} */ scenario) {
  for (const need of scenario.needs) {
    const programs = /** @type {Record<string, string[]>} */ (PROGRAMS)[need];
    if (!programs)
      throw new Error(`${scenario.file}: unknown need "${need}"; known: ${Object.keys(PROGRAMS)}`);
    if (!programs.some(onPath)) return `needs ${need}, which is not installed here`;
  }
  return undefined;
}

/** Loads the programs of a file: several in `programs`, or the one that it exports. */
function load(/** @type {string} */ group, /** @type {string} */ base) {
  const file = `${group}/scenarios/${base}`;
  let loaded;
  try {
    loaded = createRequire(import.meta.url)(path.join(HOME, file));
  } catch (error) {
    throw new Error(`proofs/compat/${file}: nothing from npm is required outside of run()`, {
      cause: error,
    });
  }
  const programs = loaded.programs ?? { [base.replace(/\.cjs$/, '')]: loaded };
  return Object.entries(programs).map(([program, head]) => describe(group, file, program, head));
}

/** Checks the metadata of a program. @returns {Scenario} */
function describe(
  /** @type {string} */ group,
  /** @type {string} */ file,
  /** @type {string} */ program,
  /** @type {any} */ own,
) {
  const head = { .../** @type {Record<string, object>} */ (USUAL)[group], ...own };
  if (!Array.isArray(head.packages) || head.packages.length === 0 || typeof head.run !== 'function') {
    throw new Error(
      `proofs/compat/${file} has to export { packages: ['name'], exercised: 'prose', run() {} }`,
    );
  }
  if (typeof head.exercised !== 'string' || head.exercised === '') {
    throw new Error(`proofs/compat/${file}: "exercised" has to say what was exercised, for readers`);
  }
  if (head.quick && !QUICK_GROUPS.includes(group)) {
    throw new Error(
      `proofs/compat/${file}: quick is for ${QUICK_GROUPS.join(' and ')}: CI installs nothing else`,
    );
  }
  const majors = head.express ?? [4];
  if (!Array.isArray(majors) || !majors.every(major => MAJORS.includes(major)) || majors.length === 0) {
    throw new Error(`proofs/compat/${file}: "express" has to be a list of ${MAJORS.join(' and ')}`);
  }
  return {
    group,
    file,
    program,
    name: `${group}/${program}`,
    packages: head.packages,
    exercised: head.exercised,
    needs: head.needs ?? [],
    known: head.known ?? [],
    quick: head.quick === true ? [4] : (head.quick ?? []),
    override: head.override === true,
    subprocess: head.subprocess === true,
    timeout: head.timeout ?? 60,
    majors,
    major: majors[0],
    http2: head.http2 === true,
    knownOverHttp2: head.knownOverHttp2 ?? [],
    knownOn5: head.knownOn5 ?? [],
    knownWithAliases: head.knownWithAliases ?? [],
    isOverHttp2: false,
    hasAliases: false,
    env: 'test',
    warnings: head.warnings ?? {},
    knownInDevelopment: head.knownInDevelopment ?? [],
  };
}

/** Returns a scenario for the run with Ristretto on HTTP/2. @returns {Scenario} */
function overHttp2(/** @type {Scenario} */ scenario) {
  const known = [...scenario.known, ...scenario.knownOverHttp2];
  return { ...scenario, name: `${scenario.name} over HTTP/2`, known, isOverHttp2: true };
}

/** @returns {{ name: string, alias: string, version: string }[]} */
function middlewarePackages() {
  // Written by the build.
  const file = path.resolve(HOME, '../../packages/migrate/lib/middleware-packages.js');
  return fs.existsSync(file) ? createRequire(import.meta.url)(file).middlewarePackages : [];
}

/** Tells whether a scenario uses a package that one of ours replaces. */
function isReplaceable(/** @type {Scenario} */ { group, packages, subprocess }) {
  if (subprocess) return false;
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(HOME, group, 'package.json'), 'utf8'));
  return packages.some(name => {
    const [, real = name, version = ''] = /^(?:npm:([^@]+)@)?(\d.*)$/.exec(dependencies[name] ?? '') ?? [];
    const major = Number.parseInt(version, 10);
    return ALIASES.some(each => each.name === real && Number.parseInt(each.version, 10) === major);
  });
}

/** Returns a run in which our packages replace the middleware. @returns {Scenario} */
function withAliases(/** @type {Scenario} */ run) {
  const known = [...run.known, ...run.knownWithAliases];
  return { ...run, name: `${run.name} with our middleware`, known, hasAliases: true };
}

/** Returns a scenario for the run on another major version of Express than its first one. @returns {Scenario} */
function onMajor(/** @type {Scenario} */ scenario, /** @type {number} */ major) {
  const known = major === 5 ? scenario.knownOn5 : scenario.known;
  return { ...scenario, name: `${scenario.name} on Express ${major}`, known, major };
}

/** Returns a run under another `NODE_ENV`. @returns {Scenario} */
export function inEnvironment(/** @type {Scenario} */ run, /** @type {string} */ env) {
  const known = env === 'development' ? [...run.known, ...run.knownInDevelopment] : run.known;
  return { ...run, name: `${run.name} in ${env}`, known, env };
}

/**
 * Returns all runs of a scenario: on its first major version of Express, with Ristretto on HTTP/2, and on its other
 * major versions.
 */
export function runsOf(/** @type {Scenario} */ scenario) {
  const others = scenario.majors.slice(1).map(major => onMajor(scenario, major));
  const aliased = isReplaceable(scenario) ? [scenario, ...others].map(withAliases) : [];
  return [scenario, ...(scenario.http2 ? [overHttp2(scenario)] : []), ...others, ...aliased];
}

/**
 * Returns the scenarios whose name or file contains one of the words (all if there are none), in the order of the table.
 * @returns {Scenario[]}
 */
export function scenarios(/** @type {string[]} */ words) {
  return GROUPS.flatMap(group => {
    const folder = path.join(HOME, group, 'scenarios');
    if (!fs.existsSync(folder)) return [];
    const files = fs.readdirSync(folder).filter(name => name.endsWith('.cjs'));
    return files
      .flatMap(base => load(group, base))
      .filter(
        ({ name, file }) =>
          words.length === 0 || words.some(word => name.includes(word) || file.includes(word)),
      )
      .sort((a, b) => (a.program < b.program ? -1 : 1));
  });
}

/**
 * Returns the packages that could not be installed or started even with Express 4. @returns {{ package: string, reason:
 * string }[]}
 */
export function skipped() {
  return JSON.parse(fs.readFileSync(path.join(HOME, 'skipped.json'), 'utf8'));
}

/**
 * Migrates applications as users do, with `ristretto migrate` from the packed packages: a dry run, `--write`, and
 * undoing it.
 *
 *     npm run migrate                  every application
 *     npm run migrate -- passport      those whose name contains one of the words
 *
 * Requires built packages, git, and the npm registry; unpublished packages come from a registry that this script
 * starts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { INSTALL_FLAGS, npm } from '../../scripts/npm.mjs';
import { matching, readOptions } from '../../scripts/options.cjs';
import { pack } from '../../scripts/pack.mjs';
import { MIDDLEWARE, packageHomes } from '../../scripts/packages.cjs';
import { startRegistry } from './registry.mjs';
import { root } from '../../scripts/test-files.mjs';

const LONGEST = 5 * 60_000;
const fixtures = path.join(root, 'proofs/migrate/applications');

/**
 * @typedef {object} Application
 * @property {string} name
 * @property {string} tool the package manager, by its npm package
 * @property {(folder: string) => Promise<void>} make
 * @property {string[]} [flags] of `ristretto migrate`
 * @property {string[]} [replaced] packages that are aliases of ours afterwards
 * @property {string[]} apps files that load `express`
 * @property {string[]} overridden packages
 * @property {string[]} found ids of differences
 * @property {number} passed tests
 */

/** Creates express-generator's application, with tests. */
async function generate(/** @type {string} */ folder) {
  npm(
    ['exec', '--yes', '--package=express-generator@4', '--', 'express', '--view=ejs', folder],
    path.dirname(folder),
  );
  fs.copyFileSync(path.join(fixtures, 'generator.test.js'), path.join(folder, 'app.test.js'));
  npm(['pkg', 'set', 'scripts.test=node --test'], folder);
}

/** Writes files by name; values other than text are written as JSON. */
function write(/** @type {string} */ folder, /** @type {Record<string, unknown>} */ files) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

const AT = { version: '1.0.0', private: true };
const TESTED = { ...AT, scripts: { test: 'node --test' } };
const TEST = `const assert = require('node:assert/strict');
const { test } = require('node:test');
const get = async (app, path) => {
  const server = app.listen(0);
  const response = await fetch('http://127.0.0.1:' + server.address().port + path);
  return response.json().finally(() => server.close());
};
`;
/** A workspace: an application whose `json-server` depends on Express itself, and another, with middleware that both use. */
const MONOREPO = {
  'package.json': { name: 'monorepo', private: true, scripts: { test: 'pnpm -r test' } },
  'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n  - 'packages/*'\n",
  'packages/http/package.json': {
    ...{ name: '@monorepo/http', ...AT, main: 'index.js' },
    peerDependencies: { express: '4' },
    devDependencies: { express: '^4.18.0' },
  },
  'packages/http/index.js':
    "exports.health = (req, res, next) => (req.path === '/health' ? res.json({ ok: true }) : next());\n",
  'apps/admin/package.json': {
    ...{ name: '@monorepo/admin', ...TESTED },
    dependencies: { '@monorepo/http': 'workspace:*', ejs: '^3.1.10' },
    devDependencies: { express: '^4.18.0' },
  },
  'apps/admin/test/app.test.js': `${TEST}
const app = require('express')().use(require('@monorepo/http').health);
test('health', async () => assert.deepEqual(await get(app, '/health'), { ok: true }));
`,
  'apps/api/package.json': {
    ...{ name: '@monorepo/api', ...TESTED },
    dependencies: { '@monorepo/http': 'workspace:*', express: '^4.21.2', 'json-server': '0.17.4' },
  },
  'apps/api/app.js': `const { health } = require('@monorepo/http');
const express = require('express');
const jsonServer = require('json-server');
const app = express();
app.use(health);
app.use('/api', jsonServer.defaults({ logger: false, static: __dirname }),
  jsonServer.router({ posts: [{ id: 1, title: 'First' }] }));
app.get('/express', (req, res) => res.json({ version: require('express/package.json').version.split('.')[0] }));
module.exports = app;
`,
  'apps/api/test/app.test.js': `${TEST}
const app = require('../app');
test('health', async () => assert.deepEqual(await get(app, '/health'), { ok: true }));
test('posts', async () => assert.deepEqual(await get(app, '/api/posts'), [{ id: 1, title: 'First' }]));
test('version', async () => assert.deepEqual(await get(app, '/express'), { version: '4' }));
`,
};
/** A package that depends on one version of Express 4. */
const PINS_EXPRESS = {
  'package.json': { name: 'pins-express', version: '1.0.0', dependencies: { express: '4.18.2' } },
  'index.js': "module.exports = require('express');\n",
};

const copy = (/** @type {string} */ name) => async (/** @type {string} */ folder) =>
  fs.cpSync(path.join(fixtures, name), folder, { recursive: true });

const passport = {
  make: copy('passport'),
  apps: ['.'],
  overridden: ['pins-express'],
  found: ['redirect-back'],
  passed: 6,
};
const monorepo = {
  make: async (/** @type {string} */ folder) => write(folder, MONOREPO),
  apps: ['apps/api', 'apps/admin'],
  overridden: ['json-server'],
  found: [],
  passed: 4,
};

/** @type {Application[]} */
const APPLICATIONS = [
  {
    name: 'generator, npm',
    tool: 'npm@11',
    make: generate,
    apps: ['.'],
    overridden: [],
    found: [],
    passed: 4,
  },
  { name: 'passport, npm', tool: 'npm@10', ...passport },
  { name: 'passport, yarn 1', tool: 'yarn@1', ...passport },
  { name: 'passport, yarn 4', tool: '@yarnpkg/cli-dist@4', ...passport },
  {
    name: 'middleware, npm',
    tool: 'npm@11',
    make: copy('middleware'),
    flags: ['--middleware'],
    replaced: [
      'body-parser',
      'compression',
      'cookie-parser',
      'cookie-session',
      'cors',
      'express-rate-limit',
      'express-session',
      'helmet',
      'morgan',
      'multer',
      'serve-static',
    ],
    apps: [],
    overridden: [],
    found: [],
    passed: 1,
  },
  { name: 'monorepo, pnpm 10', tool: 'pnpm@10', ...monorepo },
  { name: 'monorepo, pnpm 12', tool: 'pnpm@12', ...monorepo },
];

const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'migrate-')));

/** Runs a program; throws its output if it fails. */
async function run(
  /** @type {string} */ program,
  /** @type {string[]} */ args,
  /** @type {string} */ cwd,
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  const options = {
    cwd,
    env,
    timeout: LONGEST,
    maxBuffer: 64 * 1024 * 1024,
    shell: program !== process.execPath,
  };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout: string, stderr: string }} */ (error);
    throw new Error(`${program} ${args.join(' ')} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Installs a package manager, and returns an environment whose PATH finds it first. */
function environment(/** @type {string} */ tool, /** @type {string} */ url) {
  const home = path.join(scratch, 'tools', tool.replace(/\W/g, '-'));
  fs.mkdirSync(home, { recursive: true });
  npm(['install', ...INSTALL_FLAGS, '--prefix', home, tool], home);
  return {
    ...process.env,
    PATH: path.join(home, 'node_modules/.bin') + path.delimiter + process.env.PATH,
    npm_config_registry: url,
    YARN_REGISTRY: url,
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: 'localhost',
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_CACHE_FOLDER: path.join(scratch, 'yarn-cache'),
    // A package that npx has installed before could have the same version and other contents.
    npm_config_cache: path.join(scratch, 'npm-cache'),
  };
}

const nameOf = (/** @type {string} */ folder, name = 'express') =>
  JSON.parse(fs.readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')).name;

/** Creates an application, migrates it, and undoes the migration; returns the report. */
async function migrate(
  /** @type {Application} */ application,
  /** @type {string} */ url,
  /** @type {string} */ cli,
) {
  const { name, tool, make, flags = [], replaced = [], apps, overridden, found, passed } = application;
  const folder = path.join(scratch, name.replace(/\W+/g, '-'));
  const env = environment(tool, url);
  await make(folder);
  fs.writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n.yarn\nresponses.json\n');
  fs.writeFileSync(path.join(folder, '.npmrc'), `registry=${url}\n`);
  const manager = /yarn/.test(tool) ? 'yarn' : tool.split('@')[0];
  if (manager === 'yarn') fs.writeFileSync(path.join(folder, 'yarn.lock'), '');
  await run(`${manager} install`, [], folder, env);
  const git = (/** @type {string[]} */ ...args) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], folder, env);
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '--message=before');

  const dry = JSON.parse(await run(process.execPath, [cli, 'migrate', ...flags, '--json'], folder, env));
  assert.equal(await git('status', '--porcelain'), '', 'a dry run has changed files');
  assert.deepEqual(
    dry.differences.map((/** @type {{ id: string }} */ { id }) => id),
    found,
  );
  const started = Date.now();
  const report = JSON.parse(
    await run(process.execPath, [cli, 'migrate', ...flags, '--write', '--json'], folder, env),
  );
  const seconds = (Date.now() - started) / 1000;
  assert.deepEqual(report.overridden, overridden);
  assert.deepEqual(report.remaining ?? [], [], 'Express 4 is still there');
  for (const app of apps) assert.equal(nameOf(path.join(folder, app)), 'ristretto');
  for (const each of replaced) assert.match(nameOf(folder, each), /^@ristretto\//);
  const [{ verdict, before, after }] = report.tests;
  assert.deepEqual(
    [verdict, before.counts, after.counts],
    ['same', { passed, failed: 0 }, { passed, failed: 0 }],
  );

  await run(report.undo, [], folder, env);
  assert.equal(await git('status', '--porcelain'), '', 'undoing has left changes');
  for (const app of apps) assert.equal(nameOf(path.join(folder, app)), 'express');
  console.log(
    `✔ ${name}: ${report.edits.map((/** @type {{ name: string }} */ edit) => edit.name).join(', ')}; overrides: ${report.overridden.join(', ') || 'none'}; ${passed} tests before (${before.seconds} s) and after (${after.seconds} s); ${seconds.toFixed(1)} s in all`,
  );
}

const { positionals } = readOptions({}, { words: true });
const chosen = matching(APPLICATIONS, positionals, ({ name }) => name);

const pinned = path.join(scratch, 'pins-express');
write(pinned, PINS_EXPRESS);
const HOMES = [
  ...packageHomes('ristretto').reverse(),
  ...packageHomes().filter(home => home.startsWith(MIDDLEWARE) && !home.endsWith('response-hooks')),
  // The command lets npx install it from the registry.
  'packages/migrate',
];
const tarballs = pack(HOMES, scratch).map(({ file }) => file);
const [{ filename }] = Object.values(
  JSON.parse(npm(['pack', pinned, '--json', '--pack-destination', scratch], scratch)),
);
tarballs.push(path.join(scratch, filename));
const registry = await startRegistry(tarballs);
try {
  const home = path.join(scratch, 'cli');
  fs.mkdirSync(home);
  npm(
    ['install', ...INSTALL_FLAGS, '--prefix', home, ...tarballs.slice(0, packageHomes('ristretto').length)],
    home,
  );
  const cli = path.join(home, 'node_modules/ristretto/bin/ristretto.js');
  for (const application of chosen) await migrate(application, registry.url, cli);
} finally {
  registry.stop();
  fs.rmSync(scratch, { recursive: true, force: true });
}

/** The board of examples/showcase for tests: built, with an embedded database in its own folder. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import request from 'supertest';
import type * as app from '../showcase/src/app.js' with { 'resolution-mode': 'import' };
import type * as services from '../showcase/src/services.js' with { 'resolution-mode': 'import' };

export const home = path.join(__dirname, '../showcase');
const cache = path.join(__dirname, '../../node_modules/.cache/showcase');

// The application consists of ES modules, while this file is CommonJS.
interface Modules {
  app: typeof app;
  services: typeof services;
}
export const load = <Name extends keyof Modules>(name: Name) =>
  import(pathToFileURL(path.join(home, `dist/${name}.js`)).href) as Promise<Modules[Name]>;

/** Returns a folder that is removed after the tests. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'showcase-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Returns a folder with a database without tables. Creating one takes seconds, so a copy is used. */
export async function freshFolder(): Promise<string> {
  const version = JSON.parse(
    fs.readFileSync(
      path.join(path.dirname(require.resolve('@electric-sql/pglite')), '../package.json'),
      'utf8',
    ),
  ).version as string;
  const model = path.join(cache, version);
  const { openDatabase } = await load('services');
  const open = (dataDir: string) => openDatabase({ dataDir });
  if (!fs.existsSync(model)) {
    fs.mkdirSync(cache, { recursive: true });
    const made = fs.mkdtempSync(path.join(cache, 'made-'));
    await (await open(made)).close();
    // Another process may have been faster.
    if (fs.existsSync(model)) fs.rmSync(made, { recursive: true });
    else fs.renameSync(made, model);
  }
  const folder = temporaryFolder();
  fs.cpSync(model, folder, { recursive: true });
  return folder;
}

/**
 * Makes hashes of passwords cheap in this process: at full cost they would take nearly all of the tests' time, and OpenSSL
 * computes them. showcase.program.test.ts has hashes at full cost.
 */
function hashCheaply(): void {
  const { scrypt } = crypto;
  if (scrypt.name === 'cheapScrypt') return;
  crypto.scrypt = function cheapScrypt(...args: Parameters<typeof crypto.scrypt>) {
    const [password, salt, length, options, done] = args;
    scrypt(password, salt, length, { ...options, N: 2 }, done);
  } as typeof crypto.scrypt;
  syncBuiltinESMExports();
}

/** Creates a board that contains only the administrator, whose password is "open sesame". */
export async function makeBoard(config: { databaseUrl?: string; redisUrl?: string } = {}) {
  process.env.LOG_LEVEL ??= 'silent';
  hashCheaply();
  const [{ makeApp }, { makeServices, openDatabase, prepareAdministrator }] = await Promise.all([
    load('app'),
    load('services'),
  ]);
  const dataDir = config.databaseUrl ? '' : await freshFolder();
  const db = await openDatabase({ ...config, dataDir });
  const services = await makeServices(config, db);
  await prepareAdministrator(services.users, 'open sesame');
  // Rate limits are counted per application: each of these has its own.
  const app = () => makeApp(services, { proxies: 0 });
  return { services, app };
}

export type Agent = ReturnType<typeof request.agent>;

export const password = 'correct horse';

/** Returns an agent whose user has just registered. */
export async function member(app: Parameters<typeof request.agent>[0], name: string): Promise<Agent> {
  const agent = request.agent(app);
  const res = await agent.post('/register').type('form').send({ name, password });
  if (res.status !== 303) throw new Error(`could not register: ${res.status} ${res.text}`);
  return agent;
}

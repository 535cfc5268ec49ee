/** Loads the module of an application, finds the application in its exports, and describes its routes. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Server } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openApi } from '../addons/openapi/openapi';
import { isHidden } from '../addons/openapi/operations';
import { routerBehind } from '../router/mounted';
import { entriesOf, functionsOf } from '../router/route-tree';
import { shown } from '../shown';
import type { OpenApiDocument, OpenApiHandler, OpenApiOptions } from '../types/openapi';
import { CommandError } from './command';
import type { Import } from './command';

/** The names of functions that may create the application. They are called without arguments. */
const FACTORIES = ['default', 'createApp', 'buildApp', 'makeApp', 'app'];

/** An application or a router. */
type Found = (...args: unknown[]) => unknown;

/**
 * Loads a CommonJS or ES module, or TypeScript if Node supports it, without letting it listen.
 * @param name the file, relative to the current directory
 * @param load loads modules
 * @returns the application it exports: as the whole export, as `default`, as `app`, through a server, or as the result of a
 *   function such as `createApp`
 * @throws CommandError if there is no such file, it cannot be loaded, or it exports no application
 */
export async function loadApplication(name: string, load: Import): Promise<Found> {
  const file = path.resolve(name);
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new CommandError(`There is no file ${file}.`);
  }
  refuseToListen();
  if (/\.[mc]?ts$/.test(file)) await registerTsx(file, load);
  const exported = await loadModule(file, name, load);
  const application = (await find(exported)) ?? (await make(exported, name));
  if (application === undefined) {
    throw new CommandError(
      `${name} does not export an application. Write module.exports = app, export default app, or export it as app.`,
    );
  }
  return application;
}

/**
 * Disables `listen`: the application may already be running on that port, and a server would keep the process alive.
 */
function refuseToListen(): void {
  Server.prototype.listen = function listen() {
    return this;
  };
}

async function loadModule(file: string, name: string, load: Import): Promise<Record<string, unknown>> {
  try {
    return await load(pathToFileURL(file).href);
  } catch (error) {
    const { code, stack } = Object(error) as NodeJS.ErrnoException;
    const hint =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? '\n\nThis version of Node needs help with this kind of file: NODE_OPTIONS="--import tsx" npx ristretto ...'
        : '';
    throw new CommandError(`${name} can't be loaded: ${stack ?? String(error)}${hint}`);
  }
}

/** Loads TypeScript with tsx where the application has it, as its scripts do: Node can't load all of TypeScript. */
async function registerTsx(file: string, load: Import): Promise<void> {
  let tsx;
  try {
    tsx = createRequire(file).resolve('tsx');
  } catch {
    return;
  }
  await load(pathToFileURL(tsx).href);
}

/**
 * Calls a function that creates the application, if the module exports one.
 * @throws CommandError if it fails, or returns no application
 */
async function make(exported: Record<string, unknown>, name: string): Promise<Found | undefined> {
  const inside = Object(await exported.default) as Record<string, unknown>;
  let mistake: CommandError | undefined;
  for (const factory of FACTORIES) {
    const candidate = typeof exported[factory] === 'function' ? exported[factory] : inside[factory];
    if (typeof candidate !== 'function') continue;
    try {
      const made: unknown = await (candidate as () => unknown)();
      const found = applicationIn(made) ?? applicationIn((Object(made) as Record<string, unknown>).app);
      if (found !== undefined) return found;
      mistake ??= new CommandError(`${factory}() of ${name} returned no application, but ${shown(made)}.`);
    } catch (error) {
      const { stack } = Object(error) as Error;
      throw new CommandError(`${factory}() of ${name} failed: ${stack ?? String(error)}`);
    }
  }
  if (mistake !== undefined) throw mistake;
  return undefined;
}

/** Searches the exports and one level deeper, because `default` holds the exports of CommonJS. */
async function find(exported: Record<string, unknown>): Promise<Found | undefined> {
  const whole = await exported.default;
  const inside = Object(whole) as Record<string, unknown>;
  for (const candidate of [whole, exported.app, inside.default, inside.app, exported.server, inside.server]) {
    const found = applicationIn(await candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the value if it is an application or router, or the application of a server. */
function applicationIn(value: unknown): Found | undefined {
  const candidates: unknown[] = value instanceof Server ? value.listeners('request') : [value];
  return candidates.find(isApplication);
}

function isApplication(value: unknown): value is Found {
  return typeof value === 'function' && routerBehind(value) !== undefined;
}

/**
 * Returns the document of an application, with the options of the first `web.openApi(app, options)` that it uses.
 * @param name the file of its module
 * @param overrides options to use in place of those
 * @throws CommandError if it can't be loaded, or a schema can't be converted
 */
export async function documentOf(
  name: string,
  load: Import,
  overrides: Partial<OpenApiOptions> = {},
): Promise<OpenApiDocument> {
  const application = await loadApplication(name, load);
  const [mounted] = entriesOf(application)!.flatMap(({ layers }) =>
    layers.flatMap(functionsOf).filter(isHandler),
  );
  const handler = mounted ?? openApi(application, { info: { title: 'API', version: '0.0.0' } });
  try {
    return handler.document(overrides);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** Whether a function was returned by `web.openApi`, from this or another copy of the framework. */
function isHandler(fn: object): fn is OpenApiHandler {
  return isHidden(fn) && typeof (fn as Partial<OpenApiHandler>).document === 'function';
}

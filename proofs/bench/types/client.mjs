/**
 * Measures what typed clients of an API with 1,000 routes cost the compiler and the editor: the one that `ristretto
 * client` generates, one whose types are inferred from the schemas of a table of routes, Hono RPC and tRPC.
 *
 *     node proofs/bench/types/client.mjs [routes] [client ...]
 *
 * Without words, all clients. Each program calls 100 of the routes. Hono and tRPC infer the client from the server, so their
 * programs include it. Installs what it compares in a temporary folder. Times are processor times, in which other programs of
 * the machine do not count. Requires built packages, and Linux.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { readOptions } from '../../../scripts/options.cjs';

const root = path.resolve(import.meta.dirname, '../../..');
const [routes = '1000', ...selected] = readOptions({}, { words: true }).positionals;
const ROUTES = Number(routes);
const CALLS = 100;
/** How often each program is compiled. */
const RUNS = 3;
/** How often each completion is asked for, after a change of the file. */
const CHANGES = 8;
const GROUP = 50;
const INSTALLED = [
  'hono@4',
  '@hono/zod-validator@0.7',
  '@trpc/server@11',
  '@trpc/client@11',
  'zod@4',
  'typescript@~6.0',
];

const numbers = Array.from({ length: ROUTES }, (_, i) => i);
const groups = Array.from({ length: Math.ceil(ROUTES / GROUP) }, (_, g) =>
  numbers.slice(g * GROUP, (g + 1) * GROUP),
);
const called = numbers.filter(i => i % Math.ceil(ROUTES / CALLS) === 0);
const schemas = (/** @type {number} */ i) => `
const Params${i} = z.object({ id: z.string() });
const Query${i} = z.object({ page: z.string().optional(), q${i}: z.string() });
const Item${i} = z.object({ id: z.string(), name${i}: z.string(), tags: z.array(z.string()), born: z.string().optional() });`;
const output = (/** @type {number} */ i) => `{ id: 'a', name${i}: 'b', tags: ['c'] }`;

/**
 * A program of each client: the files, the file that an editor shows, and the text before the places at which completions are
 * asked for.
 *
 * @type {Record<string, () => { files: Record<string, string>, cursors: string[], runs?: string }>}
 */
const programs = {
  generated: () => ({
    files: {
      'app.mjs': `
import web from 'ristretto';
import { z } from 'zod';
const app = web();
${numbers
  .map(
    i => `${schemas(i)}
app.get('/r${i}/:id', web.validate({ params: Params${i}, query: Query${i}, response: { 200: Item${i} } }), (req, res) => res.json(${output(i)}));`,
  )
  .join('')}
export default app;`,
      'use.ts': `
import { client } from './api.ts';
const api = client({ baseUrl: 'http://localhost' });
${called
  .map(
    i => `export async function f${i}() {
  const result = await api['/r${i}/:id'].get({ params: { id: '1' }, query: { q${i}: 'x' } });
  return result.status === 200 ? result.body.name${i} : undefined;
}`,
  )
  .join('\n')}
export async function last() {
  const result = await api['/r1/:id'].get({ params: { id: '1' }, query: { q1: 'x' } });
  return result.ok ? result.body.id : undefined;
}`,
    },
    cursors: ["await api['", 'result.body.'],
  }),
  inferred: () => ({
    files: {
      'routes.ts': `
import { z } from 'zod';
${numbers.map(schemas).join('')}
export const routes = { get: {
${numbers.map(i => `'/r${i}/:id': { params: Params${i}, query: Query${i}, response: { 200: Item${i} } },`).join('\n')}
} };`,
      'use.ts': `
import type { z } from 'zod';
import type { routes } from './routes.ts';
type Routes = typeof routes;
type Result<R> = { [S in keyof R]: { ok: true; status: S; body: z.output<Extract<R[S], z.ZodType>> } }[keyof R] | { ok: false; status: 400 | 404 | 500; body: unknown };
type Part<R, P extends string> = R extends Record<P, infer S extends z.ZodType> ? z.input<S> : never;
declare const api: { get<P extends keyof Routes['get']>(path: P, input: { params: Part<Routes['get'][P], 'params'>; query: Part<Routes['get'][P], 'query'> }): Promise<Result<Routes['get'][P]['response']>> };
${called
  .map(
    i => `export async function f${i}() {
  const result = await api.get('/r${i}/:id', { params: { id: '1' }, query: { q${i}: 'x' } });
  return result.status === 200 ? result.body.name${i} : undefined;
}`,
  )
  .join('\n')}
export async function last() {
  const result = await api.get('/r1/:id', { params: { id: '1' }, query: { q1: 'x' } });
  return result.ok ? result.body.id : undefined;
}`,
    },
    cursors: ["await api.get('", 'result.body.'],
  }),
  hono: () => ({
    files: {
      'server.ts': `
import { Hono } from 'hono';
import { zValidator } from '@hono/zod-validator';
import { z } from 'zod';
${numbers.map(schemas).join('')}
${groups
  .map(
    (group, g) =>
      `const group${g} = new Hono()${group
        .map(
          i => `
  .get('/r${i}/:id', zValidator('param', Params${i}), zValidator('query', Query${i}), c => c.json<z.infer<typeof Item${i}>>(${output(i)}))`,
        )
        .join('')};`,
  )
  .join('\n')}
const app = new Hono()${groups.map((_, g) => `.route('/g${g}', group${g})`).join('')};
export type App = typeof app;`,
      'use.ts': `
import { hc } from 'hono/client';
import type { App } from './server.ts';
const api = hc<App>('http://localhost');
${called
  .map(
    i => `export async function f${i}() {
  const result = await api.g${Math.floor(i / GROUP)}.r${i}[':id'].$get({ param: { id: '1' }, query: { q${i}: 'x' } });
  return result.status === 200 ? (await result.json()).name${i} : undefined;
}`,
  )
  .join('\n')}
export async function last() {
  const result = await api.g0.r1[':id'].$get({ param: { id: '1' }, query: { q1: 'x' } });
  return (await result.json()).id;
}`,
    },
    cursors: ['await api.', '(await result.json()).'],
  }),
  trpc: () => ({
    files: {
      'server.ts': `
import { initTRPC } from '@trpc/server';
import { z } from 'zod';
const t = initTRPC.create();
${numbers.map(schemas).join('')}
${groups
  .map(
    (group, g) => `const group${g} = t.router({${group
      .map(
        i => `
  r${i}: t.procedure.input(Params${i}.extend(Query${i}.shape)).output(Item${i}).query(() => (${output(i)})),`,
      )
      .join('')}
});`,
  )
  .join('\n')}
const app = t.router({ ${groups.map((_, g) => `g${g}: group${g}`).join(', ')} });
export type App = typeof app;`,
      'use.ts': `
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { App } from './server.ts';
const api = createTRPCClient<App>({ links: [httpBatchLink({ url: 'http://localhost' })] });
${called
  .map(
    i => `export async function f${i}() {
  const result = await api.g${Math.floor(i / GROUP)}.r${i}.query({ id: '1', q${i}: 'x' });
  return result.name${i};
}`,
  )
  .join('\n')}
export async function last() {
  const result = await api.g0.r1.query({ id: '1', q1: 'x' });
  return result.id;
}`,
    },
    cursors: ['await api.', 'return result.'],
  }),
};

/** Returns the processor time of a running process, in milliseconds: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function processorTime(/** @type {number | undefined} */ pid) {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function median(/** @type {number[]} */ values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Reports the processor time of a process when it exits. */
const REPORTER =
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log(`Processor: ${(user + system) / 1e3}`); });";

/** Writes the configuration of a project of one program. */
function writeConfiguration(/** @type {string} */ home, /** @type {string} */ file) {
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    skipLibCheck: true,
    types: ['node'],
    allowImportingTsExtensions: true,
  };
  fs.writeFileSync(
    path.join(home, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: [file] }),
  );
}

/**
 * Compiles a project with an empty cache. Times are processor times, in which other programs of the machine do not count.
 */
function compile(/** @type {string} */ tsc, /** @type {string} */ home) {
  const reporter = path.join(home, 'reporter.cjs');
  fs.writeFileSync(reporter, REPORTER);
  const args = ['--require', reporter, tsc, '-p', home, '--extendedDiagnostics'];
  const outputs = Array.from({ length: RUNS }, () => {
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout.slice(0, 2000));
    return stdout;
  });
  const numbersOf = (/** @type {string} */ name) =>
    outputs.map(output => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(output)?.[1]));
  return {
    seconds: median(numbersOf('Processor')) / 1000,
    instantiations: median(numbersOf('Instantiations')),
    megabytes: Math.round(median(numbersOf('Memory used')) / 1024),
  };
}

/** Asks the editor's server for completions; returns the time of the first one, and of each cursor's after a change of the file. */
async function complete(
  /** @type {string} */ file,
  /** @type {string[]} */ cursors,
  /** @type {string} */ scratch,
) {
  const server = spawn(process.execPath, [path.join(scratch, 'node_modules/typescript/lib/tsserver.js')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  /** @type {Map<number, (body: any) => void>} */
  const waiting = new Map();
  createInterface(server.stdout).on('line', line => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line);
    if (message.type === 'response') waiting.get(message.request_seq)?.(message.body);
  });
  let seq = 0;
  const write = (/** @type {string} */ command, /** @type {object} */ args) =>
    server.stdin.write(`${JSON.stringify({ seq: ++seq, type: 'request', command, arguments: args })}\n`);
  const text = fs.readFileSync(file, 'utf8');
  const position = (/** @type {string} */ cursor) => {
    const before = text.slice(0, text.lastIndexOf(cursor) + cursor.length).split('\n');
    return { file, line: before.length, offset: /** @type {string} */ (before.at(-1)).length + 1 };
  };
  const ask = async (/** @type {string} */ cursor) => {
    write('completionInfo', position(cursor));
    /** @type {any} */
    const body = await new Promise(resolve => waiting.set(seq, resolve));
    if (!body?.entries.length) throw new Error(`${file}: no completions after ${cursor}`);
  };
  write('open', { file });
  await ask(/** @type {string} */ (cursors[0]));
  const first = processorTime(server.pid);
  const times = [];
  for (const cursor of cursors) {
    await ask(cursor);
    const before = processorTime(server.pid);
    for (let i = 0; i < CHANGES; i++) {
      write('change', { file, line: 1, offset: 1, endLine: 1, endOffset: 1, insertString: ' ' });
      await ask(cursor);
    }
    times.push((processorTime(server.pid) - before) / CHANGES);
  }
  server.kill();
  return { first, times };
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'clients-'));
try {
  fs.writeFileSync(path.join(scratch, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...INSTALLED], {
    cwd: scratch,
  });
  const types = path.join(root, 'node_modules/@types/node');
  fs.mkdirSync(path.join(scratch, 'node_modules/@types'), { recursive: true });
  fs.symlinkSync(types, path.join(scratch, 'node_modules/@types/node'));
  fs.symlinkSync(path.join(root, 'packages/ristretto'), path.join(scratch, 'node_modules/ristretto'));
  console.log(
    '| client | tsc, s | instantiations | memory, MB | first completion, ms | path, ms | body, ms |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  for (const [name, program] of Object.entries(programs)) {
    if (selected.length > 0 && !selected.includes(name)) continue;
    const home = path.join(scratch, name);
    fs.mkdirSync(home);
    const { files, cursors } = program();
    for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(home, file), text);
    writeConfiguration(home, 'use.ts');
    if (name === 'generated') {
      const args = [
        path.join(root, 'packages/ristretto/bin/ristretto.js'),
        'client',
        'app.mjs',
        '--out',
        'api.ts',
      ];
      execFileSync(process.execPath, args, { cwd: home });
    }
    const tsc = path.join(scratch, 'node_modules/typescript/bin/tsc');
    const { seconds, instantiations, megabytes } = compile(tsc, home);
    const { first, times } = await complete(path.join(home, 'use.ts'), cursors, scratch);
    const cells = [
      seconds.toFixed(2),
      instantiations,
      megabytes,
      ...[first, ...times].map(time => Math.round(time)),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}

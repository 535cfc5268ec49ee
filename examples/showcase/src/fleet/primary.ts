/**
 * Starts the board as several processes on one port, which is what `npm start` runs. This process has the embedded
 * database, accepts the connections, and replaces workers that end; the workers are the board.
 */
import { fork } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.js';
import type { Queries } from '../data/database.js';
import { migrate } from '../data/migrate.js';
import { seed } from '../data/seed.js';
import { makeUsers } from '../data/users.js';
import { greet, openDatabase, prepareAdministrator, reportFailure } from '../services.js';
import { type Calls, type FromPrimary, type FromWorker, serve } from './link.js';
import type { Comparison, FleetState, Load, Member } from './state.js';

/** Milliseconds within which a stopped worker must have ended: longer than it lets its last requests take. */
const STOP_TIMEOUT = 15_000;
const MOST_LOGGED = 12;
/** Seconds without a panel after which the visitors stop. */
const PATIENCE = 10;

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function start() {
  const config = readConfig(process.env);
  console.log('  Opening the database. The very first start creates it, which takes a moment.');
  const db = await openDatabase(config);
  await migrate(db);
  await seed(db);
  const password = await prepareAdministrator(makeUsers(db), config.adminPassword, config.printsPassword);

  const members = new Map<Worker, Member>();
  const log: FleetState['log'] = [];
  let load: Load = { rate: 0, p50: 0, p99: 0, sent: 0, repeated: 0, lost: 0 };
  let comparison: Comparison = { isRunning: false, rounds: 0 };
  let isStopping = false;
  let port = config.port;

  const note = (text: string) => {
    log.unshift({ at: Date.now(), text });
    log.length = Math.min(log.length, MOST_LOGGED);
    share();
  };
  const tell = (message: FromPrimary, except?: Worker) => {
    for (const worker of members.keys()) {
      if (worker !== except && worker.isConnected()) worker.send(message, () => undefined);
    }
  };
  const share = () => tell({ state: { members: [...members.values()], load, log, comparison } });

  /** The transactions of each worker that have not ended: they end with their worker. */
  const transactions = new Map<
    number,
    { worker: Worker; queries: Queries; end(isKept: boolean): Promise<void> }
  >();
  let lastTransaction = 0;

  const callsOf = (worker: Worker): Calls => ({
    query: async (text, values) => (await db.query(text, values as never)).rows,
    begin: () =>
      new Promise((resolve, reject) => {
        const done = db.transaction(
          queries =>
            new Promise<void>((keep, drop) => {
              if (!members.has(worker)) return drop(new Error('The process has ended.'));
              const number = ++lastTransaction;
              const end = async (isKept: boolean) => {
                transactions.delete(number);
                if (isKept) keep();
                else drop(new Error('Rolled back.'));
                await (isKept ? done : done.catch(() => undefined));
              };
              transactions.set(number, { worker, queries, end });
              resolve(number);
            }),
        );
        done.catch(reject);
      }),
    async run(number, text, values) {
      const { queries } = transactions.get(number)!;
      if (values) return (await queries.query(text, values as never)).rows;
      await queries.script(text);
      return [];
    },
    end: (number, isKept) => transactions.get(number)!.end(isKept),
    wake: async () => tell({ wake: true }, worker),
    async replace(pid, how) {
      const [target] =
        [...members].find(([, member]) => member.pid === pid && member.state === 'running') ?? [];
      if (!target || isStopping) return false;
      if (how === 'kill') target.process.kill('SIGKILL');
      else void restart(target);
      return true;
    },
    async compare() {
      if (comparison.isRunning) return;
      comparison = { isRunning: true, rounds: 0 };
      const child = fork(file('./compare.js'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      child.on('message', (result: Comparison) => {
        comparison = result;
        share();
      });
      child.once('exit', () => (comparison = { ...comparison, isRunning: false }));
    },
  });

  /** Starts a worker; resolves when it listens. */
  async function add(): Promise<void> {
    if (isStopping) return;
    const began = Date.now();
    // All listen on the same port, also on a random one: if PORT is 0, the first chooses it for all.
    const taken = new Set([...members.values()].map(({ slot }) => slot));
    let slot = 0;
    while (taken.has(slot)) slot++;
    const worker = cluster.fork(config.metrics && { METRICS_PORT: config.metrics.port + slot });
    const pid = worker.process.pid ?? 0;
    const member: Member = {
      ...{ pid, slot, state: 'starting', since: began },
      ...{ requests: 0, sockets: 0, memory: 0, delay: 0, viewers: 0 },
    };
    members.set(worker, member);
    const calls = callsOf(worker);
    worker.on('message', (message: FromWorker) => {
      if ('report' in message) Object.assign(member, message.report);
      else void serve(worker, calls, message);
    });
    worker.once('exit', (code, signal) => {
      members.delete(worker);
      for (const open of [...transactions.values()]) if (open.worker === worker) void open.end(false);
      if (isStopping || member.state === 'stopping') return;
      note(`Process ${pid} ended with ${signal || `code ${code}`}. Another one takes its place.`);
      // A worker that cannot start is tried again, but not as fast as possible.
      setTimeout(() => isStopping || void add(), member.state === 'starting' ? 2000 : 0).unref();
    });
    await Promise.race([
      once(worker, 'listening').then(([address]) => (port = (address as { port: number }).port)),
      once(worker, 'exit'),
    ]);
    if (!members.has(worker)) return;
    Object.assign(member, { state: 'running', since: Date.now() });
    note(`Process ${pid} listens after ${Date.now() - began} ms.`);
  }

  /** Replaces a worker: the new one listens before the old one stops accepting connections. */
  async function restart(worker: Worker): Promise<void> {
    const member = members.get(worker)!;
    member.state = 'stopping';
    note(`Process ${member.pid} is being restarted: its replacement starts first.`);
    await add();
    await stop(worker);
    note(`Process ${member.pid} has finished its requests and stopped.`);
  }

  async function stop(worker: Worker): Promise<void> {
    if (worker.isDead()) return;
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT);
    // Not worker.kill(), which would disconnect the worker from the database first.
    worker.process.kill('SIGTERM');
    await once(worker, 'exit');
    clearTimeout(timer);
  }

  /** Requests pages while somebody looks at a panel. */
  let visitors: ReturnType<typeof fork> | undefined;
  let unwatched = 0;
  const look = () => {
    const isWatched = [...members.values()].some(({ viewers }) => viewers > 0);
    unwatched = isWatched ? 0 : unwatched + 1;
    if (isWatched && !visitors) {
      visitors = fork(file('./visitors.js'), [String(port)], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      visitors.on('message', (measured: Load) => (load = measured));
      visitors.once('exit', () => (visitors = undefined));
      // A killed panel is restarted. The simulated visitors keep running, because they count lost responses.
    } else if (unwatched > PATIENCE) visitors?.kill();
    if (isWatched) share();
  };

  // npm passes a signal to its shell, which ends without passing it on.
  const shell = process.env.npm_lifecycle_event ? process.ppid : undefined;
  const timer = setInterval(() => {
    if (shell !== undefined && process.ppid !== shell) void shutDown();
    else look();
  }, 1000);
  const shutDown = async () => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(timer);
    visitors?.kill();
    await Promise.all([...members.keys()].map(stop));
    await db.close();
  };
  // Registered before any worker starts: a starting worker fails without this process.
  process.on('SIGTERM', () => void shutDown());
  process.on('SIGINT', () => void shutDown());

  cluster.setupPrimary({ exec: file('../index.js'), serialization: 'advanced' });
  const count = Number(process.env.WORKERS) || Math.max(2, Math.min(4, os.availableParallelism()));
  await add();
  if (members.size === 0) {
    process.exitCode ??= 1;
    return shutDown();
  }
  greet({ port, password, place: db.place });
  await Promise.all(Array.from({ length: count - 1 }, add));
}

start().catch(reportFailure);

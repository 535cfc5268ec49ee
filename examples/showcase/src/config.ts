/** All settings that come from the environment. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Config {
  port: number;
  /** A listening socket that systemd has opened for this process, instead of the port. */
  socket?: { fd: number };
  /** Where Prometheus gets the metrics, if anywhere: a port of its own, which no proxy passes on. */
  metrics?: { port: number; host: string };
  /** The number of trusted proxies in front, for `X-Forwarded-For`. */
  proxies: number;
  /** The folder of the embedded database; not used with a database server. */
  dataDir: string;
  databaseUrl?: string;
  /** The maximum number of connections to the database server that this process opens. */
  databaseConnections: number;
  redisUrl?: string;
  /** Whether to wait for `migrate.js` to update the tables, in place of updating them. */
  waitsForMigrations: boolean;
  adminPassword?: string;
  /** Whether a missing administrator gets a password that is printed; in production, logs would keep it. */
  printsPassword: boolean;
  /** Whether responses are compressed here, and not by a proxy. */
  compresses: boolean;
  /** Whether requests are logged here, and not by a proxy. */
  logsRequests: boolean;
  /** Milliseconds of delay of the event loop from which requests are rejected; 0 for no limit. */
  overloadDelay: number;
  /** Milliseconds during which a load balancer can notice that the process is about to stop. */
  stopDelay: number;
  /** Milliseconds during which a proxy may use each of its open connections once more; the response then closes it. */
  stopDrain: number;
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const wholeNumber = (name: string, fallback: number) => {
    const given = env[name] ?? '';
    if (!/^\d*$/.test(given)) throw new Error(`${name} must be a whole number, not "${given}".`);
    return given === '' ? fallback : Number(given);
  };
  const url = (name: string, protocols: string[]) => {
    const given = env[name];
    if (!given) return undefined;
    if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol)) {
      throw new Error(`${name} must be an address that begins with ${protocols[0]}//.`);
    }
    return given;
  };
  const choice = (name: string, fallback: string, other: string) => {
    const given = env[name] || fallback;
    if (given === fallback || given === other) return given;
    throw new Error(`${name} must be ${fallback} or ${other}, not "${given}".`);
  };
  const adminPassword = env.ADMIN_PASSWORD || undefined;
  if (adminPassword && adminPassword.length < 10) {
    throw new Error('ADMIN_PASSWORD must have at least 10 characters.');
  }
  const port = wholeNumber('PORT', 3000);
  const metricsPort = wholeNumber('METRICS_PORT', 0);
  for (const [name, value] of Object.entries({ PORT: port, METRICS_PORT: metricsPort })) {
    if (value > 65_535) throw new Error(`${name} must be at most 65535, not ${value}.`);
  }
  return {
    port,
    socket: env.LISTEN_FDS === '1' && Number(env.LISTEN_PID) === process.pid ? { fd: 3 } : undefined,
    metrics: metricsPort ? { port: metricsPort, host: env.METRICS_HOST || '127.0.0.1' } : undefined,
    proxies: wholeNumber('TRUST_PROXY', 0),
    dataDir: path.resolve(env.DATA_DIR || fileURLToPath(new URL('../data', import.meta.url))),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseConnections: wholeNumber('DATABASE_CONNECTIONS', 10) || 1,
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    waitsForMigrations: choice('MIGRATIONS', 'run', 'wait') === 'wait',
    adminPassword,
    printsPassword: env.NODE_ENV !== 'production',
    compresses: choice('COMPRESSION', 'on', 'off') === 'on',
    logsRequests: choice('REQUEST_LOG', 'off', 'on') === 'on',
    overloadDelay: wholeNumber('OVERLOAD_DELAY', 0),
    stopDelay: wholeNumber('STOP_DELAY', 0),
    stopDrain: wholeNumber('STOP_DRAIN', 300),
  };
}

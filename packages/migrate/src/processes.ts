/** Runs the package manager: `install`, `test` and `start`. */
import { spawn } from 'node:child_process';
import type { ManagerName, Project } from './project';
import { countsIn } from './test-results';
import type { TestRun } from './test-results';

export interface Ended {
  code: number | null;
  output: string;
}

/** How much output is kept; the counts and the errors are at its end. */
const KEPT = 1024 * 1024;

const INSTALL: Record<ManagerName, readonly string[]> = {
  npm: ['install', '--no-audit', '--no-fund'],
  pnpm: ['install', '--no-frozen-lockfile'],
  yarn: ['install'],
};

/** Returns the install command as a user would type it. */
export function installCommand({ manager }: Project): string {
  return `${manager} install`;
}

/** Installs what the manifests declare, even in CI, where the lock file would be frozen. */
export function install({ manager, root }: Project): Promise<Ended> {
  return run([manager, ...INSTALL[manager]], root.folder, { YARN_ENABLE_IMMUTABLE_INSTALLS: '0' });
}

/** Runs the `test` script of a package with `CI` set, so that test runners do not watch for changes. */
export async function runTests({ manager }: Project, folder: string): Promise<TestRun & Ended> {
  const started = Date.now();
  const ended = await run([manager, 'test'], folder, { CI: 'true' });
  const seconds = Math.round((Date.now() - started) / 100) / 10;
  return { command: `${manager} test`, ...ended, counts: countsIn(ended.output), seconds };
}

/**
 * Runs the `start` script of a package.
 * @param probe a file that is loaded into all of its processes
 * @param port where the probe reports
 * @returns what happens when it ends, and a function that ends the process that was started
 */
export function startApplication(
  { manager }: Project,
  folder: string,
  probe: string,
  port: number,
): { ended: Promise<Ended>; stop: () => void } {
  const options = [process.env.NODE_OPTIONS, `--require ${JSON.stringify(probe)}`];
  return launch([manager, 'start'], folder, {
    NODE_OPTIONS: options.filter(Boolean).join(' '),
    VERIFY_REPORT_PORT: String(port),
  });
}

function run(command: readonly string[], folder: string, more: NodeJS.ProcessEnv): Promise<Ended> {
  return launch(command, folder, more).ended;
}

function launch(
  command: readonly string[],
  folder: string,
  more: NodeJS.ProcessEnv,
): { ended: Promise<Ended>; stop: () => void } {
  // npx's variables about its own run must not reach the child; user configuration (a registry, a cache) must.
  const outer = /^npm_(?!config_)|^npm_config_(?:local_prefix|workspace)/i;
  const environment = Object.entries(process.env).filter(([name]) => !outer.test(name));
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...Object.fromEntries(environment), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // On Windows, package managers are batch files.
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-KEPT)));
  const ended = new Promise<Ended>(resolve => {
    child.on('error', error => resolve({ code: null, output: error.message }));
    child.on('close', code => resolve({ code, output }));
  });
  return { ended, stop: () => child.kill() };
}

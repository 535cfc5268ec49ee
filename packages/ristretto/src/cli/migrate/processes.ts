/** Runs the package manager: `install` and `test`. */
import { spawn } from 'node:child_process';
import type { ManagerName, Project } from './project';
import { countsIn } from './test-results';
import type { TestRun } from './test-results';

export interface Ended {
  code: number | null;
  output: string;
}

/** The end of the output has the counts, and the errors. */
const KEPT = 1024 * 1024;

const INSTALL: Record<ManagerName, readonly string[]> = {
  npm: ['install', '--no-audit', '--no-fund'],
  pnpm: ['install', '--no-frozen-lockfile'],
  yarn: ['install'],
};

/** The command that a person would type. */
export function installCommand({ manager }: Project): string {
  return `${manager} install`;
}

/** Installs what the manifests ask for, even where CI would freeze the lock file. */
export function install({ manager, root }: Project): Promise<Ended> {
  return run([manager, ...INSTALL[manager]], root.folder, { YARN_ENABLE_IMMUTABLE_INSTALLS: '0' });
}

/** Runs the script `test` of a package, as CI does: runners don't wait for changes then. */
export async function runTests({ manager }: Project, folder: string): Promise<TestRun & Ended> {
  const started = Date.now();
  const ended = await run([manager, 'test'], folder, { CI: 'true' });
  const seconds = Math.round((Date.now() - started) / 100) / 10;
  return { command: `${manager} test`, ...ended, counts: countsIn(ended.output), seconds };
}

function run(command: readonly string[], folder: string, more: NodeJS.ProcessEnv): Promise<Ended> {
  // What npx says about its own run is not for this one; what users set (a registry, a cache) is.
  const outer = /^npm_(?!config_)|^npm_config_(?:local_prefix|workspace)/i;
  const environment = Object.entries(process.env).filter(([name]) => !outer.test(name));
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...Object.fromEntries(environment), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // There, package managers are batch files.
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-KEPT)));
  return new Promise(resolve => {
    child.on('error', error => resolve({ code: null, output: error.message }));
    child.on('close', code => resolve({ code, output }));
  });
}

/** One framework, in its own process, which is replaced if it hangs or crashes. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Outcome, Program } from './program.js';

/** A program that takes longer than this, in milliseconds, hangs. */
const PATIENCE = 30_000;

export class Side {
  private child: ChildProcess | undefined;
  private patches = '';

  constructor(
    private readonly framework: string,
    private readonly files: string,
  ) {}

  /**
   * Runs the program in the existing process, or in a new one if the program requires other patches at startup.
   *
   * @param slowness the factor for all time limits in a new process
   */
  run(program: Program, slowness = 1): Promise<Outcome> {
    const patches = JSON.stringify(program.preload);
    if (this.child && patches !== this.patches) this.stop();
    const child = (this.child ??= this.start(patches, slowness));
    return new Promise(resolve => {
      const finish = (outcome: Outcome): void => {
        clearTimeout(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(outcome);
      };
      const fail = (end: string): void => {
        this.stop();
        finish({ end, received: [], log: [] });
      };
      const timer = setTimeout(() => fail('hang'), slowness * PATIENCE);
      child.once('message', outcome => finish(outcome as Outcome));
      child.once('exit', (code, signal) => fail(`crash ${code ?? signal ?? ''}`));
      child.send(program);
    });
  }

  /** Ends the process: the next program starts a new one. */
  stop(): void {
    this.child?.removeAllListeners('exit');
    this.child?.on('error', () => undefined);
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private start(patches: string, slowness: number): ChildProcess {
    this.patches = patches;
    const root = path.resolve(__dirname, '../../..');
    return fork(path.join(__dirname, 'worker.ts'), [this.framework, this.files, patches], {
      execArgv: ['--require', path.join(root, 'scripts/typescript.cjs')],
      // The response linter is not loaded, because these programs break the rules of HTTP on purpose.
      env: { ...process.env, NODE_OPTIONS: '', DIFFERENTIAL_SLOWNESS: String(slowness) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'json',
    });
  }
}

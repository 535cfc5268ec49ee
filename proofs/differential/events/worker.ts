/**
 * Runs programs on one framework, one after another, as the parent process sends them:
 *
 *     worker.ts <express | ristretto> <folder of files to serve> <patches made before the framework is loaded, as JSON>
 */
import '../quiet.js';
import { Worker } from 'node:worker_threads';
import type { Web } from '../../../packages/engine/test/support/oracle.js';
import { Execution } from './execute.js';
import type { Program, Wrapper } from './program.js';
import { targetOf, wrap } from './wrap.js';

const [framework = 'express', root = '.', patches = '[]'] = process.argv.slice(2);

for (const wrapper of JSON.parse(patches) as Wrapper[]) {
  const target = targetOf(wrapper, {});
  if (target) wrap(target, wrapper, () => undefined);
}

// Frameworks log the errors that they respond to.
console.error = () => undefined;

// Loaded only after the patches are in place.
const web = require(framework) as Web;

process.on('message', (program: Program) => {
  void new Execution(program, web, root).run().then(outcome => process.send!(outcome));
});
process.on('disconnect', () => process.exit());

// If a program loops forever, only another thread can notice that the parent has exited.
const watch = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);
`;
new Worker(watch, { eval: true, execArgv: [] }).unref();

/**
 * A process that runs programs on one framework, one after another, as its parent sends them:
 *
 *     worker.ts <express | ristretto> <folder of files to serve> <patches made before the framework is loaded, as JSON>
 */
import '../quiet.js';
import { Worker } from 'node:worker_threads';
import type { Web } from '../../support/oracle.js';
import { Execution } from './execute.js';
import type { Program, Wrapper } from './program.js';
import { targetOf, wrap } from './wrap.js';

const [framework = 'express', root = '.', patches = '[]'] = process.argv.slice(2);

for (const wrapper of JSON.parse(patches) as Wrapper[]) {
  const target = targetOf(wrapper, {});
  if (target) wrap(target, wrapper, () => undefined);
}

// Frameworks print the errors that they respond to.
console.error = () => undefined;

// Loaded only now: the patches come first.
const web = require(framework) as Web;

process.on('message', (program: Program) => {
  void new Execution(program, web, root).run().then(outcome => process.send!(outcome));
});
process.on('disconnect', () => process.exit());

// A program may loop for ever: then only another thread notices that the parent is gone.
const watch = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);
`;
new Worker(watch, { eval: true, execArgv: [] }).unref();

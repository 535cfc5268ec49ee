/**
 * Fuzzes one target in this process, for some seconds or some number of executions, and prints the result as a line of
 * JSON:
 *
 *     node --require ./scripts/typescript.cjs proofs/fuzz/run.ts <target> <seconds> <executions> <seed> <fixed or free> [<corpus>]
 *
 * The corpus is a file, which is read first if it exists, and written at the end.
 */
import fs from 'node:fs';
import { Fuzzer } from './engine.js';
import { instrumentPackages } from './instrument.js';
import type { Target } from './target.js';
import { guard } from './watchdog.js';

const PATIENCE = 20_000;

async function main([
  file = '',
  seconds = '1',
  most = '1',
  seed = '1',
  mode,
  corpusFile,
]: string[]): Promise<void> {
  instrumentPackages();
  const { target } = require(file) as { target: Target };
  const corpus = corpusFile && fs.existsSync(corpusFile) ? fs.readFileSync(corpusFile, 'utf8') : '[]';
  const fuzzer = new Fuzzer(target, Number(seed), guard(PATIENCE));
  const unexpected = (error: unknown): never => {
    const message = `uncaught: ${error instanceof Error ? error.stack : String(error)}`;
    print({ executions: fuzzer.executions, coverage: fuzzer.coverage, finding: { input: last, message } });
    return process.exit(1);
  };
  let last = '';
  const run = target.run;
  target.run = input => {
    last = input;
    return run(input);
  };
  process.on('uncaughtException', unexpected);
  process.on('unhandledRejection', unexpected);
  const until = {
    seconds: Number(seconds),
    executions: Number(most) / (target.cost ?? 1),
    isFixed: mode === 'fixed',
  };
  const result = await fuzzer.run(JSON.parse(corpus) as string[], until);
  if (corpusFile) fs.writeFileSync(corpusFile, JSON.stringify(result.corpus));
  await target.close?.();
  print({ ...result, corpus: result.corpus.length });
  process.exit(result.finding ? 1 : 0);
}

function print(result: object): void {
  fs.writeSync(1, JSON.stringify(result) + '\n');
}

void main(process.argv.slice(2));

/** Runs a program of the applications, asks it everything, and stops it by SIGTERM. */
import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { askAll } from './requests.mjs';

/** Longer than any program needs. */
const MOST_SECONDS = 30;

/** What differs from run to run, by what it is written as. */
const RANDOM = {
  '<milliseconds>': /\b\d+\.\d+ms/g,
  '<session>': /(?<=(?:web\.sess|connect\.sid)=)[^;"]+/g,
};

/** The lines of what was printed about errors and deprecated members, without where in the code it was. */
function withoutPlaces(/** @type {string} */ text) {
  return text
    .split('\n')
    .filter(line => !/^\s+at /.test(line))
    .map(line => line.replace(/^.* (express deprecated .*) at .*$/, '$1'));
}

/** A record without what is its own run's. */
function neutral(/** @type {object} */ record, /** @type {string} */ folder) {
  let text = JSON.stringify(record).replaceAll(folder, '<folder>');
  for (const [name, pattern] of Object.entries(RANDOM)) text = text.replace(pattern, name);
  return JSON.parse(text);
}

/**
 * Runs a program. Resolves with all that was seen of it: responses, what it printed and how it ended.
 *
 * @param {string[]} command the executable and its arguments
 * @param {string} folder where it runs: what is not code lies there
 * @param {import('./requests.mjs').Parts} parts what it is asked
 * @param {Record<string, string>} environment variables that it gets besides
 */
export async function observe([executable = '', ...args], folder, parts, environment) {
  const child = spawn(executable, args, {
    cwd: folder,
    // Nothing that tells Node where else packages are.
    env: {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      NODE_ENV: 'production',
      RISTRETTO_WARNINGS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MOST_SECONDS * 1000,
    killSignal: 'SIGKILL',
  });
  let errors = '';
  child.stderr.on('data', chunk => (errors += chunk));
  /** @type {Promise<{ code: number | null, signal: string | null }>} */
  const closed = new Promise((fulfil, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => fulfil({ code, signal }));
  });
  const printed = [];
  let responses;
  try {
    for await (const line of readline.createInterface({ input: child.stdout })) {
      const message = JSON.parse(line);
      if (message.port === undefined) {
        printed.push(message);
        continue;
      }
      responses = await askAll(message.port, parts);
      child.kill('SIGTERM');
    }
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`it failed while it was asked\n${errors}`, { cause });
  }
  const end = await closed;
  if (responses === undefined) throw new Error(`it did not start: ${JSON.stringify(end)}\n${errors}`);
  return neutral({ responses, printed, end, errors: withoutPlaces(errors) }, folder);
}

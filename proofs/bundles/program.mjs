/** Runs a program of the applications, sends it all requests, and stops it with SIGTERM. */
import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { askAll } from './requests.mjs';

/** More seconds than any program needs. */
const MOST_SECONDS = 30;

/** Patterns for the parts that differ between runs, by placeholder. */
const RANDOM = {
  '<milliseconds>': /\b\d+\.\d+ms/g,
  '<session>': /(?<=(?:web\.sess|connect\.sid)=)[^;"]+/g,
};

/** Returns the printed lines about errors and deprecated members, without code locations. */
function withoutPlaces(/** @type {string} */ text) {
  return text
    .split('\n')
    .filter(line => !/^\s+at /.test(line))
    .map(line => line.replace(/^.* (express deprecated .*) at .*$/, '$1'));
}

/** Returns a record without the parts that are specific to its run. */
function neutral(/** @type {object} */ record, /** @type {string} */ folder) {
  let text = JSON.stringify(record).replaceAll(folder, '<folder>');
  for (const [name, pattern] of Object.entries(RANDOM)) text = text.replace(pattern, name);
  return JSON.parse(text);
}

/**
 * Runs a program. Resolves with its observable behaviour: responses, output and exit.
 *
 * @param {string[]} command the executable and its arguments
 * @param {string} folder the working directory, with all files other than code
 * @param {import('./requests.mjs').Parts} parts the requests to send
 * @param {Record<string, string>} environment additional environment variables
 */
export async function observe([executable = '', ...args], folder, parts, environment) {
  const child = spawn(executable, args, {
    cwd: folder,
    // Without variables that tell Node where to find other packages.
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

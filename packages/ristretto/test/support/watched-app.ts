/** Runs programs that send requests to their application, each in a separate process, and collects their warnings. */
import { runProgram } from './warnings.js';
import type { Setting } from './warnings.js';

interface Told {
  /** The warnings in alphabetical order, each a string of code, message and place. */
  warnings: string[];
  seen: unknown[];
  stderr: string;
}

const ASK = `
  const ask = (server, path, headers = {}) => new Promise(resolve => {
    const options = { port: server.address().port, path, headers: { connection: 'close', ...headers }, signal: AbortSignal.timeout(WAIT) };
    require('node:http').get(options, res => {
      let text = '';
      res.on('data', chunk => (text += chunk)).on('end', () => resolve(text)).on('error', () => resolve('broken'));
    }).on('error', () => resolve('none'));
  });
  const serve = async (app, paths) => {
    const server = app.listen(0);
    await require('node:events').once(server, 'listening');
    seen.push(...(await Promise.all(paths.map(path => ask(server, ...[].concat(path))))));
    server.close();
  };`.replaceAll('\n', ' ');

/**
 * Runs a program that sets up `app` and may push values to `seen`; then sends all requests at once and pushes the
 * response texts to `seen`. The first line of the program is line 2.
 * @param paths each with headers if needed
 * @param wait request timeout in milliseconds
 */
export function runApp(
  program: string,
  paths: (string | [path: string, headers: Record<string, string>])[],
  { wait = 2500, ...setting }: Setting & { wait?: number } = {},
): Told {
  const text = `${ASK.replace('WAIT', String(wait))} const app = web();\n${program}\nserve(app, ${JSON.stringify(paths)});`;
  const { warnings, seen, stderr } = runProgram(text, setting);
  return {
    warnings: warnings
      .map(({ code, message, detail = '' }) => `${code}: ${message}${detail.replace('    ', ' ')}`)
      .sort(),
    seen,
    stderr,
  };
}

/** Programs with an application that is asked for some paths, in a process of their own, and what they warn of. */
import { runProgram } from './warnings.js';
import type { Setting } from './warnings.js';

interface Told {
  /** The warnings, each as code, message and place in one text, in alphabetical order. */
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
 * Runs a program that registers what it likes with `app` and pushes what it likes to `seen`; then all requests are
 * made at once, and the text of the responses pushed to `seen`. The first line of the program is line 2.
 * @param paths each with headers if need be
 * @param wait milliseconds after which a request is given up
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

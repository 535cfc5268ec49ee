/** Runs programs that send requests to their application, each in a separate process, and collects their warnings. */
import { runProgram } from './warnings.js';
import type { Setting } from './warnings.js';

interface Observed {
  /** The warnings in alphabetical order, each a string of code, message and place. */
  warnings: string[];
  seen: unknown[];
  stderr: string;
}

// With plain timers: Node 20 loses the timeout of `AbortSignal.any` to the garbage collector.
const ASK = `
  const waiting = new Set();
  const abortAll = () => { for (const request of waiting) request.destroy(); };
  process.on('warning', () => { if (warnings.length === UNTIL) setImmediate(abortAll); });
  const ask = (server, path, headers = {}) => new Promise(resolve => {
    const options = { port: server.address().port, path, headers: { connection: 'close', ...headers } };
    const request = require('node:http').get(options, res => {
      let text = '';
      res.on('data', chunk => (text += chunk)).on('end', () => resolve(text)).on('error', () => resolve('broken'));
    }).on('error', () => resolve('none')).on('close', () => waiting.delete(request));
    waiting.add(request);
    setTimeout(() => request.destroy(), WAIT).unref();
  });
  const serve = async (app, paths) => {
    const server = app.listen(0);
    await require('node:events').once(server, 'listening');
    await new Promise(resolve => setTimeout(resolve, 1));
    seen.push(...(await Promise.all(paths.map(path => ask(server, ...[].concat(path))))));
    server.close();
  };`.replaceAll('\n', ' ');

/**
 * Runs a program that sets up `app` and may push values to `seen`; then sends all requests at once and pushes the
 * response texts to `seen`. The first line of the program is line 2.
 * @param paths each with headers if needed
 * @param wait request timeout in milliseconds; long, unless some requests are never responded to
 * @param until number of warnings after which the requests that still wait are aborted
 */
export function runApp(
  program: string,
  paths: (string | [path: string, headers: Record<string, string>])[],
  { wait = 15_000, until = 0, ...setting }: Setting & { wait?: number; until?: number } = {},
): Observed {
  const text = `${ASK.replace('WAIT', String(wait)).replace('UNTIL', String(until))} const app = web();\n${program}\nserve(app, ${JSON.stringify(paths)});`;
  const { warnings, seen, stderr } = runProgram(text, setting);
  return {
    warnings: warnings
      .map(({ code, message, detail = '' }) => `${code}: ${message}${detail.replace('    ', ' ')}`)
      .sort(),
    seen,
    stderr,
  };
}

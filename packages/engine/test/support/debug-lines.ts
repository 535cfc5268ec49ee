/** Collects what a program prints under `DEBUG`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VIEWS } from './views.js';

/** Runs a program that uses `web`, then sends requests to its `app`; resolves with the output. */
export async function printed(
  framework: string,
  program: string,
  paths: string[],
  DEBUG: string,
  before = '',
): Promise<string[]> {
  const script = `
    ${before}
    const http = require('node:http');
    const web = require('${framework}');
    const views = ${JSON.stringify(VIEWS)};
    ${program}
    const server = http.createServer(app).listen(0, '127.0.0.1', async () => {
      const { port } = server.address();
      for (const path of ${JSON.stringify(paths)}) {
        await new Promise(resolve => {
          const request = http.request({ port, path, agent: false }, res => res.resume().on('end', resolve));
          request.end();
        });
      }
      server.close();
    });`;
  const env = { ...process.env, NODE_ENV: 'test', NODE_NO_WARNINGS: '1', DEBUG };
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: __dirname, env });
  return (
    stderr
      .split('\n')
      .map(line => line.replace(/^(?:.* GMT|\d{4}-\S+Z) /, ''))
      // Function names differ, and Express marks every expression
      .map(line => line.replace(/\[Function.*\]/, '[Function]').replace(/ \{ fast_.* \}$/, ''))
  );
}

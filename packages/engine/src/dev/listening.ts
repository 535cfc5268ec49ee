/** Mistakes with `app.listen`: a string that is not a port, and a port that is already in use. */
import { errorMonitor } from 'node:events';
import { writeSync } from 'node:fs';
import type { Server } from 'node:http';
import { reportStart } from './background';
import { reportsMistakes } from '../report/development';
import { captureStack, placeOf } from './place';
import { warnOnce } from './warn';
import { at } from './watched';

type Settings = Readonly<Record<string, unknown>>;

/** Text with these characters is a path: of a UNIX socket, or of a named pipe. */
const PATH = /[./\\]/;

/** Warns of mistakes in the arguments of `app.listen`. A string without a slash or a dot is rarely meant as a path. */
export function checkListenArguments(args: readonly unknown[]): void {
  const [first] = args;
  if (first === undefined && args.length > 0) {
    const message =
      'app.listen() got undefined in place of a port, so the system chooses one at random. If the environment has the ' +
      'port, pass Number(process.env.PORT ?? 3000); for any free port, pass 0.';
    warnOnce('RISTRETTO_LISTEN', message);
  }
  if (typeof first !== 'string' || first === '' || !Number.isNaN(Number(first)) || PATH.test(first)) return;
  const message =
    `app.listen() got '${first}', which is not a port: the server listens on a UNIX socket of that name. ` +
    `Pass a number, or './${first}' if you mean a socket.`;
  warnOnce('RISTRETTO_LISTEN', message);
}

/** Reports in one line that a port is in use, instead of the stack of an uncaught error. */
export function explainPortInUse(server: Server, settings: Settings): void {
  const trace = captureStack();
  server.on(errorMonitor as unknown as 'error', (error: NodeJS.ErrnoException & { port?: number }) => {
    const { code, port } = error;
    if (code !== 'EADDRINUSE' || port === undefined || !reportsMistakes(settings) || isCaught(server)) return;
    const find = process.platform === 'win32' ? `netstat -ano | findstr :${port}` : `lsof -i :${port}`;
    const place = at(placeOf(trace));
    const call = place === '' ? '' : `; app.listen() was called${place}`;
    writeSync(2, `Port ${port} is in use (EADDRINUSE). To find out which program uses it: ${find}${call}\n`);
    // Exits with the code of an uncaught error
    process.exit(1);
  });
}

/** Whether the program handles the error. */
function isCaught(server: Server): boolean {
  const listeners = [
    ...server.listeners('error'),
    ...process.listeners('uncaughtException'),
    ...process.listeners('uncaughtExceptionMonitor').filter(listener => listener !== reportStart),
  ];
  return process.hasUncaughtExceptionCaptureCallback() || listeners.length > 0;
}

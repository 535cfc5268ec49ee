/** Warns of roots of files and views that do not exist. */
import { stat } from 'node:fs';
import { captureStack, placeOf } from './place';
import type { CapturedStack } from './place';
import { warnOnce } from './warn';

/** Milliseconds within which the application must create its directories. */
const CREATION_TIME = 1000;

/**
 * Warns if the directory does not exist a second from now, so that startup does not wait for the file system.
 * @param caller the function that received the directory, for the message
 * @param orFile whether it may be a file, as for `web.static`, which then serves that file at its mount path
 */
export function warnOfDirectory(
  root: string,
  caller: string,
  code: `RISTRETTO_${string}`,
  orFile = false,
): void {
  try {
    const trace = captureStack();
    setTimeout(() => {
      check(root, caller, code, orFile, trace);
    }, CREATION_TIME).unref();
  } catch {
    // Workers allow timers only during a request.
  }
}

function check(
  root: string,
  caller: string,
  code: `RISTRETTO_${string}`,
  orFile: boolean,
  trace: CapturedStack,
): void {
  stat(root, (error, stats) => {
    if (error === null ? orFile || stats.isDirectory() : error.code !== 'ENOENT' && error.code !== 'ENOTDIR')
      return;
    const problem = error === null ? 'is not a directory' : 'does not exist';
    const message = `${caller} got '${root}', which ${problem}. Ignore this if it is created later, for example by a build.`;
    warnOnce(code, message, placeOf(trace) ?? null);
  });
}

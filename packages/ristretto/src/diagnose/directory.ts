/** Directories of files that are not there. */
import { stat } from 'node:fs';
import { captureTrace, placeOf } from './place';
import type { Trace } from './place';
import { warnOnce } from './warn';

/** Milliseconds that a program has to make its directories. */
const PATIENCE = 1000;

/** Warns where there is no such directory a second from now; startup does not wait for the file system. */
export function warnOfDirectory(root: string): void {
  try {
    setTimeout(check, PATIENCE, root, captureTrace()).unref();
  } catch {
    // Workers allow no timers outside of a request.
  }
}

function check(root: string, trace: Trace): void {
  stat(root, (error, stats) => {
    if (error === null ? stats.isDirectory() : error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return;
    const problem = error === null ? 'is not a directory' : 'does not exist';
    const message = `web.static() got '${root}', which ${problem}. Ignore this if it is made later, as by a build.`;
    warnOnce('RISTRETTO_STATIC_ROOT', message, placeOf(trace) ?? null);
  });
}

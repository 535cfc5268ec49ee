/**
 * Calls `stat` for a file. A trip to the thread pool costs more than everything else that a 304 needs, but a
 * synchronous call could block the server while a slow disk or a network responds. The system still has a recent result
 * in memory, though, so the call is synchronous for recent names. Only the names are remembered, never the results.
 */
import { stat, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { nodeProcess } from '../node-process';

/** Milliseconds for which a result counts as being in memory; network file systems keep theirs longer. */
const AT_HAND = 500;
/** The maximum number of names remembered. */
const MOST_NAMES = 1000;

/** The time until which the system has the result in memory, by name. */
const atHandUntil = new Map<string, number>();

type Callback = (error: NodeJS.ErrnoException | null, stats?: Stats) => void;

/**
 * Calls `stat` for a file.
 * @param path absolute path of the file
 * @param callback callback as for `fs.stat`, always called asynchronously
 */
export function statName(path: string, callback: Callback): void {
  const until = atHandUntil.get(path);
  // The caller may still set headers after this call, so the callback must not run within it
  if (until !== undefined && performance.now() < until) nodeProcess.nextTick(statNow, path, callback);
  else statLater(path, callback);
}

function statNow(path: string, callback: Callback): void {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    // Deleted meanwhile: the asynchronous call reports that
    atHandUntil.delete(path);
    statLater(path, callback);
    return;
  }
  callback(null, stats);
}

function statLater(path: string, callback: Callback): void {
  stat(path, (error, stats) => {
    if (error === null) remember(path);
    callback(error, stats);
  });
}

function remember(path: string): void {
  if (atHandUntil.size >= MOST_NAMES) atHandUntil.clear();
  atHandUntil.set(path, performance.now() + AT_HAND);
}

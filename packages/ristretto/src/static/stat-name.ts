/**
 * `stat` of a file by its name. A trip to the thread pool costs more than all else that a 304 does, but to ask at once
 * could stop the whole server while a slow disk or a network answers. What was asked a moment ago the system still has
 * at hand, though: that is asked at once. Only whether the system knows is remembered, never what it said.
 */
import { stat, statSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** For so many milliseconds an answer counts as being at hand; network file systems keep theirs for longer. */
const AT_HAND = 500;
/** So many names are remembered at most. */
const MOST_NAMES = 1000;

/** Until when the system has its answer at hand, by name. */
const atHandUntil = new Map<string, number>();

type Callback = (error: NodeJS.ErrnoException | null, stats?: Stats) => void;

/**
 * Asks about a file.
 * @param path its name, absolute
 * @param callback is called as that of `fs.stat`, in a later turn
 */
export function statName(path: string, callback: Callback): void {
  const until = atHandUntil.get(path);
  // whoever asks for an answer may still set headers behind the call: nothing happens within it
  if (until !== undefined && performance.now() < until) process.nextTick(statNow, path, callback);
  else statLater(path, callback);
}

function statNow(path: string, callback: Callback): void {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    // gone meanwhile: the usual way says so
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

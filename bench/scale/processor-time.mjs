/** Processor time of processes, from Linux' /proc: of each with its children, those that have ended included. */
import fs from 'node:fs';

/** Ticks in a second: what Linux tells programs, on every machine. */
const TICKS = 100;

/** The fields of /proc/PID/stat behind the name, which may contain anything. */
const fieldsOf = pid =>
  fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

/** Seconds that a process and its children have used. @param {number} pid */
export function processorTime(pid) {
  const [utime, stime, reapedUser, reapedSystem] = fieldsOf(pid).slice(11, 15).map(Number);
  return (
    (utime + stime + reapedUser + reapedSystem) / TICKS +
    childrenOf(pid).reduce((sum, child) => sum + processorTime(child), 0)
  );
}

const childrenOf = pid =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Reads the processor time of processes from Linux's /proc, including their children, even those that have exited. */
import fs from 'node:fs';

/** Ticks per second, as Linux reports them to programs on every machine. */
const TICKS = 100;

/** Returns the fields of /proc/PID/stat after the name, which may contain any character. */
const fieldsOf = pid =>
  fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

/** Returns the seconds that a process and its children have used. @param {number} pid */
export function processorTime(pid) {
  const [utime, stime, reapedUser, reapedSystem] = fieldsOf(pid).slice(11, 15).map(Number);
  return (
    (utime + stime + reapedUser + reapedSystem) / TICKS +
    childrenOf(pid).reduce((sum, child) => sum + processorTime(child), 0)
  );
}

const childrenOf = pid =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

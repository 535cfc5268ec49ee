/**
 * Returns the milliseconds of processor time that this process has used. Assertions about how long code may take use
 * it: the time on the clock also depends on what else runs on the machine.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * The CPU time of this process that work takes, in milliseconds. A machine that is busy with other things makes it no longer, unlike
 * the time on a clock.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

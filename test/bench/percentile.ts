const p99 = (times: Float64Array): number => times.sort()[Math.floor(times.length * 0.99)] ?? Number.NaN;

/** Runs `work` this often and gives the 99th percentile of its times in nanoseconds. */
export function p99Of(calls: number, work: () => void): number {
  const times = new Float64Array(calls);
  for (let call = 0; call < calls; call += 1) {
    const started = process.hrtime.bigint();
    work();
    times[call] = Number(process.hrtime.bigint() - started);
  }
  return p99(times);
}

/** The same of work that is waited for, one at a time. */
export async function p99OfWaiting(calls: number, work: () => Promise<void>): Promise<number> {
  const times = new Float64Array(calls);
  for (let call = 0; call < calls; call += 1) {
    const started = process.hrtime.bigint();
    await work();
    times[call] = Number(process.hrtime.bigint() - started);
  }
  return p99(times);
}

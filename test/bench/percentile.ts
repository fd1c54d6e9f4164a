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

/**
 * Times `ours` and `theirs` call by call in turn, so that other load of the machine falls on both alike. Each goes first every second
 * time: the second finds the input in the caches.
 */
export function spreadsOf(calls: number, ours: () => void, theirs: () => void): readonly [our: Spread, their: Spread] {
  const [a, b] = [new Float64Array(calls), new Float64Array(calls)];
  const time = (work: () => void): number => {
    const started = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - started);
  };
  for (let call = 0; call < calls; call += 1) {
    if (call % 2 === 0) {
      a[call] = time(ours);
      b[call] = time(theirs);
    } else {
      b[call] = time(theirs);
      a[call] = time(ours);
    }
  }
  return [spreadOf(a), spreadOf(b)];
}

/** Nanoseconds that `work`, which is waited for, takes. */
export async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started);
}

export interface Spread {
  readonly median: number;
  readonly p99: number;
}

/** The median and the 99th percentile of times. */
export function spreadOf(times: Iterable<number>): Spread {
  const sorted = Float64Array.from(times).sort();
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

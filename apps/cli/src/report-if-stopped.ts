const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Says something if a signal ends the process while the work goes on. The signal ends it all the same. */
export async function reportIfStopped<T>(say: () => void, work: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals): void => {
    say();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    forget();
  }
}

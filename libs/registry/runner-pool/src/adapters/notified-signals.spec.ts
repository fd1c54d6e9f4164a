import { NotifiedSignals } from './notified-signals.js';

function channel() {
  const listeners = new Set<(payload: string | null) => void>();
  const signals = new NotifiedSignals({
    subscribe: (_name, listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  });
  return {
    signals,
    listeners,
    tell: (payload: string | null) => {
      for (const listener of listeners) listener(payload);
    },
  };
}
const FOREVER_MS = 600_000;

it('wakes the one who waits for a topic, and nobody else', async () => {
  const { signals, tell } = channel();
  const [mine, other] = [signals.listen('mine'), signals.listen('other')];
  const woken = mine.next(FOREVER_MS);
  tell('mine');
  await woken;
  const still = await Promise.race([other.next(20).then(() => 'after its time'), Promise.resolve('waits')]);
  expect(still).toBe('waits');
});

it('misses nothing that happened between two waits', async () => {
  const { signals, tell } = channel();
  const wake = signals.listen('mine');
  tell('mine');
  await wake.next(FOREVER_MS);
});

it('wakes everybody if notifications may have been missed', async () => {
  const { signals, tell } = channel();
  const both = [signals.listen('mine').next(FOREVER_MS), signals.listen('other').next(FOREVER_MS)];
  tell(null);
  await Promise.all(both);
});

it('ends with its signal, and no more after it was closed', async () => {
  const { signals, tell } = channel();
  const gone = new AbortController();
  const wake = signals.listen('mine');
  const waiting = wake.next(FOREVER_MS, gone.signal);
  gone.abort();
  await waiting;
  wake.close();
  tell('mine');
  await wake.next(1);
  await expect(wake.next(FOREVER_MS, AbortSignal.abort())).resolves.toBeUndefined();
});

it('listens to the channel as long as anybody waits for a topic, and again for the next one', async () => {
  const { signals, listeners, tell } = channel();
  const [first, second] = [signals.listen('mine'), signals.listen('other')];
  first.close();
  expect(listeners.size).toBe(1);
  second.close();
  expect(listeners.size).toBe(0);
  const woken = signals.listen('mine').next(FOREVER_MS);
  tell('mine');
  await woken;
  expect(listeners.size).toBe(1);
});

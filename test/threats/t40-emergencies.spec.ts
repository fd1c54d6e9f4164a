import { performance } from 'node:perf_hooks';
import { FailedAttempts } from '../../apps/api/src/http/failed-attempts.js';
import { FailureError } from '#lib/kernel';

const ADDRESS = '192.0.2.1';
const BY_THE_HUNDRED = 100;
/** How many look-ups at once the database is left with, at most, by a flood of each kind. */
const AT_ONCE = { credential: 8, emergency: 4 } as const;

const unknown = (): Promise<never> =>
  Promise.reject(
    new FailureError({ kind: 'unauthenticated', code: 'credential.unknown', message: 'Unknown.', action: 'None.' }),
  );
const refused = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'good',
    (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
  );

/** Look-ups that stay under way, and how many began. */
function lookUps() {
  let begun = 0;
  return {
    begun: () => begun,
    bad: (): Promise<never> => {
      begun += 1;
      return new Promise(() => undefined);
    },
  };
}

/** Runs the due work: everything here that is not held back takes a few turns of the microtask queue. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An address with so many failures that each further look-up of it waits for its turn. */
async function suspected(attempts: FailedAttempts): Promise<void> {
  const failed = Array.from({ length: 31 }, () => refused(attempts.watch(ADDRESS, 'credential', unknown, 'wrong')));
  await Promise.race(failed);
  await settle();
}

describe('T40: a halt from an address that floods', () => {
  let attempts: FailedAttempts;
  let flood: ReturnType<typeof lookUps>;
  beforeEach(async () => {
    attempts = new FailedAttempts();
    flood = lookUps();
    await suspected(attempts);
  });

  const flooding = (kind: keyof typeof AT_ONCE): void => {
    for (let index = 0; index < BY_THE_HUNDRED; index += 1)
      void refused(attempts.watch(ADDRESS, kind, flood.bad, `guess ${String(index)}`));
  };
  const halt = (token: string): Promise<string> =>
    refused(attempts.watch(ADDRESS, 'emergency', () => Promise.resolve('halted'), token));
  const soon = (asked: Promise<string>): Promise<string> => Promise.race([asked, settle().then(() => 'waits')]);

  it('does not wait for other calls, with any credential', async () => {
    flooding('credential');
    await settle();
    expect(flood.begun()).toBe(AT_ONCE.credential);
    expect(await soon(halt('never seen here'))).toBe('good');
  });

  it('does not even wait for bad halts if its credential proved good before', async () => {
    await attempts.watch('198.51.100.1', 'credential', () => Promise.resolve('good'), 'hers');
    flooding('emergency');
    await settle();
    expect(await soon(halt('hers'))).toBe('good');
    expect(await soon(halt('never seen here'))).toBe('waits');
  });

  it('is no way to try credentials faster: few bad ones are looked up at a time, and answered late', async () => {
    flooding('emergency');
    await settle();
    expect(flood.begun()).toBe(AT_ONCE.emergency);

    const fresh = new FailedAttempts();
    for (let failures = 0; failures < 30; failures += 1)
      await refused(fresh.watch(ADDRESS, 'emergency', unknown, `guess ${String(failures)}`));
    const before = performance.now();
    expect(await refused(fresh.watch(ADDRESS, 'emergency', unknown, 'guess'))).toBe('credential.unknown');
    expect(performance.now() - before).toBeGreaterThanOrEqual(1_000);
  });

  it('waits like any other once its credential was revoked', async () => {
    await attempts.watch(ADDRESS, 'credential', () => Promise.resolve('good'), 'hers');
    void refused(attempts.watch(ADDRESS, 'emergency', unknown, 'hers'));
    await settle();
    flooding('emergency');
    await settle();
    expect(await soon(halt('hers'))).toBe('waits');
  });
});

import { newId, type RunId, type TenantId } from '#lib/kernel';
import type { Again } from '#lib/run';
import { RunDriver } from './run-driver.js';

const tenant = newId<TenantId>();
const run = newId<RunId>();
const now: Again = { when: 'now' };

describe('the driver of runs', () => {
  let calls = 0;
  beforeEach(() => {
    calls = 0;
  });
  const driverOf = (...answers: readonly Again[]): RunDriver =>
    new RunDriver({ execute: () => Promise.resolve(answers[calls++] ?? now) }, () => Promise.resolve(null));

  it.each<Again>([{ when: 'never' }, { when: 'at', at: 5 }])(
    'advances a run for as long as there is something to do at once, until %o',
    async (last) => {
      expect(await driverOf(now, now, last).execute(tenant, run, { over: false })).toBeNull();
      expect(calls).toBe(3);
    },
  );

  it('ends its turn after one action if others wait, and says that there is more', async () => {
    expect(await driverOf(now, now).execute(tenant, run, { over: true })).toBe(0);
    expect(calls).toBe(1);
  });

  it('says nothing more once there is nothing to do', async () => {
    expect(await driverOf({ when: 'never' }).execute(tenant, run, { over: true })).toBeNull();
  });

  it('hands on when the next turn is due to a caller that plans it', async () => {
    const later: Again = { when: 'at', at: 5 };
    expect(await driverOf(now, later).advance(tenant, run, { over: false })).toEqual(later);
    expect(calls).toBe(2);
    expect(await driverOf(now).advance(tenant, run, { over: true })).toEqual(now);
  });

  it('throws the error of the run', async () => {
    const driver = new RunDriver({ execute: () => Promise.reject(new Error('no database')) }, () =>
      Promise.resolve(null),
    );
    await expect(driver.execute(tenant, run, { over: false })).rejects.toThrow('no database');
  });
});

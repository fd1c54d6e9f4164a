import { newId, type RunId, type TenantId } from '#lib/kernel';
import type { Again } from '#lib/run';
import { RunDriver } from './run-driver.js';

const tenant = newId<TenantId>();
const now: Again = { when: 'now' };
const never: Again = { when: 'never' };

/** Answers what it is told to, one call after the other. */
class ScriptedAdvancer {
  calls = 0;
  #open: ((again: Again) => void)[] = [];

  execute(): Promise<Again> {
    this.calls += 1;
    return new Promise((resolve) => this.#open.push(resolve));
  }

  async answer(again: Again): Promise<void> {
    this.#open.shift()?.(again);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const driverOf = (advancer: ScriptedAdvancer, atMost = 10): RunDriver =>
  new RunDriver(advancer, { atMost, traceOf: () => Promise.resolve(null), onError: () => undefined });

describe('RunDriver', () => {
  it('advances a run for as long as there is something to do at once', async () => {
    const advancer = new ScriptedAdvancer();
    const driver = driverOf(advancer);
    driver.wake(tenant, newId<RunId>());
    await advancer.answer(now);
    expect(advancer.calls).toBe(2);
    await advancer.answer(never);
    expect([advancer.calls, driver.driven]).toEqual([2, 0]);
  });

  it('drives a run once, and looks again when it was woken meanwhile', async () => {
    const advancer = new ScriptedAdvancer();
    const driver = driverOf(advancer);
    const run = newId<RunId>();
    driver.wake(tenant, run);
    driver.wake(tenant, run);
    expect(advancer.calls).toBe(1);
    await advancer.answer(never);
    expect(advancer.calls).toBe(2);
    await advancer.answer(never);
    expect(driver.driven).toBe(0);
  });

  it('takes no more than it can', () => {
    const advancer = new ScriptedAdvancer();
    const driver = driverOf(advancer, 1);
    driver.wake(tenant, newId<RunId>());
    driver.wake(tenant, newId<RunId>());
    expect(advancer.calls).toBe(1);
  });

  it('lets what is out come back when it stops, and begins nothing more', async () => {
    const advancer = new ScriptedAdvancer();
    const driver = driverOf(advancer);
    driver.wake(tenant, newId<RunId>());
    const stopped = driver.stop(10_000);
    driver.wake(tenant, newId<RunId>());
    await advancer.answer(now);
    await stopped;
    expect(advancer.calls).toBe(1);
  });

  it('leaves to its lease what does not come back in time', async () => {
    const advancer = new ScriptedAdvancer();
    const driver = driverOf(advancer);
    driver.wake(tenant, newId<RunId>());
    await driver.stop(1);
    expect(driver.driven).toBe(1);
  });

  it('tells of what goes wrong, and drives the run again when it is woken', async () => {
    const errors: unknown[] = [];
    const failing = { execute: () => Promise.reject(new Error('no database')) };
    const driver = new RunDriver(failing, {
      atMost: 1,
      traceOf: () => Promise.resolve(null),
      onError: (_run, error) => errors.push(error),
    });
    const run = newId<RunId>();
    for (const round of [1, 2]) {
      driver.wake(tenant, run);
      await new Promise((resolve) => setImmediate(resolve));
      expect([errors.length, driver.driven]).toEqual([round, 0]);
    }
  });
});

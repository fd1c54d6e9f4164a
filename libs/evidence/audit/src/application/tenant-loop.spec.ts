import { newId, type TenantId } from '#lib/kernel';
import { until } from '../../../../../test/support/until.js';
import { TenantLoop, type TenantWorkResult } from './tenant-loop.js';

describe('tenant loop', () => {
  const [good, bad, refused] = [newId<TenantId>(), newId<TenantId>(), newId<TenantId>()];
  let clock = 1_000_000;
  const calls: TenantId[] = [];
  const errors: unknown[] = [];
  let due: readonly TenantId[] | Error = [];
  const results = new Map<TenantId, TenantWorkResult | Promise<TenantWorkResult> | Error>();
  const count = (tenantId: TenantId): number => calls.filter((one) => one === tenantId).length;
  let loop: TenantLoop;

  beforeEach(() => {
    calls.length = 0;
    errors.length = 0;
    loop = new TenantLoop({
      due: () => (due instanceof Error ? Promise.reject(due) : Promise.resolve(due)),
      work: (tenantId) => {
        calls.push(tenantId);
        const result = results.get(tenantId) ?? 'done';
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
      onError: (error, tenantId) => errors.push([error, tenantId]),
      now: () => clock,
      busyMs: 1,
      idleMs: 4,
      holdMs: 60_000,
    });
  });
  afterEach(() => loop.stop());

  test('a tenant that fails, or is held, leaves the others alone, and is tried again later', async () => {
    due = [bad, refused, good];
    const failure = new Error('no');
    results.set(bad, failure).set(refused, 'hold');
    loop.start();
    await until(() => count(good) > 5);
    expect([count(bad), count(refused)]).toEqual([1, 1]);
    expect(errors).toEqual([[failure, bad]]);
    clock += 1_000;
    await until(() => count(bad) === 2);
    clock += 1_000;
    const before = count(good);
    await until(() => count(good) > before + 3);
    expect([count(bad), count(refused)]).toEqual([2, 1]);
    clock += 60_000;
    results.delete(bad);
    await until(() => count(bad) > 4 && count(refused) === 2);
  });

  test('it goes on when looking for work fails', async () => {
    due = new Error('the database is away');
    loop.start();
    await until(() => errors.length > 1);
    due = [good];
    await until(() => count(good) > 0);
  });

  test('it stops when told, once the round under way is over', async () => {
    let finish = (): void => undefined;
    const done = new Promise<TenantWorkResult>((resolve) => {
      finish = () => {
        resolve('more');
      };
    });
    due = [good];
    results.set(good, done);
    loop.start();
    await until(() => count(good) === 1);
    let hasStopped = false;
    // It never ends if the loop goes on after the round.
    const stopping = loop.stop().then(() => {
      hasStopped = true;
    });
    await new Promise(setImmediate);
    expect(hasStopped).toBe(false);
    finish();
    await stopping;
    expect(count(good)).toBe(1);
  });
});

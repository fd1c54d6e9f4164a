import type { Json } from '#lib/canonical';
import type { UnitOfWork } from '#lib/kernel';
import { passedWaits } from '../../../../../test/support/passed-waits.js';
import { MAX_ATTEMPTS } from './advance-impact.js';
import { broken, change, changed, impactWorld, waiting } from './fake-impact-world.js';

passedWaits();

describe('a report whose batch fails', () => {
  it('counts no decision twice if the answer to the commit of a batch is lost', async () => {
    const { insert, found, groups, advance, uow, pass } = impactWorld();
    const report = await insert({ change });
    let lost = 0;
    /** The commit of each transaction that adds to the counts is kept, and its caller is not told. */
    const losing: UnitOfWork = {
      run: async (tenantId, work) => {
        const looked = async () => (await found(report))?.progress.tally.looked;
        const before = await looked();
        const result = await uow.run(tenantId, work);
        if ((await looked()) === before) return result;
        lost += 1;
        throw new Error('the connection was lost');
      },
    };
    for (let time = 0; time < 3; time += 1) {
      await expect(advance(report, false, { uow: losing })).rejects.toThrow('was lost');
      pass(60_000);
    }
    expect(lost).toBe(3);
    expect(await found(report)).toMatchObject({ phase: 'done', progress: { tally: { looked: 450, changed: 450 } } });
    expect((await groups(report)).by.agent.listed).toMatchObject([{ changed: 225 }, { changed: 225 }]);
  });

  it('is given up with a code after a bounded number of failures, and the message about the change is told', async () => {
    const { insert, found, advance, told, pass } = impactWorld(waiting);
    const report = await insert(changed());
    for (let time = 1; time <= MAX_ATTEMPTS; time += 1) {
      await expect(advance(report, false, broken)).rejects.toThrow('does not evaluate');
      // It rests before it is begun again.
      expect(await advance(report, false, broken)).toBeNull();
      pass(60_000);
    }
    expect(await found(report)).toMatchObject({ phase: 'failed', failure: 'batch_failed' });
    expect(await advance(report, false)).toBeNull();
    expect(told()).toEqual([
      { topic: 'change_request.changed', payload: { change_id: report.changeId, event: 'impact' } },
    ]);
  });

  it('is tried again ten minutes after it failed, while its change waits', async () => {
    const { insert, found, advance, told, pass } = impactWorld(waiting);
    const report = await insert(changed());
    for (let time = 1; time <= MAX_ATTEMPTS; time += 1) {
      await expect(advance(report, false, broken)).rejects.toThrow('does not evaluate');
      pass(60_000);
    }
    pass(480_000);
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'failed' });
    pass(60_000);
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', failure: null, progress: { tally: { looked: 450 } } });
    expect(told()).toHaveLength(2);
  });

  it.each<[string, () => Promise<{ kind: string; payload: Json }>]>([
    [
      'its change never fits',
      () => Promise.resolve({ kind: 'environment', payload: { environment_id: 'gone', production: false } }),
    ],
    ['it cannot even be begun', () => Promise.reject(new Error('no row'))],
  ])('is tried again a bounded number of times if %s, and told once', async (_name, waits) => {
    const { insert, found, advance, told, pass } = impactWorld({ changes: { waiting: waits } });
    const report = await insert(changed());
    for (let time = 0; time < 25 * MAX_ATTEMPTS; time += 1) {
      await advance(report, false).catch(() => null);
      pass(600_000);
    }
    expect(await found(report)).toMatchObject({ phase: 'failed', renewals: 20 });
    expect(told()).toHaveLength(1);
  });

  it('goes on after failures that end, and forgets them', async () => {
    const { insert, found, advance, pass } = impactWorld(waiting);
    const report = await insert(changed());
    await expect(advance(report, false, broken)).rejects.toThrow('does not evaluate');
    expect(await found(report)).toMatchObject({ attempts: 1 });
    pass(60_000);
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', attempts: 0, failure: null });
  });

  it('is given up if its workers are lost again and again', async () => {
    const { insert, found, advance, inTx, reports, pass } = impactWorld(waiting);
    const report = await insert(changed());
    for (let time = 1; time <= MAX_ATTEMPTS; time += 1) {
      const until = (await inTx((tx) => tx.now())) + 1_000;
      await inTx((tx) => reports.lease(tx, report.id, { token: `lost-${String(time)}`, until }));
      expect(await advance(report, false)).toBeNull();
      expect(await found(report)).toMatchObject({ phase: 'waiting' });
      pass(2_000);
    }
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'failed', failure: 'worker_lost' });
  });

  it('does not fit the settings of today', async () => {
    const payload = { environment_id: 'gone', production: false };
    const { insert, found, advance } = impactWorld({
      changes: { waiting: () => Promise.resolve({ kind: 'environment', payload }) },
    });
    const report = await insert(changed());
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'failed', failure: 'change_unreadable' });
  });
});

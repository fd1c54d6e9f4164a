import { newId, type ChangeRequestId } from '#lib/kernel';
import { passedWaits } from '../../../../../test/support/passed-waits.js';
import { change, changed, impactWorld, waiting } from './fake-impact-world.js';

passedWaits();

describe('a report during changes of settings', () => {
  it('is begun anew at work, and once more after it was done, for as long as its change waits', async () => {
    const { insert, found, advance, settings, told, pass } = impactWorld(waiting);
    const report = await insert(changed());
    for (const _turn of [1, 2, 3]) await advance(report, true);
    expect((await found(report))?.progress.tally.looked).toBe(200);
    settings.stamp = 'second';
    await advance(report, true);
    expect(await found(report)).toMatchObject({ phase: 'working', renewals: 1, progress: { tally: { looked: 0 } } });
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', stamp: 'second' });
    expect(told()).toHaveLength(1);

    pass(60_000);
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', renewals: 1 });
    settings.stamp = 'third';
    pass(60_000);
    await advance(report, true);
    // Its readers have the result before, and see that it does not hold.
    expect(await found(report)).toMatchObject({ phase: 'outdated', progress: { tally: { looked: 450 } } });
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', stamp: 'third', renewals: 2 });
    expect(told()).toHaveLength(2);
  });

  it('is looked at again at once if another change comes into force', async () => {
    const { insert, found, advance, settings, follow, inTx, woken } = impactWorld(waiting);
    const report = await insert(changed());
    await advance(report, false);
    settings.stamp = 'second';
    const other = { id: newId<ChangeRequestId>(), kind: 'environment' };
    await inTx((tx) => follow.closed(tx, { ...other, state: 'withdrawn' }));
    expect(woken()).toEqual([]);
    await inTx((tx) => follow.closed(tx, { ...other, state: 'applied' }));
    expect(woken()).toEqual([report.id]);
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', stamp: 'second', renewals: 1 });
  });

  it('is begun anew a bounded number of times, and then says that it may not hold', async () => {
    const { insert, found, advance, settings, reading, pass, admin } = impactWorld(waiting);
    const report = await insert(changed());
    for (let time = 0; time < 25; time += 1) {
      settings.stamp = String(time);
      await advance(report, false);
      pass(60_000);
    }
    expect(await found(report)).toMatchObject({ phase: 'done', renewals: 20, stamp: '20' });
    expect(await reading.one(admin, report.id)).toMatchObject({ ok: true, value: { outdated: true } });
  });

  it('says so at once to its readers, until its change is closed', async () => {
    const { insert, advance, settings, reading, follow, inTx, admin } = impactWorld(waiting);
    const report = await insert(changed());
    const id = report.changeId ?? newId<ChangeRequestId>();
    const line = () => inTx((tx) => reading.lineOf(tx, id));
    expect(await line()).toEqual({ line: null, pending: true });
    await advance(report, false);
    expect(await line()).toMatchObject({ line: expect.stringMatching(/^Impact: 450 of 450 /) as string });
    settings.stamp = 'second';
    expect(await reading.ofChange(admin, id)).toMatchObject({ value: { outdated: true } });
    expect(await line()).toEqual({ line: null, pending: true });
    await inTx((tx) => follow.closed(tx, { id, kind: 'environment', state: 'applied' }));
    expect(await reading.ofChange(admin, id)).toMatchObject({ value: { outdated: false } });
  });

  it('goes on with the report of a configuration, since its asker has the documents, and says so', async () => {
    const { insert, found, advance, settings, reading, admin } = impactWorld();
    const report = await insert({ change, stamp: 'first' });
    await advance(report, true);
    settings.stamp = 'second';
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', stamp: 'first', renewals: 0 });
    expect(await reading.one(admin, report.id)).toMatchObject({ value: { outdated: true } });
  });
});

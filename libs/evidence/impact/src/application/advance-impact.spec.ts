import { newId, type ChangeRequestId, type Tx } from '#lib/kernel';
import { noDecision } from '#lib/policy';
import { passedWaits } from '../../../../../test/support/passed-waits.js';
import { change, changed, impactWorld, production, stored, waiting } from './fake-impact-world.js';
import { MAX_DECISIONS } from './impact-batches.js';

/** The rests between evaluations. */
const waits = passedWaits();

describe('a report about a change', () => {
  it('takes every decision again, and counts the different outcomes', async () => {
    const { insert, found, groups, advance } = impactWorld();
    const report = await insert({ change });
    expect(await advance(report, false)).toBeNull();
    expect(await found(report)).toMatchObject({
      phase: 'done',
      progress: { tally: { looked: 450, changed: 450, looser: 450, otherwiseToday: 0 } },
    });
    expect((await groups(report)).listed).toMatchObject([
      { kind: { agent: 'agent-0', from: 'deny', to: 'allow' }, count: 225, estimate: 225 },
      { kind: { agent: 'agent-1' }, count: 225 },
    ]);
    // Both sides of each decision were evaluated, and twenty of them at a time in each batch.
    expect(waits).toEqual(Array.from({ length: 45 }, () => 2));
  });

  it('counts a malformed decision with its place, and goes on with the others', async () => {
    const { id, decidedAt, agent, subject, within } = stored(0);
    const malformed = {
      id,
      decidedAt,
      agent,
      subject,
      within,
      entrypoint: 'gone',
      decision: { outcome: 'deny' as const },
    };
    const { insert, found, advance } = impactWorld({
      decisions: {
        monthsAway: () => Promise.resolve([]),
        count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: 2 }]),
        batch: () => Promise.resolve([{ ...malformed, malformed: true }, stored(1)]),
      },
    });
    const report = await insert({ change });
    expect(await advance(report, false)).toBeNull();
    expect((await found(report))?.progress.tally).toMatchObject({
      looked: 2,
      changed: 1,
      notPut: [{ why: 'malformed', count: 1, examples: [{ decision: id, subject }] }],
    });
  });

  it('gives others their turn after each batch, and another worker goes on after the last one', async () => {
    const { insert, found, groups, advance } = impactWorld();
    const [report, whole] = [await insert({ change }), await insert({ change })];
    let turns = 0;
    while ((await advance(report, true)) === 0) turns += 1;
    // Its beginning, the lattice, and two of three batches.
    expect(turns).toBe(4);
    await advance(whole, false);
    expect((await found(report))?.progress).toEqual((await found(whole))?.progress);
    expect(await groups(report)).toEqual(await groups(whole));
    expect(await advance(report, false)).toBeNull();
  });

  it('begins anew if other policies come into force meanwhile', async () => {
    const { insert, found, advance } = impactWorld();
    const report = await insert({ change });
    for (const _turn of [1, 2, 3]) await advance(report, true);
    expect((await found(report))?.progress.tally.looked).toBe(200);
    const strict = { bundleRevision: 'sha256:2', evaluate: () => noDecision('policy.no_decision') };
    await advance(report, false, { policy: strict });
    expect(await found(report)).toMatchObject({
      bundleRevision: 'sha256:2',
      progress: { tally: { looked: 450, changed: 0, same: 450 } },
    });
  });

  it('works the change out from its request, and ends if that waits no more', async () => {
    const payload = { environment_id: 'e', production: false };
    const asked = { changes: { waiting: () => Promise.resolve({ kind: 'environment', payload }) } };
    const { insert, found, advance } = impactWorld(asked);
    const report = await insert({ changeId: newId<ChangeRequestId>() });
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', change: { environments: { live: production } } });
    const gone = await insert({ changeId: newId<ChangeRequestId>() });
    await advance(gone, false, { changes: { waiting: () => Promise.resolve(null) } });
    expect(await found(gone)).toMatchObject({ phase: 'cancelled' });
  });

  it('gives estimates for a sample', async () => {
    const { insert, found, groups, advance } = impactWorld({
      decisions: {
        monthsAway: () => Promise.resolve([]),
        count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: 2 * MAX_DECISIONS }]),
        batch: (_tx, _period, { after }) => Promise.resolve(after === null ? [stored(0), stored(1)] : []),
      },
    });
    const report = await insert({ change });
    await advance(report, false);
    const done = await found(report);
    expect(done?.progress.strata).toEqual([
      { entrypoint: 'tool_call', outcome: 'deny', total: 2 * MAX_DECISIONS, part: 0.5 },
    ]);
    expect((await groups(report)).listed[0]).toMatchObject({ count: 1, estimate: 2 });
  });

  it('says that no decision differs if the change moves nothing', async () => {
    const { insert, found, advance } = impactWorld();
    const report = await insert({ change: { tools: {}, environments: {}, safeTools: {} } });
    await advance(report, false);
    expect(await found(report)).toMatchObject({
      phase: 'done',
      progress: { cells: { found: 0 }, tally: { looked: 450, untouched: 450, changed: 0 } },
    });
  });

  it('keeps nothing of a batch during which its change ended', async () => {
    const { insert, found, advance, follow, told } = impactWorld(waiting);
    const report = await insert(changed());
    const closed = { id: report.changeId ?? newId<ChangeRequestId>(), kind: 'environment', state: 'withdrawn' };
    const decisions = {
      monthsAway: () => Promise.resolve([]),
      count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: 1 }]),
      batch: async (tx: Tx) => {
        await follow.closed(tx, closed);
        return [stored(1)];
      },
    };
    expect(await advance(report, false, { decisions })).toBeNull();
    expect(await found(report)).toMatchObject({ phase: 'cancelled', progress: { tally: { looked: 0 } } });
    expect(told()).toEqual([]);
  });
});

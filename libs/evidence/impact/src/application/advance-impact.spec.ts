import { digestOf, newId, type ChangeRequestId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { Json } from '#lib/canonical';
import { noDecision } from '#lib/policy';
import type { Decision } from '#lib/policy-inputs';
import { FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { passedWaits } from '../../../../../test/support/passed-waits.js';
import type { ImpactReport } from '../domain/impact-report.js';
import type { PresentWorld } from '../domain/proposed-world.js';
import type { PlacedDecision } from '../domain/placed-decision.js';
import { AdvanceImpact, MOST_ATTEMPTS, type AdvanceImpactDeps } from './advance-impact.js';
import { newReport } from './ask-impact.js';
import { FakeImpactFindings } from './fake-impact-findings.js';
import { FakeImpactReportRepository } from './fake-impact-report.repository.js';
import { FollowChanges } from './follow-changes.js';
import { ReadImpact } from './read-impact.js';

const allow: Decision = {
  outcome: 'allow',
  reasons: [{ code: 'autonomy.executes', message: 'executes', rule: 'countersign.matrix' }],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'full', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'mode' },
};
/** Before the clock of the fake world, so that a report is due at once. */
const NOW = Date.UTC(2025, 5, 1);
const environment = (production: boolean): Json => ({ id: 'e', name: 'live', production, version: 1 });
const stored = (index: number): PlacedDecision => {
  const input = {
    now: NOW,
    environment: environment(true),
  };
  return {
    id: `decision-${String(index).padStart(4, '0')}`,
    entrypoint: 'tool_call',
    input,
    inputDigest: digestOf('policy-input', input),
    decision: noDecision('policy.no_decision'),
    decidedAt: NOW,
    agent: `agent-${String(index % 2)}`,
    subject: { type: 'tool_call', id: `call-${String(index)}` },
    within: [],
  };
};
const production = { before: true, after: false };
/** The rests between evaluations. */
const waits = passedWaits();
const change = { tools: {}, environments: { live: production }, safeTools: {} };

describe('AdvanceImpact', () => {
  const log = Array.from({ length: 450 }, (_, index) => stored(index));

  function arrange(more: Partial<AdvanceImpactDeps> = {}) {
    const world = fakeWorld();
    const reports = new FakeImpactReportRepository(world.uow);
    const findings = new FakeImpactFindings(world.uow);
    const [outbox, jobs] = [new FakeOutbox(world.uow), new FakeJobQueue(world.uow)];
    const settings = { stamp: 'first' };
    const stamps = { present: () => Promise.resolve(settings.stamp) };
    const present: PresentWorld = {
      tools: [],
      environmentNames: { e: 'live' },
      world: { autonomy: null, tools: {}, environments: { live: true }, safeTools: {} },
    };
    const deps: AdvanceImpactDeps = {
      uow: world.uow,
      reports,
      findings,
      decisions: {
        monthsAway: () => Promise.resolve([]),
        count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: log.length }]),
        batch: (_tx, _period, { after, limit }) =>
          Promise.resolve(log.filter(({ id }) => after === null || id > after).slice(0, limit)),
      },
      worlds: { present: () => Promise.resolve(present) },
      changes: { waiting: () => Promise.resolve(null) },
      stamps,
      outbox,
      census: { count: () => Promise.resolve({ holders: [], enrolled: [], agents: [], roles: [] }) },
      policy: {
        bundleRevision: 'sha256:1',
        // Production is denied.
        evaluate: (_entrypoint, input) =>
          'environment' in input && input.environment.production ? noDecision('policy.no_decision') : allow,
      },
      ...more,
    };
    const { tenantId, admin } = world.home;
    const insert = async (about: Partial<ImpactReport>): Promise<ImpactReport> => {
      const report = newReport(admin.personId, NOW, 30, about);
      await world.uow.run(tenantId, (tx) => reports.insert(tx, report));
      return report;
    };
    const groups = ({ id }: ImpactReport) => world.uow.run(tenantId, (tx) => findings.groups(tx, id));
    const found = ({ id }: ImpactReport) => world.uow.run(tenantId, (tx) => reports.find(tx, id));
    const advance = ({ id }: ImpactReport, over: boolean, other: Partial<AdvanceImpactDeps> = {}) =>
      new AdvanceImpact({ ...deps, ...other }).execute(tenantId, id, { over });
    const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(tenantId, work);
    const reading = new ReadImpact(
      world.uow,
      reports,
      findings,
      { names: () => Promise.resolve(new Map()) },
      stamps,
      deps.policy,
    );
    return {
      ...{ insert, found, groups, advance, inTx, reports, settings, reading, admin },
      uow: world.uow,
      follow: new FollowChanges(reports, jobs),
      told: () => outbox.of({ tenantId }),
      woken: () => jobs.of({ tenantId }).map(({ id }) => id),
      pass: (ms: number) => {
        world.uow.now += ms;
      },
    };
  }

  it('takes every decision again, and counts those that come out otherwise', async () => {
    const { insert, found, groups, advance } = arrange();
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

  it('gives others their turn after each batch, and another worker goes on after the last one', async () => {
    const { insert, found, groups, advance } = arrange();
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

  it('counts no decision twice if the answer to the commit of a batch is lost', async () => {
    const { insert, found, groups, advance, uow, pass } = arrange();
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

  it('begins anew if other policies come into force meanwhile', async () => {
    const { insert, found, advance } = arrange();
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
    const { insert, found, advance } = arrange(asked);
    const report = await insert({ changeId: newId<ChangeRequestId>() });
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', change: { environments: { live: production } } });
    const gone = await insert({ changeId: newId<ChangeRequestId>() });
    await advance(gone, false, { changes: { waiting: () => Promise.resolve(null) } });
    expect(await found(gone)).toMatchObject({ phase: 'cancelled' });
  });

  it('says what a sample stands for', async () => {
    const { insert, found, groups, advance } = arrange({ most: 225 });
    const report = await insert({ change });
    await advance(report, false);
    const done = await found(report);
    expect(done?.progress.strata).toEqual([{ entrypoint: 'tool_call', outcome: 'deny', total: 450, part: 0.5 }]);
    expect((await groups(report)).listed[0]).toMatchObject({ count: 225, estimate: 450 });
  });

  it('says that no decision differs if the change moves nothing', async () => {
    const { insert, found, advance } = arrange();
    const report = await insert({ change: { tools: {}, environments: {}, safeTools: {} } });
    await advance(report, false);
    expect(await found(report)).toMatchObject({
      phase: 'done',
      progress: { cells: { found: 0 }, tally: { looked: 450, untouched: 450, changed: 0 } },
    });
  });

  const waiting = {
    changes: {
      waiting: () => Promise.resolve({ kind: 'environment', payload: { environment_id: 'e', production: false } }),
    },
  };
  const changed = () => ({ changeId: newId<ChangeRequestId>() });
  const broken = {
    policy: {
      bundleRevision: 'sha256:1',
      evaluate: (): Decision => {
        throw new Error('the policy does not evaluate');
      },
    },
  };

  it('is given up with a code after a bounded number of failures, and the message about the change is told', async () => {
    const { insert, found, advance, told, pass } = arrange(waiting);
    const report = await insert(changed());
    for (let time = 1; time <= MOST_ATTEMPTS; time += 1) {
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
    const { insert, found, advance, told, pass } = arrange(waiting);
    const report = await insert(changed());
    for (let time = 1; time <= MOST_ATTEMPTS; time += 1) {
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
    const { insert, found, advance, told, pass } = arrange({ changes: { waiting: waits } });
    const report = await insert(changed());
    for (let time = 0; time < 25 * MOST_ATTEMPTS; time += 1) {
      await advance(report, false).catch(() => null);
      pass(600_000);
    }
    expect(await found(report)).toMatchObject({ phase: 'failed', renewals: 20 });
    expect(told()).toHaveLength(1);
  });

  it('goes on after failures that end, and forgets them', async () => {
    const { insert, found, advance, pass } = arrange(waiting);
    const report = await insert(changed());
    await expect(advance(report, false, broken)).rejects.toThrow('does not evaluate');
    expect(await found(report)).toMatchObject({ attempts: 1 });
    pass(60_000);
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', attempts: 0, failure: null });
  });

  it('is given up if its workers are lost again and again', async () => {
    const { insert, found, advance, inTx, reports, pass } = arrange(waiting);
    const report = await insert(changed());
    for (let time = 1; time <= MOST_ATTEMPTS; time += 1) {
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
    const { insert, found, advance } = arrange({
      changes: { waiting: () => Promise.resolve({ kind: 'environment', payload }) },
    });
    const report = await insert(changed());
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'failed', failure: 'change_unreadable' });
  });

  it('keeps nothing of a batch during which its change ended', async () => {
    const { insert, found, advance, follow, told } = arrange(waiting);
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

  describe('when settings move', () => {
    it('is begun anew at work, and once more after it was done, for as long as its change waits', async () => {
      const { insert, found, advance, settings, told, pass } = arrange(waiting);
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
      const { insert, found, advance, settings, follow, inTx, woken } = arrange(waiting);
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
      const { insert, found, advance, settings, reading, pass, admin } = arrange(waiting);
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
      const { insert, advance, settings, reading, follow, inTx, admin } = arrange(waiting);
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

    it('goes on with the report of a configuration, whose asker has the documents, and says so', async () => {
      const { insert, found, advance, settings, reading, admin } = arrange();
      const report = await insert({ change, stamp: 'first' });
      await advance(report, true);
      settings.stamp = 'second';
      await advance(report, false);
      expect(await found(report)).toMatchObject({ phase: 'done', stamp: 'first', renewals: 0 });
      expect(await reading.one(admin, report.id)).toMatchObject({ value: { outdated: true } });
    });
  });
});

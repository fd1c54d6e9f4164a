import { digestOf, newId, type ChangeRequestId } from '#lib/kernel';
import type { Json } from '#lib/canonical';
import { noDecision } from '#lib/policy';
import type { Decision } from '#lib/policy-inputs';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ImpactReport } from '../domain/impact-report.js';
import type { PresentWorld } from '../domain/proposed-world.js';
import type { PlacedDecision } from '../domain/tally.js';
import { AdvanceImpact, type AdvanceImpactDeps } from './advance-impact.js';
import { newReport } from './ask-impact.js';
import { FakeImpactReportRepository } from './fake-impact-report.repository.js';

const allow: Decision = {
  outcome: 'allow',
  reasons: [{ code: 'autonomy.executes', message: 'executes', rule: 'countersign.matrix' }],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'full', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'mode' },
};
const NOW = Date.UTC(2026, 5, 1);
const environment = (production: boolean): Json => ({ id: 'e', name: 'live', production, version: 1 });
const stored = (index: number): PlacedDecision => {
  const input = {
    now: NOW,
    environment: environment(true),
    actor: { kind: 'agent', id: `agent-${String(index % 2)}` },
  };
  return {
    id: `decision-${String(index).padStart(4, '0')}`,
    entrypoint: 'tool_call',
    input,
    inputDigest: digestOf('policy-input', input),
    decision: noDecision('policy.no_decision'),
    decidedAt: NOW,
    subject: { type: 'tool_call', id: `call-${String(index)}` },
    within: [],
  };
};
const production = { before: true, after: false };
const change = { tools: {}, environments: { live: production }, safeTools: {} };

describe('AdvanceImpact', () => {
  const log = Array.from({ length: 450 }, (_, index) => stored(index));

  function arrange(more: Partial<AdvanceImpactDeps> = {}) {
    const world = fakeWorld();
    const reports = new FakeImpactReportRepository(world.uow);
    const present: PresentWorld = {
      tools: [],
      environmentNames: { e: 'live' },
      world: { autonomy: null, tools: {}, environments: { live: true }, safeTools: {} },
    };
    const deps: AdvanceImpactDeps = {
      uow: world.uow,
      reports,
      decisions: {
        count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: log.length }]),
        batch: (_tx, _period, { after, limit }) =>
          Promise.resolve(log.filter(({ id }) => after === null || id > after).slice(0, limit)),
      },
      worlds: { present: () => Promise.resolve(present) },
      changes: { waiting: () => Promise.resolve(null) },
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
    const found = ({ id }: ImpactReport) => world.uow.run(tenantId, (tx) => reports.find(tx, id));
    const advance = ({ id }: ImpactReport, over: boolean, other: Partial<AdvanceImpactDeps> = {}) =>
      new AdvanceImpact({ ...deps, ...other }).execute(tenantId, id, { over });
    return { insert, found, advance };
  }

  it('takes every decision again, and counts those that come out otherwise', async () => {
    const { insert, found, advance } = arrange();
    const report = await insert({ change });
    expect(await advance(report, false)).toBeNull();
    expect(await found(report)).toMatchObject({
      phase: 'done',
      progress: {
        tally: {
          looked: 450,
          changed: 450,
          looser: 450,
          otherwiseToday: 0,
          groups: [
            { agent: 'agent-0', from: 'deny', to: 'allow', count: 225, estimate: 225 },
            { agent: 'agent-1', count: 225 },
          ],
        },
      },
    });
  });

  it('gives others their turn after each batch, and another worker goes on after the last one', async () => {
    const { insert, found, advance } = arrange();
    const [report, whole] = [await insert({ change }), await insert({ change })];
    let turns = 0;
    while ((await advance(report, true)) === 0) turns += 1;
    // Its beginning, the lattice, and two of three batches.
    expect(turns).toBe(4);
    await advance(whole, false);
    expect((await found(report))?.progress).toEqual((await found(whole))?.progress);
    expect(await advance(report, false)).toBeNull();
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
    const { insert, found, advance } = arrange({ most: 225 });
    const report = await insert({ change });
    await advance(report, false);
    const done = await found(report);
    expect(done?.progress.strata).toEqual([{ entrypoint: 'tool_call', outcome: 'deny', total: 450, part: 0.5 }]);
    expect(done?.progress.tally.groups[0]).toMatchObject({ count: 225, estimate: 450 });
  });

  it('looks at nothing if the change moves nothing', async () => {
    const { insert, found, advance } = arrange();
    const report = await insert({ change: { tools: {}, environments: {}, safeTools: {} } });
    await advance(report, false);
    expect(await found(report)).toMatchObject({ phase: 'done', progress: { cells: [], tally: { looked: 0 } } });
  });
});

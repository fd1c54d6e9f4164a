import type { Json } from '#lib/canonical';
import { digestOf, newId, type ChangeRequestId, type Tx } from '#lib/kernel';
import { noDecision } from '#lib/policy';
import type { Decision } from '#lib/formats';
import { FakeJobQueue, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { createImpact, type ImpactDeps, type ImpactRows } from '../create-impact.js';
import type { ImpactReport } from '../domain/impact-report.js';
import type { LocatedDecision } from '../domain/located-decision.js';
import type { PresentWorld } from '../domain/proposed-world.js';
import { newReport } from './ask-impact.js';
import { FakeImpactFindings } from './fake-impact-findings.js';
import { FakeImpactReportRepository } from './fake-impact-report.repository.js';
import { FakeSettingsStamps } from './fake-settings-stamps.js';

const allow: Decision = {
  outcome: 'allow',
  reasons: [{ code: 'autonomy.executes', message: 'executes', rule: 'countersign.matrix' }],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'full', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'mode' },
};
/** Before the clock of the fake world, so that a report is due at once. */
const NOW = Date.UTC(2025, 5, 1);
const environment = (production: boolean): Json => ({ id: 'e', name: 'live', production, version: 1 });
export const stored = (index: number): LocatedDecision => {
  const input = { now: NOW, environment: environment(true) };
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
/** What {@link change} does to the only environment. */
export const production = { before: true, after: false };
/** A change by which the environment is no longer production. */
export const change = { tools: {}, environments: { live: production }, safeTools: {} };

const log = Array.from({ length: 450 }, (_, index) => stored(index));

type Others = Partial<Pick<ImpactDeps, 'uow' | 'changes' | 'policy'> & ImpactRows>;

/** A report over fakes, with 450 decisions about calls in production, each denied there and allowed elsewhere. */
export function impactWorld(more: Others = {}) {
  const world = fakeWorld();
  const reports = new FakeImpactReportRepository(world.uow);
  const findings = new FakeImpactFindings(world.uow);
  const [outbox, jobs] = [new FakeOutbox(world.uow), new FakeJobQueue(world.uow)];
  const settings = new FakeSettingsStamps();
  const present: PresentWorld = {
    tools: [],
    environmentNames: { e: 'live' },
    world: { autonomy: null, tools: {}, environments: { live: true }, safeTools: {} },
  };
  const rows: ImpactRows = {
    reports,
    findings,
    decisions: {
      monthsAway: () => Promise.resolve([]),
      count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: log.length }]),
      batch: (_tx, _period, { after, limit }) =>
        Promise.resolve(log.filter(({ id }) => after === null || id > after).slice(0, limit)),
    },
    worlds: { present: () => Promise.resolve(present) },
    stamps: settings,
    agents: { names: () => Promise.resolve(new Map()) },
  };
  const unchanged: Pick<ImpactDeps, 'uow' | 'changes' | 'policy'> = {
    uow: world.uow,
    changes: { waiting: () => Promise.resolve(null) },
    policy: {
      bundleRevision: 'sha256:1',
      // Production is denied.
      evaluate: (_entrypoint, input) =>
        'environment' in input && input.environment.production ? noDecision('policy.no_decision') : allow,
    },
  };
  const partsWith = (other: Others) => {
    const { uow, changes, policy, ...others } = { ...unchanged, ...more, ...other };
    return createImpact({
      ...{ uow, outbox, jobs, changes, policy, rows: { ...rows, ...others } },
      census: { count: () => Promise.resolve({ holders: [], enrolled: [], agents: [], roles: [] }) },
    });
  };
  const { tenantId, admin } = world.home;
  const insert = async (about: Partial<ImpactReport>): Promise<ImpactReport> => {
    const report = newReport(admin.personId, NOW, 30, about);
    await world.uow.run(tenantId, (tx) => reports.insert(tx, report));
    return report;
  };
  const groups = ({ id }: ImpactReport) => world.uow.run(tenantId, (tx) => findings.groups(tx, id));
  const found = ({ id }: ImpactReport) => world.uow.run(tenantId, (tx) => reports.find(tx, id));
  const advance = ({ id }: ImpactReport, over: boolean, other: Others = {}) =>
    partsWith(other).advanceImpact.execute(tenantId, id, { over });
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(tenantId, work);
  const { readImpact: reading, followChanges: follow } = partsWith({});
  return {
    ...{ insert, found, groups, advance, inTx, reports, settings, reading, follow, admin },
    uow: world.uow,
    told: () => outbox.of({ tenantId }),
    woken: () => jobs.of({ tenantId }).map(({ id }) => id),
    pass: (ms: number) => {
      world.uow.now += ms;
    },
  };
}

/** The change of a request that waits. */
export const waiting = {
  changes: {
    waiting: () => Promise.resolve({ kind: 'environment', payload: { environment_id: 'e', production: false } }),
  },
};
/** A report about a change request. */
export const changed = () => ({ changeId: newId<ChangeRequestId>() });
/** Policies that do not evaluate. */
export const broken = {
  policy: {
    bundleRevision: 'sha256:1',
    evaluate: (): Decision => {
      throw new Error('the policy does not evaluate');
    },
  },
};

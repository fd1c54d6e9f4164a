import { NO_GROUPS, NO_PROGRESS, type NamedReport } from '#lib/impact';
import { newId, type ImpactReportId, type PersonId } from '#lib/kernel';
import { impactReportView } from './impact-views.js';

type Kind = NamedReport['groups']['listed'][number]['kind'];

const kind: Kind = {
  ...{ entrypoint: 'tool_call', stage: null, environment: 'live', tools: [], agent: null },
  ...{ from: 'deny', to: 'allow', change: 'loosens', what: [], rules: { come: [], go: [], otherwise: [] } },
};

describe('the view of a report', () => {
  it('says how many decisions stand in no row and in no total, looser ones among them', () => {
    const { tally } = NO_PROGRESS;
    const estimates = { ...tally.estimates, changed: 1_000, looser: 400 };
    const groups = {
      ...NO_GROUPS,
      found: 9,
      listed: [
        { kind, count: 10, estimate: 100, examples: [] },
        { kind: { ...kind, change: 'tightens' as const }, count: 20, estimate: 200, examples: [] },
      ],
      counted: { count: 60, estimate: 600, looser: 33, looserEstimate: 330 },
    };
    const report: NamedReport['report'] = {
      ...{ id: newId<ImpactReportId>(), changeId: null, askedBy: newId<PersonId>(), phase: 'done', since: 0, until: 1 },
      ...{ change: null, bundleRevision: null, stamp: null, renewals: 0, attempts: 0, followed: true, failure: null },
      progress: { ...NO_PROGRESS, tally: { ...tally, changed: 100, looser: 40, estimates } },
      ...{ createdAt: 0, finishedAt: 1 },
    };
    const view = impactReportView({ report, agents: new Map(), groups, cells: [], outdated: false });
    const left = { ungrouped: 70, ungrouped_looser: 30, uncounted: 40, uncounted_looser: 7 };
    expect(view.decisions).toMatchObject(left);
    const estimated = { ungrouped: 700, ungrouped_looser: 300, uncounted: 400, uncounted_looser: 70 };
    expect(view.estimates).toMatchObject(estimated);
  });
});

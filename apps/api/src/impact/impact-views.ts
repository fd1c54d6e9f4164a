import type { ImpactReportView } from '#lib/api-schemas';
import {
  beyondCells,
  isLooserReport,
  isRenewable,
  isSample,
  sumsOf,
  summaryOf,
  toLookAt,
  totalOf,
  type Example,
  type ImpactFailure,
  type ImpactPart,
  type ImpactPartList,
  type LatticeCell,
  type NamedReport,
  type NotPut,
  type Results,
} from '#lib/impact';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { pageOfExample } from './page-of-example.js';

/** The view of an impact report. */
export function impactReportView({ report, agents, groups, cells, outdated }: NamedReport): ImpactReportView {
  const { progress, phase } = report;
  const { tally } = progress;
  const strata = progress.strata ?? [];
  const nameOf = (id: string): string => agents.get(id) ?? id;
  const { listed } = groups;
  const sums = sumsOf(listed);
  const beside = (of: 'count' | 'estimate', { changed, looser }: Results): Beside => {
    const ofLooser = of === 'count' ? 'looser' : 'looserEstimate';
    return {
      notPut: sumOf(tally.notPut, of),
      ungrouped: changed - sums[of],
      ungroupedLooser: looser - sums[ofLooser],
      uncounted: changed - groups.counted[of],
      uncountedLooser: looser - groups.counted[ofLooser],
    };
  };
  return {
    id: report.id,
    change_id: report.changeId,
    phase: outdated && isRenewable(report) ? 'outdated' : phase,
    outdated,
    renewals: report.renewals,
    failure: report.failure === null ? null : failureView(report.failure),
    summary: phase === 'done' || phase === 'outdated' ? summaryOf(report) : '',
    since: toTimestamp(report.since),
    until: toTimestamp(report.until),
    created_at: toTimestamp(report.createdAt),
    finished_at: toTimestampOrNull(report.finishedAt),
    bundle_revision: report.bundleRevision,
    looser: isLooserReport(report),
    progress: { looked: tally.looked, to_look_at: toLookAt(progress) },
    sample: isSample(strata)
      ? strata.map(({ part, ...stratum }) => ({ ...stratum, chosen: Math.round(stratum.total * part) }))
      : null,
    months_away: [...progress.away],
    decisions: { total: totalOf(strata), ...resultsView(tally, beside('count', tally)) },
    estimates: resultsView(tally.estimates, beside('estimate', tally.estimates)),
    by: {
      environment: groups.by.environment.listed.map((part) => partView(part, part.name)),
      tool: groups.by.tool.listed.map((part) => partView(part, part.name)),
      agent: groups.by.agent.listed.map((part) => partView(part, nameOf(part.name))),
    },
    left_out: {
      environment: leftOut(groups.by.environment),
      tool: leftOut(groups.by.tool),
      agent: leftOut(groups.by.agent),
    },
    group_count: groups.found,
    groups: listed.map(({ kind: { agent, rules, tools, what, ...kind }, count, estimate, examples }) => ({
      ...kind,
      tools: [...tools],
      what: [...what],
      agent: agent === null ? null : { id: agent, name: nameOf(agent) },
      rules_come: rules.come.map((rule) => ({ ...rule })),
      rules_go: rules.go.map((rule) => ({ ...rule })),
      rules_otherwise: rules.otherwise.map((rule) => ({ ...rule })),
      count,
      estimate: Math.round(estimate),
      examples: examples.map(exampleView),
    })),
    not_put: tally.notPut.map(({ why, count, estimate, examples }) => ({
      why,
      what: WHY[why],
      count,
      estimate: Math.round(estimate),
      examples: examples.map(exampleView),
    })),
    cells: cells.map(impactCellView),
    cell_counts: { ...progress.cells },
    beyond_cells: [...beyondCells(report)],
  };
}

export const impactCellView = ({ inForce, gains, what, ...cell }: LatticeCell): ImpactReportView['cells'][number] => ({
  ...cell,
  in_force: inForce,
  gains: [...gains],
  what: [...what],
});

/** Counts that are worked out for the readers. */
interface Beside {
  readonly notPut: number;
  /** Changed, and in no group that is listed. */
  readonly ungrouped: number;
  readonly ungroupedLooser: number;
  /** Changed, and in no group that is kept. */
  readonly uncounted: number;
  readonly uncountedLooser: number;
}

const leftOut = ({ listed, found }: ImpactPartList): number => found - listed.length;

const sumOf = <K extends string>(counted: readonly Readonly<Record<K, number>>[], of: K): number =>
  counted.reduce((sum, one) => sum + one[of], 0);

const resultsView = (
  { untouched, same, changed, looser, otherwiseToday }: Results,
  { notPut, ungrouped, ungroupedLooser, uncounted, uncountedLooser }: Beside,
): ImpactReportView['estimates'] => ({
  untouched: Math.round(untouched),
  same: Math.round(same),
  changed: Math.round(changed),
  looser: Math.round(looser),
  not_put: Math.round(notPut),
  otherwise_today: Math.round(otherwiseToday),
  ungrouped: Math.round(ungrouped),
  ungrouped_looser: Math.round(ungroupedLooser),
  uncounted: Math.round(uncounted),
  uncounted_looser: Math.round(uncountedLooser),
});

const FAILURES: Readonly<Record<ImpactFailure, Readonly<Record<'message' | 'action', string>>>> = {
  batch_failed: {
    message: 'The work on this report failed again and again.',
    action: 'Have an operator read the log of the worker, and ask again.',
  },
  worker_lost: {
    message: 'Each worker that worked on this report was lost.',
    action: 'Have an operator look at the memory of the workers, and ask again.',
  },
  change_unreadable: {
    message: 'The change does not fit the settings of today.',
    action: 'Withdraw the change, and ask for it again.',
  },
  policies_moved: {
    message: 'Workers with different policies took this report from each other.',
    action: 'Have an operator bring all workers to one version, and ask again.',
  },
};

const failureView = (failure: ImpactFailure) => ({ code: `impact.${failure}`, ...FAILURES[failure] });

const WHY: Readonly<Record<NotPut, string>> = {
  arguments_needed:
    'The change reads the arguments of a tool in another way, and the record of a decision holds no arguments',
  masked: 'The record hides a secret, so that its input is not the one that was evaluated',
  altered: 'The recorded input does not fit its digest',
  malformed: 'The record has another shape than Countersign writes',
  invalid_input: 'The policies in force do not take an input of this shape',
};

const exampleView = (example: Example) => ({
  decision_id: example.decision,
  decided_at: toTimestamp(example.at),
  subject: { ...example.subject },
  within: example.within.map((thing) => ({ ...thing })),
  page: pageOfExample(example),
});

const partView = ({ changed, looser, changedEstimate, looserEstimate }: ImpactPart, name: string) => ({
  name,
  changed,
  looser,
  changed_estimate: Math.round(changedEstimate),
  looser_estimate: Math.round(looserEstimate),
});

import type { ImpactReportView } from '#lib/api-schemas';
import {
  beyondCells,
  isLooserReport,
  toLookAt,
  type Example,
  type ImpactGroup,
  type NamedReport,
  type NotPut,
} from '#lib/impact';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';

/** The view of an impact report. */
export function impactReportView({ report, agents }: NamedReport): ImpactReportView {
  const { progress } = report;
  const { tally } = progress;
  const strata = progress.strata ?? [];
  const nameOf = (id: string): string => agents.get(id) ?? id;
  return {
    id: report.id,
    change_id: report.changeId,
    phase: report.phase,
    since: toTimestamp(report.since),
    until: toTimestamp(report.until),
    created_at: toTimestamp(report.createdAt),
    finished_at: toTimestampOrNull(report.finishedAt),
    bundle_revision: report.bundleRevision,
    looser: isLooserReport(report),
    progress: { looked: tally.looked, to_look_at: toLookAt(progress) },
    sample: strata.every(({ part }) => part >= 1)
      ? null
      : strata.map(({ part, ...stratum }) => ({ ...stratum, chosen: Math.round(stratum.total * part) })),
    decisions: {
      total: strata.reduce((sum, { total }) => sum + total, 0),
      untouched: tally.untouched,
      same: tally.same,
      changed: tally.changed,
      looser: tally.looser,
      not_put: tally.notPut.reduce((sum, { count }) => sum + count, 0),
      otherwise_today: tally.otherwiseToday,
    },
    by: {
      environment: parts(tally.groups, ({ environment }) => (environment === null ? [] : [environment])),
      tool: parts(tally.groups, ({ tools }) => tools),
      agent: parts(tally.groups, ({ agent }) => (agent === null ? [] : [nameOf(agent)])),
    },
    groups: tally.groups
      .toSorted((a, b) => b.count - a.count)
      .map(({ agent, come, go, estimate, examples, tools, what, ...group }) => ({
        ...group,
        tools: [...tools],
        what: [...what],
        agent: agent === null ? null : { id: agent, name: nameOf(agent) },
        rules_come: [...come],
        rules_go: [...go],
        estimate: Math.round(estimate),
        examples: examples.map(exampleView),
      })),
    ungrouped: tally.ungrouped,
    not_put: tally.notPut.map(({ why, count, examples }) => ({
      why,
      what: WHY[why],
      count,
      examples: examples.map(exampleView),
    })),
    cells: progress.cells.map(({ inForce, gains, what, ...cell }) => ({
      ...cell,
      in_force: inForce,
      gains: [...gains],
      what: [...what],
    })),
    beyond_cells: [...beyondCells(report)],
  };
}

const WHY: Readonly<Record<NotPut, string>> = {
  arguments_needed:
    'The change reads the arguments of a tool in another way, and the record of a decision holds no arguments',
  masked: 'The record hides a secret, so that its input is not the one that was evaluated',
  altered: 'The recorded input does not fit its digest',
  older_shape: 'The input has the shape of an older version, which the policies in force do not take',
};

const exampleView = ({ decision, at, subject, within }: Example) => ({
  decision_id: decision,
  decided_at: toTimestamp(at),
  subject: { ...subject },
  within: within.map((thing) => ({ ...thing })),
});

/** A decision about several tools counts for each of them. */
function parts(groups: readonly ImpactGroup[], namesOf: (group: ImpactGroup) => readonly string[]) {
  const found = new Map<string, { name: string; changed: number; looser: number }>();
  for (const group of groups) {
    for (const name of namesOf(group)) {
      const part = found.get(name) ?? { name, changed: 0, looser: 0 };
      part.changed += group.count;
      if (group.change !== 'tightens') part.looser += group.count;
      found.set(name, part);
    }
  }
  return [...found.values()].sort((a, b) => b.changed - a.changed || (a.name < b.name ? -1 : 1));
}

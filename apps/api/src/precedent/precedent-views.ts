import type { PrecedentListView, PrecedentView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import type { FoundPrecedents, PrecedentHit } from '#lib/precedent';

export const precedentListView = ({ hits, line, searchedBy }: FoundPrecedents): PrecedentListView => ({
  items: hits.map(precedentView),
  line,
  searched_by: searchedBy,
});

const precedentView = ({ precedent, ending, equal, different, ranks }: PrecedentHit): PrecedentView => ({
  id: precedent.id,
  request_id: precedent.requestId,
  run_id: precedent.runId,
  incident_id: precedent.incidentId,
  subject: precedent.subject,
  task_id: precedent.taskId,
  environment: { id: precedent.environmentId, name: precedent.environment },
  tools: [...precedent.tools],
  argument_keys: [...precedent.argumentKeys],
  targets: [...precedent.targets],
  target_count: precedent.targetCount,
  phases: precedent.phases,
  headline: precedent.headline,
  goal: precedent.goal,
  submitted_by: precedent.submittedBy,
  approved_by: precedent.approvedBy.map(({ id, name }) => ({ id, display_name: name })),
  ended_as: precedent.endedAs,
  ending,
  unknown_effects: precedent.unknownEffects,
  because: precedent.because,
  opened_at: toTimestamp(precedent.openedAt),
  ended_at: toTimestamp(precedent.endedAt),
  erased: precedent.erased,
  equal: [...equal],
  different: [...different],
  ranks,
});

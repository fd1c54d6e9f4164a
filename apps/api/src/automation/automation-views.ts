import type {
  AutomationPreviewView,
  AutomationRunView,
  AutomationView,
  BlockedStepsView,
  ListedAutomationView,
  ReadAutomationView,
  SafeListEntryView,
  SafeToolsView,
  SeenAutomationRunView,
} from '#lib/api-schemas';
import {
  readAutomation,
  type Automation,
  type AutomationPreview,
  type AutomationRun,
  type BlockedStep,
  type ListedAutomation,
  type ListedSafeTool,
  type SeenRun,
  type TieredTool,
} from '#lib/automation';
import type { AutomationDocument } from '#lib/formats';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';

export const tieredToolView = ({ tool, decision, unsent }: TieredTool): SafeToolsView['items'][number] => ({
  tool: tool.name,
  version: tool.version,
  tier: tool.definition.effect,
  risk: tool.definition.risk,
  safe: decision.outcome === 'allow' && unsent === null,
  reasons: [...(decision.outcome === 'allow' ? [] : decision.reasons), ...(unsent === null ? [] : [unsent])].map(
    ({ code, message }) => ({ code, message }),
  ),
});

export const safeListEntryView = ({ entry, counts }: ListedSafeTool): SafeListEntryView => ({
  id: entry.id,
  tool: entry.tool,
  version: entry.version,
  digest: entry.digest,
  effect: entry.effect,
  risk: entry.risk,
  counts,
  added_by: entry.addedBy,
  added_at: toTimestamp(entry.addedAt),
});

export const automationView = (automation: Automation): AutomationView => {
  const { id, name, environment, state, revision, identity, failures, nextAt, proposedAt } = automation;
  return {
    ...{ id, name, environment, state, failures },
    revision: revision.number,
    source: revision.source,
    source_sha256: revision.sha256,
    author: revision.author,
    owner_id: identity?.ownerId ?? null,
    agent_id: identity?.agentId ?? null,
    next_at: toTimestampOrNull(nextAt),
    proposed_at: toTimestamp(proposedAt),
  };
};

export const readAutomationView = (automation: Automation): ReadAutomationView => {
  const { source, createdAt } = automation.revision;
  // Its schedules had times to come when it was put. Whether they still have some is no question of the reading.
  const read = readAutomation(source, createdAt);
  return { ...automationView(automation), reading: read.ok ? readingOf(read.value) : null };
};

const readingOf = (document: AutomationDocument): ReadAutomationView['reading'] => ({
  description: document.description ?? null,
  overlap: document.overlap,
  on_blocked: document.on_blocked,
  pause_after: document.pause_after,
  most_per_hour: document.most_per_hour,
  inputs: Object.fromEntries(Object.entries(document.inputs).map(([name, declared]) => [name, membersOf(declared)])),
  triggers: document.triggers.map(membersOf),
  steps: document.steps.map(membersOf),
});

type Members = NonNullable<ReadAutomationView['reading']>['steps'][number];
type Member = Members[string];

/** The members without those that are undefined: JSON has no such value. */
const membersOf = (value: object): Members =>
  Object.fromEntries(Object.entries(value as Readonly<Record<string, Member | undefined>>).filter(isThere));

const isThere = (member: [string, Member | undefined]): member is [string, Member] => member[1] !== undefined;

export const blockedView = (blocked: readonly BlockedStep[]): BlockedStepsView['blocked'] =>
  blocked.map(({ step, tool, fault }) => ({ step, tool, ...fault }));

export const automationRunView = (run: AutomationRun): AutomationRunView => ({
  id: run.id,
  revision: run.revision,
  occurrence: run.occurrence,
  inputs: run.inputs,
  due_at: toTimestamp(run.dueAt),
  state: run.state,
  error: run.fault,
  created_at: toTimestamp(run.createdAt),
  finished_at: toTimestampOrNull(run.finishedAt),
});

export const listedAutomationView = ({ automation, lastRun }: ListedAutomation): ListedAutomationView => ({
  ...automationView(automation),
  last_run: lastRun === null ? null : automationRunView(lastRun),
});

export const seenRunView = ({ run, steps }: SeenRun): SeenAutomationRunView => ({
  ...automationRunView(run),
  steps: steps.map(({ step, type, state, fault, callId, startedAt, finishedAt }) => ({
    ...{ step, type, state, blocked: state === 'blocked', error: fault, tool_call_id: callId },
    started_at: toTimestamp(startedAt),
    finished_at: toTimestampOrNull(finishedAt),
  })),
});

export const pastOccurrenceView = ({
  trigger,
  at,
  event,
  inputs,
  wrong,
  blocked,
}: AutomationPreview['occurrences'][number]): AutomationPreviewView['items'][number] => ({
  trigger,
  at: toTimestamp(at),
  event: event?.name ?? null,
  audit_entry_id: event?.entryId ?? null,
  inputs,
  errors: wrong.map(({ input, message }) => ({ input, message })),
  blocked: blocked === null ? null : blockedView(blocked),
});

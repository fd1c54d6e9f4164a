import { ownMember } from '#lib/canonical';
import type { ChangeKind, LoggedEvent } from '#lib/kernel';
import { factsOfChange } from './change-facts.js';

/**
 * The event that receivers get for each action of the audit log, by the first word of the action. It has the group, and
 * a prefix of the rest of the name. `internal` ones are not sent. `halt.set` is `guardrail.halt_set`.
 */
const FAMILIES: Readonly<Record<string, 'internal' | readonly [group: string, prefix: string]>> = {
  task: ['task', ''],
  plan: ['plan', ''],
  simulation: ['plan', 'simulation_'],
  approval_request: ['approval', ''],
  review: ['approval', 'review_'],
  run: ['run', ''],
  break_glass: ['incident', 'break_glass_'],
  incident: ['incident', ''],
  incident_page: ['incident', 'page_'],
  incident_destination: ['incident', 'destination_'],
  session: ['session', ''],
  // A decision about a call is one of the gate's. The three events of tools stand in TOOL_EVENTS.
  tool_call: ['guardrail', 'tool_call_'],
  halt: ['guardrail', 'halt_'],
  autonomy: ['guardrail', 'autonomy_'],
  change: ['guardrail', 'change_'],
  environment: ['guardrail', 'environment_'],
  executor: ['guardrail', 'executor_'],
  tool: ['guardrail', 'tool_'],
  runner: ['guardrail', 'runner_'],
  incident_settings: ['guardrail', 'incident_settings_'],
  automation: ['guardrail', 'automation_'],
  automation_run: ['run', 'automation_'],
  automation_safe_tool: ['guardrail', 'automation_safe_tool_'],
  record: ['guardrail', 'record_'],
  webhook: ['guardrail', 'webhook_'],
  lifecycle_hook: ['guardrail', 'lifecycle_hook_'],
  siem_collector: ['guardrail', 'siem_collector_'],
  embedder: ['guardrail', 'embedder_'],
  // About people, their credentials and their devices.
  absence: 'internal',
  agent_error: 'internal',
  agent: 'internal',
  browser_session: 'internal',
  comment: 'internal',
  credential: 'internal',
  delegation: 'internal',
  enrolment: 'internal',
  factor: 'internal',
  factors: 'internal',
  issuer: 'internal',
  notification_preferences: 'internal',
  person: 'internal',
  push_subscription: 'internal',
  recovery_codes: 'internal',
  role: 'internal',
  sign_in: 'internal',
  step_up: 'internal',
  // About Countersign's own upkeep and its channels.
  audit_checkpoint: 'internal',
  audit_epoch: 'internal',
  audit_key: 'internal',
  audit_payload: 'internal',
  audit_retention: 'internal',
  evidence_pack: 'internal',
  lifecycle_hook_execution: 'internal',
  on_duty: 'internal',
  outbox_message: 'internal',
  secret: 'internal',
  slack: 'internal',
  slack_app: 'internal',
  slack_interaction: 'internal',
  slack_user: 'internal',
  tenant: 'internal',
};

/**
 * Whether the changes of a kind are events. Those about people and their ways in are not, and neither are those of a family that is
 * internal itself.
 */
const CHANGES: Readonly<Record<ChangeKind, 'sent' | 'internal'>> = {
  autonomy: 'sent',
  tool_catalog: 'sent',
  executor: 'sent',
  environment: 'sent',
  incident_settings: 'sent',
  runner: 'sent',
  automation_safe_tool: 'sent',
  webhook: 'sent',
  lifecycle_hook: 'sent',
  siem_collector: 'sent',
  embedder: 'sent',
  role_assignment: 'internal',
  factor_reset: 'internal',
  sign_in: 'internal',
  enrolment: 'internal',
  person_enabled: 'internal',
  agent_owner: 'internal',
  slack_app: 'internal',
  slack_workspace: 'internal',
  slack_routes: 'internal',
  audit_retention: 'internal',
  audit_epoch: 'internal',
  audit_key: 'internal',
  secret_binding: 'internal',
};

/** The life of a call: a call without an answer in time failed. A run makes its calls by its steps. */
const TOOL_EVENTS: Readonly<Record<string, ToolEvent>> = {
  'tool_call.dispatched': 'tool.started',
  'tool_call.succeeded': 'tool.completed',
  'tool_call.failed': 'tool.failed',
  'tool_call.unknown': 'tool.failed',
  'run.step_dispatched': 'tool.started',
  'run.step_succeeded': 'tool.completed',
  'run.step_failed': 'tool.failed',
  'run.step_unknown': 'tool.failed',
  'run.compensation_dispatched': 'tool.started',
  'run.compensation_succeeded': 'tool.completed',
  'run.compensation_failed': 'tool.failed',
  'run.compensation_unknown': 'tool.failed',
};

export type ToolEvent = 'tool.started' | 'tool.completed' | 'tool.failed';

/** Undefined for an action of a new family. A test finds it. */
export const familyOf = (action: string): (typeof FAMILIES)[string] | undefined =>
  ownMember(FAMILIES, action.split('.')[0] ?? '');

const TOOL_EVENT_NAMES: ReadonlySet<string> = new Set(Object.values(TOOL_EVENTS));

export const isToolEvent = (event: string): event is ToolEvent => TOOL_EVENT_NAMES.has(event);

/** Whether an entry is one of a tool's call, also of one that a run made. */
export const tellsOfCall = ({ action }: Pick<LoggedEvent, 'action'>): boolean => toolEventOf(action) !== null;

/** The event of an action of a tool's call; null for any other. */
const toolEventOf = (action: string): ToolEvent | null => ownMember(TOOL_EVENTS, action) ?? null;

/** The names of an entry's events, in the past tense. An internal one has none; a call that a run made has two. */
export function eventsOf({ action, payload }: Pick<LoggedEvent, 'action' | 'payload'>): readonly string[] {
  const tool = toolEventOf(action);
  if (tool !== null && action.startsWith('tool_call.')) return [tool];
  const family = familyOf(action);
  if (family === undefined || family === 'internal') return [];
  if (isChange(action) && !isSentChange(payload)) return [];
  const event = `${family[0]}.${family[1]}${action.split('.').slice(1).join('_')}`;
  return tool === null ? [event] : [event, tool];
}

/** Whether it is an entry of a change that may wait for a second person. */
export const isChange = (action: string): boolean => action.startsWith('change.');

/** False for a kind of a newer version, and if the facts were erased. */
function isSentChange(payload: LoggedEvent['payload']): boolean {
  const { kind } = factsOfChange(payload) ?? {};
  return kind !== undefined && ownMember<string>(CHANGES, kind) === 'sent';
}

export const APPROVAL_STATES = [
  'open',
  'approved',
  'denied',
  'changes_requested',
  'expired',
  'voided',
  'consumed',
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const VERDICTS = ['approve', 'reject', 'request_changes'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The ties by which a person is barred from a review. */
export const EXCLUSIONS = ['submitter', 'on_behalf_of', 'owner', 'changed', 'same_hand'] as const;

/** The word that a person types to approve a call that destroys something. */
export const CONFIRM_WORD = 'CONFIRM';
export type ConfirmWord = typeof CONFIRM_WORD;

export const CHANGE_STATES = ['open', 'applied', 'rejected', 'withdrawn', 'expired', 'voided'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export const INCIDENT_STATES = ['open', 'acknowledged', 'resolved', 'reviewed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

export const INCIDENT_EVENT_KINDS = [
  'opened',
  'run',
  'acknowledged',
  'note',
  'resolved',
  'reviewed',
  'overdue',
  'page_failed',
] as const;
export type IncidentEventKind = (typeof INCIDENT_EVENT_KINDS)[number];

export const PAGE_STATES = ['pending', 'sent', 'failed'] as const;

export const PLAN_STATES = ['draft', 'invalid', 'validated', 'superseded', 'withdrawn'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** The status that people see, derived by the view `plan_status` from plan, latest simulation, latest request and run. */
export const PLAN_STATUSES = [
  'draft',
  'invalid',
  'validated',
  'simulated',
  'awaiting_approval',
  'approved',
  'rejected',
  'changes_requested',
  'expired',
  'executing',
  'executed',
  'superseded',
  'withdrawn',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

export const TASK_STATES = ['created', 'planned', 'executing', 'completed', 'failed', 'cancelled'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const RUN_STATES = [
  'queued',
  'executing',
  'paused',
  'rolling_back',
  'completed',
  'failed',
  'cancelled',
  'rolled_back',
  'rollback_failed',
] as const;
export type RunState = (typeof RUN_STATES)[number];

export const ATTEMPT_STATES = [
  'pending',
  'dispatched',
  'succeeded',
  'failed',
  'unknown',
  'compensating',
  'compensated',
  'compensation_failed',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const HALT_KINDS = ['tenant', 'environment', 'agent', 'tool'] as const;

export const RUN_PHASES = ['all', 'canary', 'promotion'] as const;

export const SIMULATION_STATES = ['pending', 'running', 'succeeded', 'failed', 'stale'] as const;
export type SimulationState = (typeof SIMULATION_STATES)[number];

export const SESSION_STATES = ['open', 'ended'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** The end of an agent's session: somebody closed it, somebody cancelled it with its pending calls, or nobody used it. */
export const SESSION_ENDS = ['closed', 'cancelled', 'idle'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

export const TOOL_CALL_STATES = [
  'pending',
  'allowed',
  'denied',
  'executing',
  'succeeded',
  'failed',
  'unknown',
  'expired',
] as const;
export type ToolCallState = (typeof TOOL_CALL_STATES)[number];

/**
 * How a single call was decided. Allowed: `auto_approved` by policies alone, `approved` by people, or `trusted` by a person's
 * "always". Denied: `denied` by policies, or `rejected` by a person, or by policies if a command takes other rights.
 * Also `timeout` for want of an answer, or `cancelled`.
 */
export const TOOL_CALL_DECISIONS = [
  'auto_approved',
  'approved',
  'rejected',
  'trusted',
  'timeout',
  'denied',
  'cancelled',
] as const;
export type ToolCallDecision = (typeof TOOL_CALL_DECISIONS)[number];

/** Lifecycle of an automation. */
export const AUTOMATION_STATES = ['proposed', 'enabled', 'paused', 'disabled'] as const;
export type AutomationState = (typeof AUTOMATION_STATES)[number];

/** Lifecycle of a run of an automation. */
export const AUTOMATION_RUN_STATES = ['queued', 'executing', 'completed', 'failed', 'skipped'] as const;
export type AutomationRunState = (typeof AUTOMATION_RUN_STATES)[number];

/** Lifecycle of a step of such a run. */
export const AUTOMATION_STEP_STATES = ['calling', 'succeeded', 'not_met', 'failed', 'blocked', 'skipped'] as const;
export type AutomationStepState = (typeof AUTOMATION_STEP_STATES)[number];

/** How a second factor was proved. */
export const MFA_METHODS = ['passkey', 'totp', 'recovery_code'] as const;

/** The actions that an incident waits for. */
export const INCIDENT_DUTIES = ['acknowledge', 'resolve', 'review'] as const;
export type IncidentDuty = (typeof INCIDENT_DUTIES)[number];

import { z } from 'zod';
import { APPROVAL_STATES, approvalSlotSchema, AUTONOMY_MODES, SIMULATION_STATES } from '#lib/formats';
import { pathFactsSchema, shellFactsSchema } from './session-facts.js';

const id = z.string().min(1).max(200);

const name = z.string().min(1).max(200);

/** Epoch milliseconds. */
export const instantSchema = z.int().min(0);

/** A tool at one version: `<name>@<version>`, the key of every `tools` record. */
export const toolKeySchema = z.string().regex(/^[^@\s]{1,200}@[1-9][0-9]{0,8}$/);

export const toolFactsSchema = z.strictObject({
  name,
  version: z.int().min(1),
  risk: z.enum(['read_only', 'plan_only', 'state_change_nonprod', 'state_change_prod']),
  idempotent: z.boolean(),
  scope: z.enum(['asset', 'environment', 'organization']),
  effect: z.enum(['read', 'modify', 'destructive']),
  surface: z.enum(['asset', 'workspace', 'git', 'terminal', 'network', 'audio']),
  requires_plan: z.boolean(),
  requires_hitl: z.enum(['never', 'configurable', 'always']),
  /** The name of the tool that predicts this one's effect. */
  simulated_by: name.nullable(),
  simulation: z.enum(['required', 'not_applicable']),
  /** Whether the tool can be aimed at a part of its targets first. */
  canary: z.boolean(),
});
export type ToolFacts = z.infer<typeof toolFactsSchema>;

/** The tools that a decision is about, by {@link toolKeySchema | key}. */
export const toolsSchema = z.record(toolKeySchema, toolFactsSchema);

export const environmentFactsSchema = z.strictObject({
  id,
  name,
  production: z.boolean(),
  version: z.int().min(1),
});
export type EnvironmentFacts = z.infer<typeof environmentFactsSchema>;

export const actorFactsSchema = z.strictObject({
  kind: z.enum(['person', 'agent', 'system']),
  id,
  scopes: z.array(z.string().min(1).max(100)).max(50),
});
export type ActorFacts = z.infer<typeof actorFactsSchema>;

export const callerFactsSchema = actorFactsSchema.extend({
  /** The way in which they act: in a browser session, in Slack, or by a token that others may have. */
  via: z.enum(['browser', 'slack', 'token']),
});
export type CallerFacts = z.infer<typeof callerFactsSchema>;

/** A halt that applies to this decision: the caller has matched tenant, environment, agent and tools. */
export const haltFactsSchema = z.strictObject({ id, kind: z.enum(['tenant', 'environment', 'agent', 'tool']) });
export type HaltFacts = z.infer<typeof haltFactsSchema>;

export const taskFactsSchema = z.strictObject({
  id,
  timeout_minutes: z.int().min(1),
  constraints: z.strictObject({
    canary_required: z.boolean(),
    max_batch_percent: z.int().min(1).max(100).nullable(),
    rollback_trigger: z.string().min(1).max(1000).nullable(),
  }),
});
export type TaskFacts = z.infer<typeof taskFactsSchema>;

const callFactsSchema = z.strictObject({
  seq: z.int().min(0),
  tool: toolKeySchema,
  /** Names of the targets as derived from the arguments; empty if the call is aimed at the environment as a whole. */
  targets: z.array(z.string().min(1).max(500)),
  compensation: toolKeySchema.nullable(),
  /** Of the compensation, as `targets`; empty if there is none. */
  compensation_targets: z.array(z.string().min(1).max(500)),
  /** The verdict on the call's command line, as the plan holds it; null if its tool takes none. */
  shell: shellFactsSchema.nullable(),
  /** Of the compensation, as `shell`; null if there is none. */
  compensation_shell: shellFactsSchema.nullable(),
  /** The verdict on the paths that the call names, as the plan holds it; null if its tool names none. */
  paths: pathFactsSchema.nullable(),
  /** Of the compensation, as `paths`; null if there is none. */
  compensation_paths: pathFactsSchema.nullable(),
});
export type CallFacts = z.infer<typeof callFactsSchema>;

const phaseFactsSchema = z.strictObject({
  /** The phase's place in `phases`, from 0. */
  index: z.int().min(0),
  name,
  canary: z.boolean(),
  has_rollback_condition: z.boolean(),
  batches: z.array(z.strictObject({ index: z.int().min(0), calls: z.array(callFactsSchema) })),
});

/** The expanded plan, as digested, shown and executed. Targets are counted by the policy, not by the caller. */
export const planFactsSchema = z.strictObject({
  id,
  digest: z.string().min(1).max(200),
  phases: z.array(phaseFactsSchema).max(500),
});
export type PlanFacts = z.infer<typeof planFactsSchema>;

export const simulationFactsSchema = z.strictObject({
  id,
  /** Whether it was made of exactly this plan. */
  digest_matches: z.boolean(),
  state: z.enum(SIMULATION_STATES),
  /** Since it ended; 0 while it has not. */
  age_seconds: z.int().min(0),
});

/** A freeze that may be in force now; which moments its calendar means was worked out before. */
const freezeFactsSchema = z.strictObject({
  name,
  /** The stretch of it that is in force, or would be. */
  from: instantSchema,
  until: instantSchema,
  /** The same as people read it. */
  until_utc: z.string().min(1).max(30),
  /** Null: every environment. */
  environments: z.array(name).max(200).nullable(),
  /** By name; null: every tool that changes state. */
  tools: z.array(name).max(1000).nullable(),
  may_pass: z.array(z.string().min(1).max(200)).max(100),
});
export type FreezeFacts = z.infer<typeof freezeFactsSchema>;

/** The freezes, and the roles that the starting person or agent holds now. */
export const freezesFactsSchema = z.strictObject({
  active: z.array(freezeFactsSchema).max(100),
  starter_roles: z.array(z.string().min(1).max(200)).max(200),
});
export type FreezesFacts = z.infer<typeof freezesFactsSchema>;

const reviewerFactsSchema = z.strictObject({
  person_id: id,
  /** The absent person that the reviewer stood in for; null: none. */
  delegated_by: id.nullable(),
  /** The people who let in the reviewer and the absent person, as the review recorded them: all share one vote. */
  shared_with: z.array(id).max(1000),
  /** The roles that the reviewer holds now. */
  roles: z.array(z.string().min(1).max(200)).max(200),
  /** The roles of the slot that the review filled; one of them must still be held. */
  slot_roles: z.array(z.string().min(1).max(200)).min(1).max(100),
});

/** The approval request behind a run, as it stands now. */
export const approvalFactsSchema = z.strictObject({
  id,
  state: z.enum(APPROVAL_STATES),
  /** Until when the approval is good. */
  expires_at: instantSchema,
  /** The approvers. */
  reviewers: z.array(reviewerFactsSchema).max(200),
});
export type ApprovalFacts = z.infer<typeof approvalFactsSchema>;

const roles = z.array(z.string().min(1).max(200)).min(1).max(100);

const percent = z.int().min(1).max(100);

const minutes = z.int().min(1);

const tighteningFields = {
  mode: z.enum(AUTONOMY_MODES).optional(),
  allowed_approvers: roles.optional(),
  require_two_approvers: z.boolean().optional(),
  quorum: z.array(approvalSlotSchema).min(1).max(20).optional(),
  require_mfa: z.boolean().optional(),
  require_approval: z.boolean().optional(),
  max_batch_percent: percent.optional(),
};

const lifetimeFields = {
  simulation_valid_minutes: minutes.optional(),
  approval_valid_minutes: minutes.optional(),
};

/**
 * The part of a tenant's autonomy document (the `autonomy` block) that decisions are taken from. Other members are
 * dropped, so that they can neither weigh nor hide anything in the input.
 */
export const autonomyFactsSchema = z.object({
  autonomy: z.object({
    ...tighteningFields,
    ...lifetimeFields,
    mode: z.enum(AUTONOMY_MODES),
    environments: z.record(name, z.object({ ...tighteningFields, ...lifetimeFields })).optional(),
    tool_overrides: z.record(name, z.object(tighteningFields)).optional(),
  }),
});
export type AutonomyFacts = z.infer<typeof autonomyFactsSchema>;

import { z } from 'zod';
import {
  APPROVAL_STATES,
  approvedTermsSchema,
  effectiveSchema,
  EXCLUSIONS,
  obligationsSchema,
  PLAN_STATUSES,
  RUN_STATES,
  VERDICTS,
} from '#lib/formats';
import {
  actorFactsSchema,
  callerFactsSchema,
  approvalFactsSchema,
  autonomyFactsSchema,
  environmentFactsSchema,
  freezesFactsSchema,
  haltFactsSchema,
  instantSchema,
  planFactsSchema,
  simulationFactsSchema,
  taskFactsSchema,
  toolFactsSchema,
  toolKeySchema,
  toolsSchema,
} from './facts.js';
import { callLineFactsSchema, pathFactsSchema, sessionFactsSchema, shellFactsSchema } from './session-facts.js';

const id = z.string().min(1).max(200);

const common = {
  /** The database's clock, read after the locks were taken. */
  now: instantSchema,
  tenant_id: id,
  /** The tenant's autonomy document. Null if it has none: then autonomy is plan_only, and no person may approve. */
  autonomy: autonomyFactsSchema.nullable(),
};

const halts = z.array(haltFactsSchema).max(1000);

/** One tool call now, without a plan. */
const toolCallInputSchema = z.strictObject({
  ...common,
  actor: callerFactsSchema,
  tool: toolFactsSchema,
  environment: environmentFactsSchema,
  /** Null for a call outside a session. */
  session: sessionFactsSchema.nullable(),
  /** Null for a tool that takes no command line. */
  shell: callLineFactsSchema.nullable(),
  /** Null for a tool without paths in its definition. */
  paths: pathFactsSchema.nullable(),
  halts,
});
export type ToolCallInput = z.infer<typeof toolCallInputSchema>;

/** One tool call of an automation now. No person is asked. */
const automationInputSchema = z.strictObject({
  ...common,
  tool: toolFactsSchema,
  /** Of this version of the tool. */
  digest: z.string().min(1).max(200),
  /** The version that the tenant's list of safe tools accepts; null if the list lacks the tool. */
  accepted: toolFactsSchema
    .pick({ effect: true, risk: true })
    .extend({ digest: z.string().min(1).max(200) })
    .nullable(),
  environment: environmentFactsSchema,
  /** Null for a tool that takes no command line. */
  shell: callLineFactsSchema.nullable(),
  /** Null for a tool without paths in its definition. */
  paths: pathFactsSchema.nullable(),
  /** The call has no starter, so its roles are none. */
  freeze: freezesFactsSchema,
  halts,
});
export type AutomationInput = z.infer<typeof automationInputSchema>;

export const PLAN_STAGES = ['validate', 'simulate', 'request', 'execute'] as const;
export type PlanStage = (typeof PLAN_STAGES)[number];

/** A plan at one of its stages. `allow`: go on, no approval needed (or, at `execute`, it is there). */
export const planInputSchema = z.strictObject({
  ...common,
  stage: z.enum(PLAN_STAGES),
  actor: actorFactsSchema,
  task: taskFactsSchema,
  environment: environmentFactsSchema,
  tools: toolsSchema,
  plan: planFactsSchema,
  simulation: simulationFactsSchema.nullable(),
  approval: approvalFactsSchema.nullable(),
  /** The terms of the approval at `execute`; null if there is none. */
  approved: approvedTermsSchema.nullable(),
  /** The canary phases of this plan have run; this is about the rest. */
  promotion: z.boolean(),
  /** Looked at when something is to start. */
  freeze: freezesFactsSchema,
  halts,
});
export type PlanInput = z.infer<typeof planInputSchema>;

/** A person's verdict on an approval request. */
export const reviewInputSchema = z.strictObject({
  ...common,
  verdict: z.enum(VERDICTS),
  request: z.strictObject({
    id,
    /** The kind of its subject. */
    subject: z.enum(['plan', 'tool_call']),
    state: z.enum(APPROVAL_STATES),
    opened_at: instantSchema,
    expires_at: instantSchema,
    requester: z.strictObject({ kind: z.enum(['person', 'agent']), id }),
    /** The people who may never review this request, each with the reason. */
    excluded: z
      .array(
        z.strictObject({
          person_id: id,
          why: z.enum(EXCLUSIONS),
          /** The person who shares one vote with them, for `same_hand`. */
          shares_with: id.optional(),
        }),
      )
      .max(1000),
    /** As the request was opened with them. */
    obligations: obligationsSchema,
    effective: effectiveSchema,
    /** Whether every record that the request is bound to is unchanged. */
    digests_match: z.boolean(),
  }),
  reviewer: z.strictObject({
    kind: z.enum(['person', 'agent', 'system']),
    id,
    scopes: z.array(z.string().min(1).max(100)).max(50),
    /** How the person acts: in a browser session, in Slack, or by a token that others may have. */
    via: z.enum(['browser', 'slack', 'token']),
    roles: z.array(z.strictObject({ role: z.string().min(1).max(200), assigned_at: instantSchema })).max(200),
    /** The time at which the person joined the tenant, for `any`; null for an agent or the system. */
    joined_at: instantSchema.nullable(),
    /** The delegation that these roles come from, if the person stands in for an absent one; null: their own roles. */
    delegation: z
      .strictObject({ person_id: id, made_at: instantSchema, from: instantSchema, until: instantSchema })
      .nullable(),
    /** Null if the person has no second factor. */
    mfa: z.strictObject({ proved: z.boolean() }).nullable(),
  }),
});
export type ReviewInput = z.infer<typeof reviewInputSchema>;

export const BINDINGS = ['task', 'environment', 'plan', 'tools', 'executors', 'simulation'] as const;

/** One step of a run, just before it is dispatched. */
const runStepInputSchema = z.strictObject({
  ...common,
  actor: actorFactsSchema,
  run: z.strictObject({
    id,
    state: z.enum(RUN_STATES),
    scope: z.enum(['all', 'canary']),
  }),
  step: z.strictObject({
    /** The `seq` of the plan's call; for a health check, of the last call before it. */
    seq: z.int().min(0),
    tool: toolKeySchema,
    phase_index: z.int().min(0),
    kind: z.enum(['call', 'health_check', 'compensation']),
    /** The verdict on the step's command line, judged again for this dispatch; null if its tool takes none. */
    shell: shellFactsSchema.nullable(),
  }),
  task: taskFactsSchema,
  environment: environmentFactsSchema,
  tools: toolsSchema,
  plan: planFactsSchema,
  /**
   * The terms that the run started under. They come from the approval or, without a need for one, from the decision at
   * its start.
   */
  approved: approvedTermsSchema,
  approval: approvalFactsSchema.nullable(),
  /** For a run that rests on break-glass: whether it is on now, and the roles that its invoker holds now; null for every other. */
  break_glass: z
    .strictObject({
      enabled: z.boolean(),
      allowed_roles: z.array(z.string().min(1).max(200)).max(100),
      invoker_roles: z.array(z.string().min(1).max(200)).max(200),
    })
    .nullable(),
  /** The records that the approval is bound to: true if unchanged. */
  bindings: z.strictObject({
    task: z.boolean(),
    environment: z.boolean(),
    plan: z.boolean(),
    tools: z.boolean(),
    executors: z.boolean(),
    simulation: z.boolean(),
  }),
  /** Looked at when a phase begins. */
  freeze: freezesFactsSchema,
  halts,
});
export type RunStepInput = z.infer<typeof runStepInputSchema>;

/** A person's wish to execute a plan at once, past approval, autonomy mode, freezes and simulation. */
const breakGlassInputSchema = z.strictObject({
  ...common,
  /** Of the tenant's document; null if it has none. */
  emergency_override: z
    .strictObject({ enabled: z.boolean(), allowed_roles: z.array(z.string().min(1).max(200)).max(100) })
    .nullable(),
  actor: actorFactsSchema.extend({
    roles: z.array(z.string().min(1).max(200)).max(200),
    /** Null if no second factor was proved for anything. */
    mfa: z.strictObject({ proved: z.boolean() }).nullable(),
  }),
  justification: z.string().max(4_000),
  plan_status: z.enum(PLAN_STATUSES),
  task: taskFactsSchema,
  environment: environmentFactsSchema,
  tools: toolsSchema,
  plan: planFactsSchema,
  halts,
});
export type BreakGlassInput = z.infer<typeof breakGlassInputSchema>;

/** One cell of the effective matrix: the decision for a plan with this one tool if approval is asked for. */
const autonomyInputSchema = z.strictObject({
  ...common,
  tool: toolFactsSchema,
  environment: environmentFactsSchema,
});
export type AutonomyInput = z.infer<typeof autonomyInputSchema>;

const sessionSettingsSchema = sessionFactsSchema.omit({ trusted: true });

/** A change of the settings by which a session asks. */
const sessionChangeInputSchema = z.strictObject({
  ...common,
  actor: callerFactsSchema,
  environment: environmentFactsSchema,
  before: sessionSettingsSchema,
  after: sessionSettingsSchema,
});

/** The bundle's entrypoints and the schema of each one's input. */
export const POLICY_INPUTS = {
  tool_call: toolCallInputSchema,
  plan: planInputSchema,
  review: reviewInputSchema,
  run_step: runStepInputSchema,
  break_glass: breakGlassInputSchema,
  autonomy: autonomyInputSchema,
  session_change: sessionChangeInputSchema,
  automation: automationInputSchema,
} as const;

export type Entrypoint = keyof typeof POLICY_INPUTS;
export type PolicyInput<E extends Entrypoint> = z.infer<(typeof POLICY_INPUTS)[E]>;

/** The largest input, as UTF-8 JSON. */
export const MAX_POLICY_INPUT_BYTES = 256 * 1024;

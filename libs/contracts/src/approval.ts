import { z } from 'zod';
import { pageOf, pageQuerySchema, timestampSchema, uuidSchema } from './common.js';
import { autonomyLineSchema } from './decision.js';
import { expandedPlanSchema, planDiffSchema } from './plan.js';
import { decisionSchema } from './policy/decision.js';
import { EXCLUSIONS } from './policy/inputs.js';
import { planSimulationResultSchema, SIMULATION_STATES } from './simulation.js';

export const APPROVAL_STATES = [
  'open',
  'granted',
  'denied',
  'changes_requested',
  'expired',
  'voided',
  'consumed',
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const VERDICTS = ['approve', 'reject', 'request_changes'] as const;
export type Verdict = (typeof VERDICTS)[number];

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/**
 * Digests of everything an approver saw. An approval holds for exactly these; the executing process checks them again.
 */
export const approvalBindingSchema = z
  .strictObject({
    task: digest,
    environment: digest,
    plan: digest,
    /** By `name@version`. */
    tools: z.record(z.string(), digest),
    /** By executor name. */
    executors: z.record(z.string(), digest),
    simulation: digest.nullable(),
  })
  .meta({ id: 'ApprovalBinding' });
export type ApprovalBinding = z.infer<typeof approvalBindingSchema>;

export const openApprovalRequestSchema = z
  .strictObject({
    start: z.enum(['on_approval', 'manual', 'at']).default('on_approval'),
    start_at: z.iso.datetime().optional(),
  })
  .refine((body) => (body.start === 'at') === (body.start_at !== undefined), {
    message: '"start_at" goes with start "at", and only with it',
    path: ['start_at'],
  })
  .meta({ id: 'OpenApprovalRequest' });
export type OpenApprovalRequestBody = z.infer<typeof openApprovalRequestSchema>;

export const reviewSchema = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    comment: z.string().max(4_000).optional(),
    /** The plan digest the reviewer saw. */
    plan_digest: digest,
    step_up_id: uuidSchema
      .optional()
      .meta({ description: 'A step-up that was proved for this verdict; needed where the request obliges to MFA.' }),
  })
  .refine((body) => body.verdict === 'approve' || (body.comment ?? '').trim() !== '', {
    message: 'say what is wrong: a comment is needed to reject or to request changes',
    path: ['comment'],
  })
  .meta({ id: 'SubmitReview' });
export type SubmitReviewBody = z.infer<typeof reviewSchema>;

/** Which approval requests a list holds. */
export const approvalRequestQuerySchema = pageQuerySchema.extend({
  state: z.enum(APPROVAL_STATES).optional(),
  plan_id: uuidSchema.optional(),
  task_id: uuidSchema.optional(),
  reviewable: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Only open requests that policy lets the caller approve now.' }),
});
export type ApprovalRequestQuery = z.infer<typeof approvalRequestQuerySchema>;

const reasonedSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});

const personSchema = z.object({ id: uuidSchema, display_name: z.string() });

export const reviewViewSchema = z
  .object({
    id: uuidSchema,
    request_id: uuidSchema,
    person: personSchema,
    verdict: z.enum(VERDICTS),
    comment: z.string(),
    roles: z.array(z.string()).meta({ description: 'The roles that counted.' }),
    plan_digest: digest,
    decision_id: uuidSchema,
    created_at: timestampSchema,
    replaced_at: timestampSchema.nullable().meta({ description: 'When the same person reviewed again.' }),
  })
  .meta({ id: 'Review' });
export type ReviewView = z.infer<typeof reviewViewSchema>;

export const reviewListSchema = z.object({ items: z.array(reviewViewSchema) }).meta({ id: 'ReviewList' });

const quorumSchema = z
  .object({
    complete: z.boolean(),
    filled: z.array(z.object({ slot: z.int(), roles: z.array(z.string()), person: personSchema })),
    open: z.array(z.object({ slot: z.int(), roles: z.array(z.string()), count: z.int().min(1) })),
  })
  .meta({ id: 'Quorum', description: 'One distinct person fills each place of each slot.' });

/** An approval request as lists hold it. */
export const approvalRequestSchema = z
  .object({
    id: uuidSchema,
    task_id: uuidSchema,
    plan_id: uuidSchema,
    simulation_id: uuidSchema.nullable(),
    state: z.enum(APPROVAL_STATES),
    closed_reason: reasonedSchema.nullable(),
    phases: z
      .enum(['all', 'canary', 'promotion'])
      .meta({ description: 'What would run; promotion is the rest after a canary.' }),
    plan_digest: digest.meta({ description: 'Send it with a review: it says what was seen.' }),
    binding: approvalBindingSchema,
    binding_digest: digest,
    decision: decisionSchema.meta({
      description: 'Why people are asked.',
    }),
    autonomy_line: autonomyLineSchema
      .nullable()
      .meta({ description: 'Where the mode of the decision stands, in the revision then in force.' }),
    decision_id: uuidSchema,
    bundle_revision: z.string(),
    autonomy_revision_id: uuidSchema.nullable(),
    requester: z.object({ kind: z.enum(['agent', 'person']), id: uuidSchema, on_behalf_of: uuidSchema.nullable() }),
    excluded: z
      .array(z.object({ person_id: uuidSchema, why: z.enum(EXCLUSIONS) }))
      .meta({ description: 'Who can never review it.' }),
    quorum: quorumSchema,
    start: z.enum(['on_approval', 'manual', 'at']),
    start_at: timestampSchema.nullable(),
    opened_at: timestampSchema,
    expires_at: timestampSchema,
    granted_at: timestampSchema.nullable(),
    grant_expires_at: timestampSchema.nullable(),
    closed_at: timestampSchema.nullable(),
    seconds_left: z.int().min(0).nullable().meta({ description: 'To decide while open, to start while granted.' }),
  })
  .meta({ id: 'ApprovalRequest' });
export type ApprovalRequestView = z.infer<typeof approvalRequestSchema>;

export const approvalRequestListSchema = pageOf(approvalRequestSchema).meta({ id: 'ApprovalRequestList' });

/** One line of what would be done, rendered from the expanded plan alone. */
export const renderedCallSchema = z
  .object({
    seq: z.int(),
    phase: z.string(),
    canary: z.boolean(),
    batch: z.int(),
    step_id: z.string(),
    tool: z.string(),
    tool_version: z.int(),
    risk: z.string(),
    effect: z.string(),
    executor: z.string(),
    targets: z.array(z.string()),
    arguments: z.record(z.string(), z.json()),
    undone_by: z.string().nullable().meta({ description: 'The tool that compensates it.' }),
  })
  .meta({ id: 'RenderedCall' });

/** An approval request with everything its approvers see. */
export const approvalRequestDetailSchema = approvalRequestSchema
  .extend({
    environment: z.object({ id: uuidSchema, name: z.string(), production: z.boolean() }),
    revision: z.int().min(1),
    said_by_the_requester: z.object({ goal: z.string(), summary: z.string().nullable() }).meta({
      description: "The requester's own words. They decide nothing, and nothing here is checked against them.",
    }),
    calls: z
      .array(renderedCallSchema)
      .meta({ description: 'What would be done, in order, rendered from what would be executed.' }),
    plan: expandedPlanSchema,
    simulation: z
      .object({ id: uuidSchema, state: z.enum(SIMULATION_STATES), digest, result: planSimulationResultSchema })
      .nullable(),
    reviews: z.array(reviewViewSchema),
    may_review: z
      .object({ outcome: z.enum(['allow', 'deny']), reasons: decisionSchema.shape.reasons })
      .meta({ description: 'What policy would say now if the reader approved.' }),
    changed_since_opened: z
      .array(z.object({ member: z.string(), names: z.array(z.string()) }))
      .meta({ description: 'Bound things that are no longer what they were: a review would void the request.' }),
    changes_since_my_review: z
      .object({
        request_id: uuidSchema,
        approved_at: timestampSchema,
        bound: z.array(z.object({ member: z.string(), names: z.array(z.string()) })),
        document: planDiffSchema.shape.document,
        calls: planDiffSchema.shape.calls,
        targets: planDiffSchema.shape.targets,
      })
      .nullable()
      .meta({
        description: 'What differs from what the reader approved last for this task; null where they approved nothing.',
      }),
  })
  .meta({ id: 'ApprovalRequestDetail' });
export type ApprovalRequestDetailView = z.infer<typeof approvalRequestDetailSchema>;

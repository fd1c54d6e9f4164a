import { z } from 'zod';
import {
  ATTEMPT_STATES,
  lineSchema,
  RUN_PHASES,
  RUN_STATES,
  timestampSchema,
  uuidSchema,
  effectiveSchema,
} from '#lib/formats';
import { actorSchema, pageOf, pageQuerySchema } from './shared-schemas.js';
import { explanationSchema } from './decision.js';
import { headlineShape } from './plan-description.js';
import { reasonViewSchema } from './problem.js';
import { workFilterShape } from './work-filter.js';

export const resolveUnknownSchema = z
  .strictObject({
    effect: z.enum(['happened', 'did_not', 'retry']),
    note: z.string().trim().min(1).max(2_000),
  })
  .meta({ id: 'ResolveUnknown', description: 'The effect of an unknown step, as a person found it out.' });

const note = lineSchema(2_000);

/** The body of pause, resume, cancel and roll-back. */
export const controlRunSchema = z
  .strictObject({ note: note.optional().meta({ description: 'Why; stands in the run and in the audit log.' }) })
  .meta({ id: 'ControlRun' });
export type ControlRunBody = z.infer<typeof controlRunSchema>;

export const runQuerySchema = pageQuerySchema.extend({
  ...workFilterShape,
  state: z.enum(RUN_STATES).optional(),
  task_id: uuidSchema.optional(),
  plan_id: uuidSchema.optional(),
});
export type RunQuery = z.infer<typeof runQuerySchema>;

const runReasonSchema = z.object({
  code: z.string(),
  message: z.string(),
  reasons: z.array(reasonViewSchema).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

const runOutcomeSchema = z.object({
  duration_minutes: z.number(),
  affected_assets: z.int(),
  calls: z.object({ succeeded: z.int(), failed: z.int(), compensated: z.int(), not_started: z.int() }),
  not_undone: z.array(
    z.object({
      step_id: z.string(),
      seq: z.int(),
      tool: z.string(),
      why: z.enum(['no_compensation', 'compensation_failed', 'failed_halfway', 'not_rolled_back']),
    }),
  ),
});

/** A run, as lists show it. */
export const runSchema = z
  .object({
    id: uuidSchema,
    task_id: uuidSchema,
    plan_id: uuidSchema,
    plan_digest: z.string(),
    ...headlineShape,
    environment_id: uuidSchema,
    approval_request_id: uuidSchema.nullable(),
    incident_id: uuidSchema
      .nullable()
      .meta({ description: 'The incident of the break-glass that it rests on; null for every other run.' }),
    simulation_id: uuidSchema.nullable(),
    state: z.enum(RUN_STATES),
    scope: z.enum(RUN_PHASES).meta({ description: 'Which phases of the plan it executes.' }),
    requested: z
      .enum(['pause', 'cancel', 'roll_back'])
      .nullable()
      .meta({ description: 'Asked for, and taken between steps.' }),
    reason: runReasonSchema.nullable().meta({ description: 'The reason of its pause, or of its end.' }),
    rollback_reason: runReasonSchema.nullable(),
    waiting_on: z
      .object({ target: z.string(), run_id: uuidSchema })
      .nullable()
      .meta({ description: 'The lock that a queued run waits for: a target, and the run that holds it.' }),
    wait_until: timestampSchema.nullable(),
    pause_by: timestampSchema
      .nullable()
      .meta({ description: 'When it pauses by itself if it still goes forward; resuming it sets it anew.' }),
    outcome: runOutcomeSchema.nullable(),
    started_by: actorSchema,
    created_at: timestampSchema,
    started_at: timestampSchema.nullable(),
    finished_at: timestampSchema.nullable(),
  })
  .meta({ id: 'Run' });
export type RunView = z.infer<typeof runSchema>;

export const runPageSchema = pageOf(runSchema).meta({ id: 'RunPage' });

const errorSchema = z.object({ code: z.string(), message: z.string() }).nullable();

const stepAttemptSchema = z
  .object({
    id: uuidSchema,
    purpose: z.enum(['call', 'compensation']),
    number: z.int().min(1),
    decision_id: uuidSchema,
    executor: z.string(),
    executor_version: z.int(),
    unverified: z.boolean().meta({ description: 'True if the agent carried it out and reported, unchecked.' }),
    arguments_digest: z.string(),
    targets: z.array(z.string()),
    dispatched_at: timestampSchema,
    finished_at: timestampSchema.nullable(),
    outcome: z.enum(['succeeded', 'failed', 'unknown']).nullable(),
    effect: z.enum(['not_started', 'done']).nullable(),
    result: z.json(),
    error: errorSchema,
    late_result: z.json().meta({ description: 'An answer that came after the attempt was given up; decides nothing.' }),
  })
  .meta({ id: 'StepAttempt' });

const runStepSchema = z
  .object({
    id: uuidSchema,
    kind: z.enum(['call', 'health_check']),
    phase_index: z.int(),
    batch_index: z.int(),
    seq: z.int(),
    step_id: z.string(),
    health_round: z.int(),
    tool: z.string(),
    idempotent: z.boolean(),
    compensable: z.boolean(),
    on_failure: z.enum(['pause', 'rollback', 'retry']),
    state: z.enum(ATTEMPT_STATES),
    unknown_of: z.enum(['call', 'compensation']).nullable(),
    resolved_as: z.enum(['happened', 'did_not']).nullable(),
    error: errorSchema,
    attempts: z.array(stepAttemptSchema),
  })
  .meta({ id: 'RunStep' });

/** A run with everything that says why it is where it is. */
export const runDetailSchema = runSchema
  .extend({
    environment: z.string(),
    steps: z.array(runStepSchema),
    health: z.array(
      z.object({
        phase_index: z.int(),
        batch_index: z.int(),
        health_round: z.int(),
        metrics: z.record(z.string(), z.number()),
        condition: z.string().nullable(),
        verdict: z.enum(['healthy', 'roll_back', 'unclear']),
        explanation: z.string(),
        evaluated_at: timestampSchema,
      }),
    ),
    explanation: explanationSchema.nullable().meta({ description: 'The decision at its start.' }),
    autonomy: effectiveSchema.meta({ description: 'The mode it started under, and the line that it comes from.' }),
    predicted: z
      .object({ affected_assets: z.int(), estimated_duration_minutes: z.number(), predicted_risk: z.string() })
      .nullable(),
    resume_refused: z.object({ code: z.string(), message: z.string(), action: z.string().nullable() }).nullable().meta({
      description: 'The refusal that a person would get who resumes it now; null for a run that is not paused.',
    }),
  })
  .meta({ id: 'RunDetail' });
export type RunDetailView = z.infer<typeof runDetailSchema>;

const runEventSchema = z
  .object({
    seq: z.int().min(1).meta({ description: 'Counts from 1 within the run; the id of the server-sent event.' }),
    type: z.string(),
    actor: actorSchema,
    data: z.record(z.string(), z.json()),
    at: timestampSchema,
  })
  .meta({ id: 'RunEvent' });
export type RunEventView = z.infer<typeof runEventSchema>;

export const runEventPageSchema = pageOf(runEventSchema).meta({ id: 'RunEventPage' });

const reported = { jti: uuidSchema, arguments_digest: z.string().max(100) };

const reportedError = z.strictObject({ code: z.string().max(128), message: z.string().max(2_000) });

/** The outcome that an agent reports of a call that it carried out itself. */
export const reportAttemptSchema = z
  .discriminatedUnion('outcome', [
    z.strictObject({ ...reported, outcome: z.literal('succeeded'), result: z.json() }),
    z.strictObject({
      ...reported,
      outcome: z.literal('failed'),
      effect: z.enum(['not_started', 'done']).meta({ description: '`not_started` promises that nothing was changed.' }),
      error: reportedError,
    }),
    z.strictObject({ ...reported, outcome: z.literal('unknown'), error: reportedError }),
  ])
  .meta({ id: 'ReportAttempt', description: 'Names the grant (its jti) and the arguments that were acted on.' });
export type ReportAttemptBody = z.infer<typeof reportAttemptSchema>;

/** The calls of a run that its agent carries out itself, each with its grant. */
export const runWorkSchema = z
  .object({
    items: z.array(
      z.object({
        attempt_id: uuidSchema,
        run_step_id: uuidSchema,
        step_id: z.string(),
        purpose: z.enum(['call', 'compensation']),
        number: z.int().min(1),
        tool: z.string(),
        arguments: z.record(z.string(), z.json()),
        arguments_digest: z.string(),
        targets: z.array(z.string()),
        idempotency_key: z.string(),
        grant: z.string().meta({ description: 'Its jti is the attempt’s id. Asked for again, it is the same.' }),
        grant_expires_at: timestampSchema,
        lease_until: timestampSchema.meta({ description: 'Until when a report counts.' }),
      }),
    ),
  })
  .meta({ id: 'RunWork' });
export type RunWorkView = z.infer<typeof runWorkSchema>;

import { z } from 'zod';
import { pageOf, pageQuerySchema, submitterSchema, timestampSchema, uuidSchema, slugSchema } from './common.js';
import { explanationSchema } from './decision.js';
import { headlineShape, planDescriptionSchema } from './plan-description.js';
import { PLAN_STATUSES } from './plan-status.js';
import { problemSchema } from './problem.js';
import { conditionTextSchema, targetSchema } from './task.js';
import { workFilterShape } from './work-filter.js';

const toolNameSchema = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[a-zA-Z][a-zA-Z0-9_.:-]*$/, 'must start with a letter and hold only letters, digits and _ . : -');

/**
 * Arguments as the agent writes them. Two values are filled in by expansion: `{"$batch":"targets"}` becomes the batch's
 * targets as an array, `{"$batch":"target"}` makes one call per target. `{"$secret":"name@version"}` stays as it is
 * until dispatch.
 */
const argumentsSchema = z.record(z.string(), z.json()).meta({ id: 'ToolArguments' });

const compensationSchema = z
  .strictObject({
    tool: toolNameSchema.meta({ description: 'The tool that undoes the step; it changes state itself.' }),
    arguments: argumentsSchema.meta({ description: 'Its arguments, written as those of a step.' }),
  })
  .meta({ id: 'Compensation', description: 'The call that undoes a step when the run rolls back.' });

const planStepSchema = z
  .strictObject({
    id: slugSchema.meta({ description: 'A name of its own within the plan; errors and evidence use it.' }),
    tool: toolNameSchema.meta({ description: 'A tool of the catalog.' }),
    arguments: argumentsSchema.meta({
      description:
        "Checked against the tool's parameters. `{$batch: targets}` becomes the targets of the batch; `{$batch: target}` makes one call for each target; `{$secret: name@version}` is resolved at dispatch.",
    }),
    on_failure: z.enum(['pause', 'rollback', 'retry']).default('pause').meta({
      description:
        'pause: a person decides; rollback: what was done is undone; retry: the call is tried again, if its tool is idempotent.',
    }),
    compensate_with: compensationSchema.optional(),
  })
  .meta({ id: 'PlanStep' });

const healthCheckSchema = z
  .strictObject({
    name: slugSchema.meta({ description: 'What rollback_if calls it: `web` in `web.error_rate`.' }),
    tool: toolNameSchema.meta({ description: 'A read_only tool.' }),
    arguments: argumentsSchema.meta({ description: 'Its arguments, written as those of a step.' }),
  })
  .meta({
    id: 'HealthCheck',
    description:
      "A read_only call made after each batch. The numbers in its result's `metrics` are named `<check>.<metric>`.",
  });

export const planPhaseSchema = z
  .strictObject({
    name: slugSchema.meta({ description: 'A name of its own within the plan.' }),
    canary: z
      .boolean()
      .default(false)
      .meta({ description: 'Tried first on few targets: at most 20 percent of all in production.' }),
    targets: z
      .array(targetSchema)
      .max(5_000)
      .meta({ description: 'The targets that the phase changes; empty if its tools touch none.' }),
    batch_percent: z
      .number()
      .min(0.01)
      .max(100)
      .default(100)
      .meta({ description: "The size of a batch, in percent of the plan's distinct targets; at least one target." }),
    wait_seconds: z
      .number()
      .int()
      .min(0)
      .max(86_400)
      .default(0)
      .meta({ description: 'The wait after each batch, before its health checks.' }),
    health_checks: z.array(healthCheckSchema).max(20).default([]).meta({ description: 'Calls after each batch.' }),
    rollback_if: conditionTextSchema.optional().meta({
      description:
        'Rolls the run back if it holds after a batch, `web.error_rate > 0.05 or web.unhealthy >= 1`. Production changes need one.',
    }),
    steps: z.array(planStepSchema).min(1).max(50).meta({ description: 'The calls of each batch, in order.' }),
  })
  .meta({
    id: 'PlanPhase',
    description:
      "Phases run in order. `batch_percent` is of the plan's distinct targets; a batch has at least one target. `wait_seconds` passes after each batch, before its health checks.",
  });

export const planDocumentSchema = z
  .strictObject({
    summary: z
      .string()
      .max(4_000)
      .optional()
      .meta({ description: "The agent's own words; approvers see them marked as such, below the calls." }),
    phases: z
      .array(planPhaseSchema)
      .min(1)
      .max(50)
      .meta({ description: 'In order. A plan expands into at most 500 calls.' }),
  })
  .meta({
    id: 'PlanDocument',
    description: "How the agent wants it done. `summary` is the agent's own words and decides nothing.",
  });
export type PlanDocument = z.infer<typeof planDocumentSchema>;
export type PlanPhase = z.infer<typeof planPhaseSchema>;
export type PlanStep = z.infer<typeof planStepSchema>;

const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const expandedToolSchema = z.strictObject({
  name: z.string(),
  version: z.number().int(),
  digest: digestSchema,
});

/** A call as it will be dispatched; only secrets' values are still to come. */
const expandedInvocationSchema = z.strictObject({
  tool: expandedToolSchema,
  executor: z.strictObject({ name: z.string(), digest: digestSchema }),
  arguments: z.record(z.string(), z.json()),
  arguments_digest: digestSchema,
  targets: z.array(z.string()),
});
export type ExpandedInvocation = z.infer<typeof expandedInvocationSchema>;

const expandedCallSchema = z.strictObject({
  /** 1-based, in execution order over the whole plan. */
  seq: z.number().int().min(1),
  step_id: z.string(),
  invocation: expandedInvocationSchema,
  on_failure: z.enum(['pause', 'rollback', 'retry']),
  compensate_with: expandedInvocationSchema.nullable(),
});
export type ExpandedCall = z.infer<typeof expandedCallSchema>;

const expandedHealthCheckSchema = z.strictObject({ name: z.string(), invocation: expandedInvocationSchema });

const expandedBatchSchema = z.strictObject({
  index: z.number().int().min(0),
  targets: z.array(z.string()),
  calls: z.array(expandedCallSchema),
  health_checks: z.array(expandedHealthCheckSchema),
});

export type ExpandedBatch = z.infer<typeof expandedBatchSchema>;

const expandedPhaseSchema = z.strictObject({
  index: z.number().int().min(0),
  name: z.string(),
  canary: z.boolean(),
  wait_seconds: z.number().int(),
  /** The phase's condition joined with the task's rollback_trigger; null when there is neither. */
  rollback_if: z.string().nullable(),
  batches: z.array(expandedBatchSchema),
});
export type ExpandedPhase = z.infer<typeof expandedPhaseSchema>;

/** The concrete plan: what is digested, simulated, shown, approved and executed. */
export const expandedPlanSchema = z
  .strictObject({
    format: z.literal('countersign.plan/v1'),
    task_id: z.string(),
    revision: z.number().int().min(1),
    environment: z.strictObject({ id: z.string(), name: z.string(), digest: digestSchema }),
    distinct_targets: z.array(z.string()),
    phases: z.array(expandedPhaseSchema),
  })
  .meta({ id: 'ExpandedPlan' });
export type ExpandedPlan = z.infer<typeof expandedPlanSchema>;

export const PLAN_STATES = ['draft', 'invalid', 'validated', 'superseded', 'withdrawn'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** Most calls one plan may expand into. */
export const MAX_EXPANDED_CALLS = 500;

const planRecord = {
  id: uuidSchema,
  task_id: uuidSchema,
  revision: z.int().min(1),
  state: z.enum(PLAN_STATES).meta({ description: 'Of the revision itself.' }),
  status: z
    .enum(PLAN_STATUSES)
    .meta({ description: 'What has become of it, from simulation, approval and run; by the clock.' }),
  digest: digestSchema
    .nullable()
    .meta({ description: 'Of `expanded`: people approve this digest. Null if the plan could not be expanded.' }),
  ...headlineShape,
  submitted_by: submitterSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
};

/** A revision as lists show it. */
const planSummarySchema = z.object(planRecord).meta({ id: 'PlanSummary' });
export type PlanSummaryView = z.infer<typeof planSummarySchema>;

export const planPageSchema = pageOf(planSummarySchema).meta({ id: 'PlanPage' });

/** A revision with all that belongs to it. */
export const planSchema = z
  .object({
    ...planRecord,
    document: planDocumentSchema,
    expanded: expandedPlanSchema.nullable().meta({ description: 'The batches and calls that would be executed.' }),
    description: planDescriptionSchema
      .nullable()
      .meta({ description: 'What would be done, as people are shown it; null if it could not be expanded.' }),
    errors: problemSchema.shape.errors.unwrap().meta({ description: 'What was wrong with it, by step.' }),
    explanation: explanationSchema
      .nullable()
      .meta({ description: 'The decision of its validation; null if it could not be expanded.' }),
  })
  .meta({ id: 'Plan' });
export type PlanView = z.infer<typeof planSchema>;

export const planQuerySchema = pageQuerySchema.extend({
  ...workFilterShape,
  status: z.enum(PLAN_STATUSES).optional(),
});
export type PlanListQuery = z.infer<typeof planQuerySchema>;

export const planDiffQuerySchema = z.strictObject({
  against: z
    .union([uuidSchema, z.literal('last_executed')])
    .meta({ description: 'The revision to compare with; or the plan of this kind that was executed last.' }),
});

const valueChangeSchema = z
  .object({
    pointer: z.string().meta({ description: 'Of a removed value into what was before, else into what is after.' }),
    kind: z.enum(['added', 'removed', 'changed']),
    before: z.json().optional(),
    after: z.json().optional(),
  })
  .meta({ id: 'ValueChange' });

/** What one revision changes of another, as they were written and as they would be executed. */
export const planDiffSchema = z
  .object({
    before: z.object({ id: uuidSchema, revision: z.int(), digest: digestSchema.nullable() }),
    after: z.object({ id: uuidSchema, revision: z.int(), digest: digestSchema.nullable() }),
    document: z.array(valueChangeSchema),
    calls: z
      .array(
        z.object({
          kind: z.enum(['added', 'removed', 'changed']),
          phase: z.string(),
          step_id: z.string(),
          targets: z.array(z.string()),
          seq_before: z.int().nullable(),
          seq_after: z.int().nullable(),
          changes: z.array(valueChangeSchema),
        }),
      )
      .nullable()
      .meta({ description: 'Null if one of the two could not be expanded.' }),
    in_words: z
      .array(
        z
          .object({ where: z.string(), what: z.string(), before: z.string().nullable(), after: z.string().nullable() })
          .meta({ id: 'ChangeInWords' }),
      )
      .meta({ description: 'The same for people: each difference once, by phase.' }),
    targets: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }),
  })
  .meta({ id: 'PlanDiff' });
export type PlanDiffView = z.infer<typeof planDiffSchema>;

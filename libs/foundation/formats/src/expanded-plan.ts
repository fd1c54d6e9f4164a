import { z } from 'zod';
import { digestSchema } from './primitives.js';

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

/** The concrete plan: digests, simulations, screens, approvals and runs all use this one. */
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

/** Most calls one plan may expand into. */
export const MAX_EXPANDED_CALLS = 500;

import { z } from 'zod';
import { digestSchema } from './primitives.js';
import { PATH_CLASSES, SHELL_CLASSES, SHELLS, TOOL_RISKS } from './tool.js';

const expandedToolSchema = z.strictObject({
  name: z.string(),
  version: z.number().int(),
  digest: digestSchema,
});

/** The verdict on the command line that a call executes, and its only reading that may be executed (ADR-007). */
export const expandedLineSchema = z.strictObject({
  /** JSON Pointer to the argument that is the command line. */
  argument: z.string(),
  shell: z.enum(SHELLS),
  /** A line of Tier 3 is in no plan. */
  tier: z.literal([1, 2]),
  class: z.enum(SHELL_CLASSES),
  /** The risk of the line in the plan's environment, in place of its tool's. */
  risk: z.enum(TOOL_RISKS),
  /** Digest of the executable tree, kind `shell-tree`. */
  tree: digestSchema,
});
export type ExpandedLine = z.infer<typeof expandedLineSchema>;

/** The verdict on the paths that a call names (T52). */
const expandedPathsSchema = z.strictObject({
  /** JSON Pointers to the arguments that are paths. */
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  tier: z.literal([1, 2]),
  class: z.enum(PATH_CLASSES),
  /** The risk of the call in the plan's environment, in place of its tool's. */
  risk: z.enum(TOOL_RISKS),
});
export type ExpandedPaths = z.infer<typeof expandedPathsSchema>;

/** A call as it will be dispatched; only secrets' values are still to come. */
const expandedInvocationSchema = z.strictObject({
  tool: expandedToolSchema,
  executor: z.strictObject({ name: z.string(), digest: digestSchema }),
  arguments: z.record(z.string(), z.json()),
  arguments_digest: digestSchema,
  targets: z.array(z.string()),
  /** Left out: its tool takes no command line. */
  shell: expandedLineSchema.exactOptional(),
  /** Left out: its tool names no path. */
  paths: expandedPathsSchema.exactOptional(),
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

import { z } from 'zod';
import { expandedLineSchema, TOOL_LEVELS } from '#lib/formats';
import { pathFactsSchema, shellFactsSchema } from '#lib/policy-inputs';

const reasonSchema = z.strictObject({ code: z.string(), message: z.string() });

/** An argument as it is sent; a secret by its name. */
const shownArgumentSchema = z.strictObject({ name: z.string(), value: z.json() });
export type ShownArgument = z.infer<typeof shownArgumentSchema>;

/** One command of a line, or one construct that is judged by itself. Offsets are UTF-16, half open. */
const shownPartSchema = z.strictObject({
  ...shellFactsSchema.shape,
  start: z.int(),
  end: z.int(),
  program: z.string().nullable(),
  reasons: z.array(reasonSchema.extend({ start: z.int(), end: z.int() })),
});

/** A command line with its verdict: tier and class as the plan holds them, and the reasons for each part. */
const shownLineSchema = z.strictObject({
  ...expandedLineSchema.pick({ argument: true, shell: true, tier: true, class: true }).shape,
  command: z.string(),
  parts: z.array(shownPartSchema),
});
export type ShownLine = z.infer<typeof shownLineSchema>;

/** Paths that make a call graver than its tool, and why. */
const shownPathsSchema = z.strictObject({ ...pathFactsSchema.shape, reasons: z.array(reasonSchema) });
export type ShownPaths = z.infer<typeof shownPathsSchema>;

/** One side of a group of calls: the action of each, or the action that undoes it. */
const shownSideSchema = z.strictObject({
  tool: z.strictObject({
    name: z.string(),
    version: z.int(),
    /** The destination of the call. */
    executor: z.string(),
    /** As the registry classifies the tool, or as its command line is judged; `unknown` if the registry no longer says. */
    risk: z.string(),
    effect: z.string(),
    idempotent: z.boolean(),
  }),
  /** The command line that every call executes; null if the tool takes none. */
  shell: shownLineSchema.nullable(),
  /** The verdict on the paths that every call names; null if they are ordinary, or the tool names none. */
  paths: shownPathsSchema.nullable(),
  /** The other arguments that are the same in every call. */
  arguments: z.array(shownArgumentSchema),
  /** Names of arguments that hold exactly the call's targets. */
  targets_as: z.array(z.string()),
});
export type ShownSide = z.infer<typeof shownSideSchema>;

const shownCallSchema = z.strictObject({
  seq: z.int(),
  batch: z.int(),
  targets: z.array(z.string()),
  /** The arguments in which it differs from the others of its group. */
  arguments: z.array(shownArgumentSchema),
  /** The targets of its undo, if they are not those of the call; else null. */
  undo_targets: z.array(z.string()).nullable(),
  undo_arguments: z.array(shownArgumentSchema),
});

/** Calls of one step that differ in nothing but the content of `calls`. */
const shownStepSchema = z.strictObject({
  step_id: z.string(),
  on_failure: z.enum(['pause', 'rollback', 'retry']),
  call: shownSideSchema,
  /** The call that undoes each; null if nothing does. */
  undo: shownSideSchema.nullable(),
  /** One call for the environment, for each batch, for each target; or as `calls` lists them. */
  spread: z.enum(['environment', 'batch', 'target', 'listed']),
  calls: z.array(shownCallSchema),
});
export type ShownStep = z.infer<typeof shownStepSchema>;

const shownHealthCheckSchema = z.strictObject({
  name: z.string(),
  /** `targets_as` names arguments that hold the targets of the batch. */
  call: shownSideSchema,
  checks: z.array(
    z.strictObject({ batch: z.int(), targets: z.array(z.string()), arguments: z.array(shownArgumentSchema) }),
  ),
});

const shownPhaseSchema = z.strictObject({
  number: z.int(),
  name: z.string(),
  canary: z.boolean(),
  batches: z.array(z.strictObject({ number: z.int(), targets: z.array(z.string()) })),
  steps: z.array(shownStepSchema),
  /** The pause after each batch, before its health checks. */
  wait_seconds: z.int(),
  health_checks: z.array(shownHealthCheckSchema),
  rollback_if: z.string().nullable(),
});
export type ShownPhase = z.infer<typeof shownPhaseSchema>;

/** The actions of a plan, for people: from the expanded plan and the registry, never from a submitter's words. */
export const planDescriptionSchema = z.strictObject({
  /** The actions in one line. */
  headline: z.string(),
  /** The level of its riskiest tool. */
  risk: z.enum(TOOL_LEVELS),
  revision: z.int(),
  environment: z.string(),
  /** Distinct. */
  targets: z.array(z.string()),
  phases: z.array(shownPhaseSchema),
});
export type PlanDescription = z.infer<typeof planDescriptionSchema>;

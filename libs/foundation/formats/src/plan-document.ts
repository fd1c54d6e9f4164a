import { z } from 'zod';
import { agentWordsOf, agentWordsSchema } from './agent-words.js';
import { slugSchema } from './primitives.js';
import { conditionTextSchema, targetSchema } from './task-spec.js';

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
        'pause: a person decides; rollback: the calls so far are undone; retry: the call is tried again, if its tool is idempotent.',
    }),
    compensate_with: compensationSchema.optional(),
  })
  .meta({ id: 'PlanStep' });

const healthCheckSchema = z
  .strictObject({
    name: slugSchema.meta({ description: 'Its name in rollback_if: `web` in `web.error_rate`.' }),
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
    summary: agentWordsSchema(
      4_000,
      null,
      "The agent's own words; approvers see them marked as such, below the calls.",
    ).optional(),
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

/** The agent's own words in a plan. */
export const planWords = agentWordsOf(planDocumentSchema);

import { z } from 'zod';
import { slugSchema } from './primitives.js';

/** The name of one thing that can be changed: a host, an alert, a cluster. */
export const targetSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/,
    'must start with a letter or digit and hold only letters, digits and . _ : / @ -',
  );

/**
 * A condition over named metrics, `web.error_rate > 0.05 or web.unhealthy >= 1`. Its grammar is parsed by libs/stages/plan; this
 * is only the outer bound.
 */
export const conditionTextSchema = z.string().min(3).max(500);

const taskConstraintsSchema = z
  .strictObject({
    canary_required: z
      .boolean()
      .optional()
      .meta({ description: 'The plan begins with a canary phase, also outside production.' }),
    max_batch_percent: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The largest batch, in percent of the distinct targets.' }),
    rollback_trigger: conditionTextSchema
      .optional()
      .meta({ description: 'A condition like rollback_if, joined with that of every phase.' }),
  })
  .meta({ id: 'TaskConstraints', description: "Limits the task sets itself. They only tighten the tenant's." });

export const taskSpecSchema = z
  .strictObject({
    goal: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .meta({ description: "The agent's own words; approvers see them marked as such." }),
    task_type: slugSchema.meta({ description: 'The kind of work, for lists and reports: drift_remediation.' }),
    environment: slugSchema.meta({ description: 'The one environment that it is about.' }),
    scope: z
      .strictObject({
        targets: z
          .array(targetSchema)
          .max(5_000)
          .optional()
          .meta({ description: 'Its plans may change these targets and no others.' }),
        description: z.string().max(2_000).optional().meta({ description: 'The scope in words.' }),
      })
      .optional()
      .meta({ description: 'How far the task reaches.' }),
    timeout_minutes: z
      .number()
      .int()
      .min(1)
      .max(10_080)
      .default(60)
      .meta({ description: 'How long an approval request of this task stays open.' }),
    constraints: taskConstraintsSchema.optional(),
    agent: z
      .strictObject({
        model: z.string().min(1).max(200).meta({ description: 'As its maker calls it.' }),
        version: z.string().min(1).max(200).meta({ description: 'Of the model or of the agent.' }),
      })
      .optional()
      .meta({ description: 'The model behind the agent, as it says; recorded, never believed.' }),
  })
  .meta({
    id: 'TaskSpec',
    description:
      'The goal of an agent, and its limits. `timeout_minutes` bounds how long an approval request of this task stays open.',
  });
export type TaskSpec = z.infer<typeof taskSpecSchema>;

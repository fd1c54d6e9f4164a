import { z } from 'zod';
import { pageOf, pageQuerySchema, slugSchema, submitterSchema, timestampSchema, uuidSchema } from './common.js';
import { explanationSchema } from './decision.js';
import { headlineShape } from './plan-description.js';
import { workFilterShape } from './work-filter.js';

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
    task_type: slugSchema.meta({ description: 'What kind of work it is, for lists and reports: drift_remediation.' }),
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
    description: 'What an agent wants. `timeout_minutes` bounds how long an approval request of this task stays open.',
  });
export type TaskSpec = z.infer<typeof taskSpecSchema>;

export const TASK_STATES = ['created', 'planned', 'executing', 'completed', 'failed', 'cancelled'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A task as the API shows it. */
export const taskSchema = z
  .object({
    id: uuidSchema,
    state: z.enum(TASK_STATES),
    spec: taskSpecSchema,
    digest: z.string().meta({ description: 'Of the spec; bound by every approval.' }),
    headline: headlineShape.headline.meta({
      description: 'What its latest plan does; null before there is a valid one.',
    }),
    plan_risk: headlineShape.plan_risk,
    submitted_by: submitterSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Task' });
export type TaskView = z.infer<typeof taskSchema>;

/** A task, and why it is where it is. */
export const explainedTaskSchema = taskSchema
  .extend({
    explanation: explanationSchema
      .nullable()
      .meta({ description: 'The latest decision about the task; null before there is one.' }),
  })
  .meta({ id: 'ExplainedTask' });
export type ExplainedTaskView = z.infer<typeof explainedTaskSchema>;

export const taskPageSchema = pageOf(taskSchema).meta({ id: 'TaskPage' });

export const taskQuerySchema = pageQuerySchema.extend({
  ...workFilterShape,
  state: z.enum(TASK_STATES).optional(),
});
export type TaskListQuery = z.infer<typeof taskQuerySchema>;

import { z } from 'zod';
import { TASK_STATES, taskSpecSchema, timestampSchema, uuidSchema } from '#lib/formats';
import { pageOf, pageQuerySchema, submitterSchema } from './shared-schemas.js';
import { explanationSchema } from './decision.js';
import { headlineShape } from './plan-description.js';
import { workFilterShape } from './work-filter.js';

/** A task as the API shows it. */
export const taskSchema = z
  .object({
    id: uuidSchema,
    state: z.enum(TASK_STATES),
    spec: taskSpecSchema,
    digest: z.string().meta({ description: 'Of the spec; bound by every approval.' }),
    headline: headlineShape.headline.meta({
      description: 'Its latest plan in one line; null before there is a valid one.',
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

import { z } from 'zod';
import {
  digestSchema,
  expandedPlanSchema,
  PLAN_STATES,
  PLAN_STATUSES,
  planDocumentSchema,
  timestampSchema,
  uuidSchema,
} from '#lib/formats';
import { pageOf, pageQuerySchema, submitterSchema } from './shared-schemas.js';
import { explanationSchema } from './decision.js';
import { agentWordsAnswer, headlineShape, planDescriptionSchema } from './plan-description.js';
import { problemSchema } from './problem.js';
import { workFilterShape } from './work-filter.js';

const planRecord = {
  id: uuidSchema,
  task_id: uuidSchema,
  revision: z.int().min(1),
  state: z.enum(PLAN_STATES).meta({ description: 'Of the revision itself.' }),
  status: z.enum(PLAN_STATUSES).meta({ description: 'Its status, from simulation, approval, run and the clock.' }),
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
    words: agentWordsAnswer,
    expanded: expandedPlanSchema.nullable().meta({ description: 'The batches and calls that would be executed.' }),
    description: planDescriptionSchema
      .nullable()
      .meta({ description: 'The calls, as people are shown them; null if it could not be expanded.' }),
    errors: problemSchema.shape.errors.unwrap().meta({ description: 'Its errors, by step.' }),
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
    pointer: z
      .string()
      .meta({ description: 'Of a removed value into the revision before, else into the revision after.' }),
    kind: z.enum(['added', 'removed', 'changed']),
    before: z.json().optional(),
    after: z.json().optional(),
  })
  .meta({ id: 'ValueChange' });

/** The differences between two revisions, both as written and as they would be executed. */
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

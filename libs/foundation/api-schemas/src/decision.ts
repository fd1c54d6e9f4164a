import { z } from 'zod';
import { timestampSchema, uuidSchema, decisionSchema } from '#lib/formats';
import { pageOf, pageQuerySchema, subjectRefSchema } from './shared-schemas.js';

/** A recorded decision: `input` is masked, `input_digest` is of the input as evaluated. */
export const loggedDecisionSchema = z
  .object({
    id: uuidSchema,
    entrypoint: z.string(),
    bundle_revision: z.string(),
    input: z.json(),
    input_digest: z.string(),
    decision: decisionSchema,
    decided_at: timestampSchema,
    subject: subjectRefSchema,
    within: z.array(subjectRefSchema).meta({ description: 'The things it was taken in, outermost first.' }),
  })
  .meta({ id: 'LoggedDecision' });

export const loggedDecisionPageSchema = pageOf(loggedDecisionSchema).meta({ id: 'LoggedDecisionPage' });

export const decisionQuerySchema = pageQuerySchema.extend({
  task_id: uuidSchema.optional(),
  plan_id: uuidSchema.optional(),
  request_id: uuidSchema.optional(),
  run_id: uuidSchema.optional(),
});

/** A decision as OPA logs its own, for tools that read those (openpolicyagent.org, "Decision Logs"). */
const opaDecisionSchema = z
  .object({
    labels: z.record(z.string(), z.string()).meta({ description: 'The tenant, and the subject of the decision.' }),
    decision_id: uuidSchema,
    bundles: z.record(z.string(), z.object({ revision: z.string() })),
    path: z.string().meta({ examples: ['countersign/plan/decision'] }),
    input: z.unknown(),
    result: decisionSchema,
    timestamp: timestampSchema,
  })
  .meta({ id: 'OpaDecision' });
export type OpaDecision = z.infer<typeof opaDecisionSchema>;

export const opaDecisionPageSchema = pageOf(opaDecisionSchema).meta({ id: 'OpaDecisionPage' });

/** The revision of the autonomy document that holds a mode, and the path in it. */
export const autonomyLineSchema = z
  .object({ revision: z.int().min(1), line: z.int().min(1), column: z.int().min(1) })
  .meta({ id: 'AutonomyLine' });
export type AutonomyLine = z.infer<typeof autonomyLineSchema>;

/** The reason for a setting: the decision, its reasons, and the autonomy line that it comes from. */
export const explanationSchema = z
  .object({
    decision_id: uuidSchema,
    decision: decisionSchema,
    bundle_revision: z.string(),
    decided_at: timestampSchema,
    autonomy_line: autonomyLineSchema.nullable().meta({
      description: 'The path of the mode of the decision, in the revision then in force; null for the default.',
    }),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof explanationSchema>;

import { z } from 'zod';
import { environmentNameSchema, timestampSchema, toolNameSchema, decisionSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { pageOf } from './shared-schemas.js';

/** JSON Schema 2020-12. */

const positionSchema = z.object({
  line: z.int().meta({ description: '1-based.' }),
  column: z.int().meta({ description: '1-based.' }),
});

/** One cell of the matrix: the decision that a plan with this one tool would get in this environment. */
const autonomyCellSchema = z
  .object({
    tool: z.string(),
    tool_version: z.int(),
    risk: z.string(),
    level: z.string(),
    environment: z.string(),
    production: z.boolean(),
    decision: decisionSchema,
    source: positionSchema
      .nullable()
      .meta({ description: 'The path in the document of the mode in force; null without a document.' }),
  })
  .meta({ id: 'AutonomyCell' });
export type AutonomyCell = z.infer<typeof autonomyCellSchema>;

/** A freeze as the document in force has it. */
const freezeViewSchema = z
  .object({
    name: z.string(),
    time_zone: z.string(),
    environments: z.array(z.string()).nullable().meta({ description: 'Null: all.' }),
    tools: z.array(z.string()).nullable().meta({ description: 'Null: every tool that changes state.' }),
    may_pass: z.array(z.string()),
    active: z.boolean(),
    from: timestampSchema
      .nullable()
      .meta({ description: 'Of the stretch in force, else of the next; null: none to come.' }),
    until: timestampSchema.nullable(),
    source: positionSchema.nullable(),
  })
  .meta({ id: 'FreezeView' });
export type FreezeView = z.infer<typeof freezeViewSchema>;

export const autonomyMatrixSchema = z
  .object({
    freezes: z
      .array(freezeViewSchema)
      .meta({ description: 'When nothing that changes state starts, even if a cell allows it.' }),
    revision: z.int().nullable().meta({ description: 'Null if the tenant has no document.' }),
    bundle_revision: z.string(),
    cells: z.array(autonomyCellSchema),
  })
  .meta({ id: 'AutonomyMatrix' });
export type AutonomyMatrix = z.infer<typeof autonomyMatrixSchema>;

const cellChangeSchema = z.object({
  tool: z.string(),
  environment: z.string(),
  change: z.enum(['loosens', 'tightens', 'mixed']),
  what: z.array(z.string()).meta({ description: 'In words.' }),
  before: decisionSchema,
  after: decisionSchema,
});
export type AutonomyCellChange = z.infer<typeof cellChangeSchema>;

const warningSchema = z.object({
  pointer: z.string(),
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
  suggestion: z.string().optional(),
});

/** The answer to a PUT: the changes that the document would make, or has made. */
export const autonomyChangeSchema = z
  .object({
    dry_run: z.boolean(),
    changed: z.boolean().meta({ description: 'False if these bytes are in force already.' }),
    revision: z.int().nullable().meta({ description: 'The new revision; null in a dry run.' }),
    diff: z.string().meta({ description: 'Unified, against the revision in force.' }),
    cells: z.array(cellChangeSchema),
    loosens: z.int(),
    tightens: z.int(),
    loosening: z.array(z.string()).meta({
      description:
        'The guardrails that it loosens, in words. If it loosens any, it waits for a second person, if there is one.',
    }),
    warnings: z.array(warningSchema),
    ...appliedAloneShape,
  })
  .meta({ id: 'AutonomyChange' });
export type AutonomyChange = z.infer<typeof autonomyChangeSchema>;

const autonomyRevisionSummarySchema = z
  .object({
    id: z.string(),
    number: z.int(),
    digest: z.string(),
    created_at: z.string(),
    created_by: z.object({ id: z.string(), display_name: z.string() }),
    in_force: z.boolean(),
  })
  .meta({ id: 'AutonomyRevisionSummary' });
export type AutonomyRevisionSummary = z.infer<typeof autonomyRevisionSummarySchema>;

export const autonomyRevisionSchema = autonomyRevisionSummarySchema
  .extend({
    source: z.string(),
    diff: z.string().meta({ description: 'Unified, against the revision before it.' }),
    etag: z
      .string()
      .meta({ description: 'The ETag of the source, for the If-Match of the document that replaces it.' }),
  })
  .meta({ id: 'AutonomyRevision' });
export type AutonomyRevisionView = z.infer<typeof autonomyRevisionSchema>;

export const autonomyRevisionPageSchema = pageOf(autonomyRevisionSummarySchema).meta({ id: 'AutonomyRevisionPage' });

export const revisionNumberSchema = z.coerce.number().int().min(1).max(2_147_483_647);

export const matrixQuerySchema = z.strictObject({
  tool: toolNameSchema.optional().meta({ description: 'Only this tool.' }),
  environment: environmentNameSchema.optional().meta({ description: 'Only this environment.' }),
});
export type MatrixQuery = z.infer<typeof matrixQuerySchema>;

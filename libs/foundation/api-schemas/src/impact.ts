import { z } from 'zod';
import { AUTONOMY_MODES, timestampSchema, uuidSchema, outcomeSchema } from '#lib/formats';
import { pageOf } from './shared-schemas.js';
import { configurationSchema } from './configuration.js';

const thingSchema = z.object({ type: z.string(), id: z.string() });

const exampleSchema = z.object({
  decision_id: uuidSchema,
  decided_at: timestampSchema,
  subject: thingSchema,
  within: z.array(thingSchema).meta({ description: 'The things it was taken in, outermost first.' }),
  page: z
    .object({ name: z.string(), path: z.string() })
    .meta({ description: 'The page that shows it, as a path of the address of Countersign in a browser.' }),
});

const changeSchema = z.enum(['loosens', 'tightens', 'mixed']);

const ruleSchema = z.object({
  rule: z.string(),
  code: z.string().meta({ description: 'The code of the reason that it gives.' }),
});

const askingSchema = z.object({
  rule: z.string(),
  asks: z.enum(['approvals', 'mfa', 'phases', 'valid_minutes', 'confirm_word', 'audit_level']),
});

const groupSchema = z
  .object({
    entrypoint: z.string().meta({ description: 'The gate: tool_call, plan, run_step and so on.' }),
    stage: z.string().nullable().meta({ description: 'Of a plan, the stage at which it was decided.' }),
    environment: z.string().nullable(),
    tools: z.array(z.string()),
    agent: z
      .object({ id: uuidSchema, name: z.string() })
      .nullable()
      .meta({ description: 'The agent that asked, or that owns the plan, session or automation; null if none.' }),
    from: outcomeSchema.meta({ description: 'As it comes out today, without the change.' }),
    to: outcomeSchema.meta({ description: 'As it would come out with the change.' }),
    change: changeSchema,
    what: z.array(z.string()).meta({ description: 'In words, the parts that differ; the outcome first, if it does.' }),
    rules_come: z.array(ruleSchema).meta({ description: 'Rules that give a reason only with the change.' }),
    rules_go: z.array(ruleSchema).meta({ description: 'Rules that give a reason only without it.' }),
    rules_otherwise: z.array(askingSchema).meta({
      description: 'Rules that ask for something else with the change: other approvals, another time limit and so on.',
    }),
    count: z.int().meta({ description: 'Of the decisions looked at.' }),
    estimate: z.int().meta({ description: 'Of the whole period, as the sample says; without a sample, count.' }),
    examples: z.array(exampleSchema).meta({ description: 'Up to five of them, the oldest first.' }),
  })
  .meta({ id: 'ImpactGroup' });

const partSchema = z
  .object({
    name: z.string(),
    changed: z.int(),
    looser: z.int(),
    changed_estimate: z.int(),
    looser_estimate: z.int(),
  })
  .meta({ description: 'Counts are of the decisions looked at, estimates of the whole period.' });

const resultsSchema = z.object({
  untouched: z.int().meta({ description: 'The change moves nothing that they were taken from.' }),
  same: z.int(),
  changed: z.int(),
  looser: z.int().meta({ description: 'Of the changed ones, those that let something pass that was held back.' }),
  not_put: z.int(),
  otherwise_today: z.int().meta({
    description: 'Of those put again, those that come out otherwise than recorded even without the change.',
  }),
  ungrouped: z
    .int()
    .meta({ description: 'Changed decisions of the kinds of differences beyond the 500 that are listed.' }),
  ungrouped_looser: z.int().meta({ description: 'Of these, the looser ones.' }),
  uncounted: z.int().meta({
    description:
      'Of the ungrouped ones, those of kinds that the report does not keep, and by does not count. The report keeps the first 2,000 kinds that only tighten, and the first 2,000 others.',
  }),
  uncounted_looser: z.int().meta({ description: 'Of these, the looser ones.' }),
});

const impactCellSchema = z
  .object({
    environment: z.string(),
    tool: z.string(),
    mode: z.enum(AUTONOMY_MODES),
    in_force: z.boolean().meta({
      description:
        'Whether the environment has this mode after the change; else the cell says how it would be in this mode.',
    }),
    from: outcomeSchema,
    to: outcomeSchema,
    gains: z.array(z.enum(['looser', 'never_satisfiable', 'always_allowed'])),
    what: z.array(z.string()),
  })
  .meta({ id: 'ImpactCell' });

export const impactCellPageSchema = pageOf(impactCellSchema).meta({ id: 'ImpactCellPage' });

/** The decisions of some days, taken again as if a change had been in force. */
export const impactReportSchema = z
  .object({
    id: uuidSchema,
    change_id: uuidSchema.nullable().meta({ description: 'The change request it is about, if it is about one.' }),
    phase: z.enum(['waiting', 'working', 'outdated', 'done', 'cancelled', 'failed']).meta({
      description: 'outdated: settings have moved since it was worked out, and it is about to be made anew.',
    }),
    outdated: z.boolean().meta({
      description: 'Whether settings or policies have moved since it was worked out, so that it may not hold.',
    }),
    renewals: z.int().meta({ description: 'How often it was begun anew for that reason, or given up.' }),
    failure: z
      .object({ code: z.string(), message: z.string(), action: z.string() })
      .nullable()
      .meta({ description: 'The reason why it was given up.' }),
    summary: z.string().meta({ description: 'The result in one line; empty until it is done.' }),
    since: timestampSchema,
    until: timestampSchema,
    created_at: timestampSchema,
    finished_at: timestampSchema.nullable(),
    bundle_revision: z.string().nullable().meta({ description: 'The policies that took the decisions again.' }),
    looser: z.boolean().meta({
      description:
        'Whether anything that was held back would pass. It may be in the past, in a cell that is in force or beyond the cells.',
    }),
    progress: z.object({
      looked: z.int().meta({ description: 'Decisions looked at so far.' }),
      to_look_at: z.int(),
    }),
    sample: z
      .array(z.object({ entrypoint: z.string(), outcome: z.string(), total: z.int(), chosen: z.int() }))
      .nullable()
      .meta({ description: 'The strata of the sample; null if all decisions of the period are looked at.' }),
    months_away: z.array(z.string()).meta({
      description:
        'The months of the period without their decisions in the database, as 2026-01. They are not counted.',
    }),
    decisions: resultsSchema
      .extend({ total: z.int().meta({ description: 'Of the period.' }) })
      .meta({ description: 'Counts of the decisions looked at.' }),
    estimates: resultsSchema.meta({
      description: 'The same of the whole period, as the sample says; without a sample, the counts.',
    }),
    by: z.object({ environment: z.array(partSchema), tool: z.array(partSchema), agent: z.array(partSchema) }).meta({
      description:
        'Changed decisions, also those of kinds that are not listed; the hundred largest of each. A decision about several tools counts for each.',
    }),
    left_out: z.object({ environment: z.int(), tool: z.int(), agent: z.int() }).meta({
      description:
        'How many environments, tools and agents by leaves out, at least. Each has the hundred largest, and kinds that the report does not keep may have more.',
    }),
    group_count: z.int().meta({
      description: 'How many kinds of differences the report keeps: at most 2,000 that only tighten, and 2,000 others.',
    }),
    groups: z.array(groupSchema).meta({ description: 'The 500 largest kinds of differences, the largest first.' }),
    not_put: z.array(
      z.object({
        why: z.enum(['arguments_needed', 'masked', 'altered', 'malformed', 'invalid_input']),
        what: z.string(),
        count: z.int(),
        estimate: z.int(),
        examples: z.array(exampleSchema),
      }),
    ),
    cells: z
      .array(impactCellSchema)
      .meta({ description: 'The first hundred cells. The cells of the report are a list of their own.' }),
    cell_counts: z.object({
      found: z.int().meta({ description: 'Cells that become looser, never satisfiable or always allowed.' }),
      looser: z.int().meta({ description: 'Of those, cells in force that become looser.' }),
    }),
    beyond_cells: z.array(z.string()).meta({
      description: 'In words, the loosening that no cell shows: break-glass, limits, budgets, freezes and escalations.',
    }),
  })
  .meta({ id: 'ImpactReport' });
export type ImpactReportView = z.infer<typeof impactReportSchema>;

export const askImpactSchema = z
  .strictObject({
    configuration: configurationSchema,
    since_days: z.int().min(1).max(365).default(30),
  })
  .meta({ id: 'AskImpact' });
export type AskImpactBody = z.infer<typeof askImpactSchema>;

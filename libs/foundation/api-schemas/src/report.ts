import { z } from 'zod';
import { RUN_PHASES, RUN_STATES, timestampSchema, uuidSchema } from '#lib/formats';
import { pageOf, pageQuerySchema } from './shared-schemas.js';
import { headlineShape } from './plan-description.js';

const period = {
  from: z.iso.datetime().meta({ description: 'Inclusive.' }),
  until: z.iso.datetime().meta({ description: 'Exclusive; a moment to come counts as now.' }),
};

export const periodQuerySchema = z.strictObject(period);

export const periodReportQuerySchema = pageQuerySchema.extend({
  ...period,
  format: z
    .enum(['json', 'csv'])
    .optional()
    .meta({ description: 'csv is the same as "Accept: text/csv": every row, in one stream.' }),
});
export type PeriodReportQuery = z.infer<typeof periodReportQuerySchema>;

export const CHANGE_EXCEPTIONS = [
  'break_glass',
  'without_approval',
  'rolled_back',
  'failed',
  'unknown_effect',
  'voided_approval',
] as const;
export type ChangeException = (typeof CHANGE_EXCEPTIONS)[number];

const productionChangeSchema = z
  .object({
    run_id: uuidSchema,
    plan_id: uuidSchema,
    task_id: uuidSchema,
    occurred_at: timestampSchema,
    started_at: timestampSchema.nullable(),
    finished_at: timestampSchema.nullable(),
    environment: z.string(),
    state: z.enum(RUN_STATES),
    scope: z.enum(RUN_PHASES),
    exceptions: z.array(z.enum(CHANGE_EXCEPTIONS)),
    tools: z.array(z.string()),
    targets: z.int(),
    changing_calls: z.int().meta({ description: 'Calls that change something and were made.' }),
    requester: z.object({ kind: z.enum(['agent', 'person']), id: uuidSchema, name: z.string() }),
    on_behalf_of: z.string().nullable().meta({ description: 'The person’s name.' }),
    approvers: z.array(z.object({ id: uuidSchema, name: z.string(), at: timestampSchema })),
    approval_request_id: uuidSchema.nullable(),
    incident_id: uuidSchema.nullable().meta({ description: 'The incident, if it was begun by break-glass.' }),
    plan_digest: z.string(),
    headline: headlineShape.headline,
    goal: z.string().meta({ description: 'In the requester’s own words.' }),
  })
  .meta({ id: 'ProductionChange' });
export type ProductionChangeView = z.infer<typeof productionChangeSchema>;

export const productionChangeReportSchema = pageOf(productionChangeSchema)
  .extend({
    from: timestampSchema,
    until: timestampSchema.meta({ description: 'As it counts: never later than the moment of asking.' }),
    totals: z
      .object({
        runs: z.int().meta({ description: 'ordinary and exceptional, and the sum of by_state.' }),
        ordinary: z.int(),
        exceptional: z.int().meta({ description: 'Runs with at least one exception.' }),
        changing_calls: z.int(),
        by_state: z.array(z.object({ state: z.enum(RUN_STATES), runs: z.int() })),
        by_exception: z
          .array(z.object({ exception: z.enum(CHANGE_EXCEPTIONS), runs: z.int() }))
          .meta({ description: 'A run may have several.' }),
      })
      .meta({ description: 'Of the whole period, not of this page.' }),
  })
  .meta({ id: 'ProductionChangeReport' });
export type ProductionChangeReportView = z.infer<typeof productionChangeReportSchema>;

/** One line of the packs of a period: a pack, or why there is none. */
export const periodPackLineSchema = z.looseObject({ format: z.string() }).meta({ id: 'PeriodPackLine' });

export const overviewQuerySchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(14).meta({ description: 'Days in UTC, today among them.' }),
});

const day = z.iso.date();

export const overviewSchema = z
  .object({
    waiting: z.object({
      approvals: z.int().meta({ description: 'Requests that wait for reviews.' }),
      next_expiry: timestampSchema.nullable(),
      starts: z.int().meta({ description: 'Approved, and not started yet.' }),
      unknown_effects: z.int().meta({ description: 'Calls with an effect that a person has to find out.' }),
      paused_runs: z.int(),
    }),
    running: z.object({
      total: z.int(),
      runs: z
        .array(
          z.object({
            id: uuidSchema,
            state: z.enum(RUN_STATES),
            environment: z.string(),
            production: z.boolean(),
            created_at: timestampSchema,
            headline: headlineShape.headline,
            goal: z.string().meta({ description: 'In the requester’s own words.' }),
          }),
        )
        .meta({ description: 'The newest ten.' }),
    }),
    active_halts: z.int(),
    incidents: z.object({
      open: z.int().meta({ description: 'Not resolved yet.' }),
      overdue: z.int().meta({ description: 'Those with a review that is due and was not given.' }),
    }),
    approval_times: z.array(
      z.object({
        day,
        approved: z.int(),
        p50_seconds: z.number().nullable().meta({ description: 'Time to approval; null without one.' }),
        p90_seconds: z.number().nullable(),
      }),
    ),
    decisions: z.array(z.object({ day, allow: z.int(), require_approval: z.int(), deny: z.int() })),
    months_away: z.array(z.string()).meta({
      description:
        'The months of these days whose decisions are not in the database, as 2026-01. They are not counted.',
    }),
  })
  .meta({ id: 'Overview' });
export type OverviewView = z.infer<typeof overviewSchema>;

import type { PlanState } from '#lib/formats';

/**
 * The lifecycle of a plan revision; migrations/0110_plan.sql holds the same rows.
 *
 *   draft ──refuse──▶ invalid
 *     └──validate──▶ validated ──supersede──▶ superseded
 *                        └──withdraw──▶ withdrawn
 */
export const PLAN_TRANSITIONS = [
  { from: '', event: 'submit', to: 'draft' },
  { from: 'draft', event: 'refuse', to: 'invalid' },
  { from: 'draft', event: 'validate', to: 'validated' },
  { from: 'validated', event: 'supersede', to: 'superseded' },
  { from: 'validated', event: 'withdraw', to: 'withdrawn' },
] as const satisfies readonly { from: PlanState | ''; event: string; to: PlanState }[];

/** The states of a revision that was live. */
export type RetiredState = Extract<(typeof PLAN_TRANSITIONS)[number], { readonly from: 'validated' }>['to'];

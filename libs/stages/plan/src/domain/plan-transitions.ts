import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
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

/** The events of a revision after its submission. */
export type PlanEvent = Exclude<(typeof PLAN_TRANSITIONS)[number]['event'], 'submit'>;

/** The state after `event`, or `plan.illegal_transition`. */
export function nextPlanState(state: PlanState, event: PlanEvent): Result<PlanState> {
  const row = PLAN_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  return row === undefined ? err(illegalTransition(state, event)) : ok(row.to);
}

const PARTICIPLES: Readonly<Record<PlanEvent, string>> = {
  refuse: 'refused',
  validate: 'validated',
  supersede: 'superseded',
  withdraw: 'withdrawn',
};

const illegalTransition = (state: PlanState, event: PlanEvent): Failure => ({
  kind: 'conflict',
  code: 'plan.illegal_transition',
  message: `A plan that is ${stateInWords(state)} cannot be ${PARTICIPLES[event]}.`,
  action: 'Read the plan again and decide from the state it is in now.',
  details: { state, event },
});

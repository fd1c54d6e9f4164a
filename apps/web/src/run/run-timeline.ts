import type { RunDetailView } from '#lib/api-schemas';
import type { ExpandedPlan } from '#lib/formats';

export type Step = RunDetailView['steps'][number];
export type Health = RunDetailView['health'][number];

export interface BatchProgress {
  readonly index: number;
  /** One word for the whole batch: the worst, or the furthest, of its steps. */
  readonly state: string;
  readonly targets: readonly string[];
  readonly calls: readonly Step[];
  readonly checks: readonly Step[];
  /** The last evaluation of its health. */
  readonly health: Health | null;
}

export interface PhaseProgress {
  readonly index: number;
  readonly name: string;
  readonly canary: boolean;
  readonly rollbackIf: string | null;
  readonly batches: readonly BatchProgress[];
}

/** The steps that a person has to look at come first. */
const TELLING = [
  'unknown',
  'compensation_failed',
  'failed',
  'compensating',
  'dispatched',
  'compensated',
  'pending',
  'succeeded',
] as const;

/** One word for several steps: `pending` if none has begun, `running` if some have. */
export function stateOf(states: readonly string[]): string {
  const first = TELLING.find((state) => states.includes(state)) ?? 'pending';
  if (first === 'dispatched') return 'running';
  return first === 'pending' && states.includes('succeeded') ? 'running' : first;
}

const isCheck = ({ kind }: Step): boolean => kind === 'health_check';

const NOTHING_MORE_BEGINS: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'cancelled',
  'rolling_back',
  'rolled_back',
  'rollback_failed',
]);

type Standing = Pick<RunDetailView, 'state' | 'wait_until'>;

/** The state of a batch as its run lets it stand. Nothing is running in a paused run, nor in one that waits. */
function shownState(state: string, steps: readonly Step[], { state: run, wait_until: until }: Standing): string {
  if (state === 'pending' && NOTHING_MORE_BEGINS.has(run)) return 'not_started';
  if (state !== 'running') return state;
  if (run === 'paused') return 'paused';
  const called = steps.every((step) => step.state === (isCheck(step) ? 'pending' : 'succeeded'));
  return until !== null && called ? 'waiting' : state;
}

/** How far a run has come: calls that are done, of all that it makes. */
export function progressOf(steps: readonly Step[]): {
  readonly done: number;
  readonly of: number;
  readonly percent: number;
} {
  const calls = steps.filter((step) => !isCheck(step));
  const done = calls.filter(({ state }) => state === 'succeeded').length;
  return { done, of: calls.length, percent: calls.length === 0 ? 0 : Math.floor((100 * done) / calls.length) };
}

/** A run as phases of batches, in the order in which they are executed. */
export function timelineOf(
  run: Pick<RunDetailView, 'steps' | 'health' | 'state' | 'wait_until'>,
  plan: ExpandedPlan,
): PhaseProgress[] {
  return plan.phases
    .map((phase) => ({
      index: phase.index,
      name: phase.name,
      canary: phase.canary,
      rollbackIf: phase.rollback_if,
      batches: phase.batches
        .map((batch): BatchProgress => {
          const here = ({ phase_index, batch_index }: { phase_index: number; batch_index: number }): boolean =>
            phase_index === phase.index && batch_index === batch.index;
          const steps = run.steps.filter(here);
          const round = Math.max(0, ...steps.filter(isCheck).map(({ health_round: each }) => each));
          // A check that was made again counts as it came out the last time.
          const telling = steps.filter((step) => !isCheck(step) || (round > 0 && step.health_round === round));
          const state = stateOf(telling.map((step) => step.state));
          return {
            index: batch.index,
            state: shownState(state, telling, run),
            targets: batch.targets,
            calls: steps.filter(({ kind }) => kind === 'call'),
            checks: steps.filter(isCheck),
            health: run.health.findLast(here) ?? null,
          };
        })
        // A run of the canary only, or of the rest, has no steps in the other phases.
        .filter(({ calls, checks }) => calls.length + checks.length > 0),
    }))
    .filter(({ batches }) => batches.length > 0);
}

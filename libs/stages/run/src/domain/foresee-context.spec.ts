import { call, dispatchedStep, phase, planOf, succeededStep } from './fake-run-plan.js';
import { foreseeContext, type SentFrom } from './foresee-context.js';
import type { ActiveRun } from './run.js';
import type { RunStep } from './run-step.js';
import { UNTOUCHED } from './step-changes.js';

const NOW = 5_000;
const ERROR = { code: 'tool.broken', message: 'broken' };
const SUCCEEDED = { kind: 'succeeded' } as const;
const FAILED = { kind: 'failed', error: ERROR } as const;
const UNKNOWN = { kind: 'unknown', error: ERROR } as const;

const run = (state: ActiveRun['state'] = 'executing', pauseBy: number | null = 9_000): ActiveRun =>
  // The other members say nothing about the next action.
  ({ state, phases: 'all', requested: null, rollbackReason: null, reason: null, startAt: null, pauseBy }) as ActiveRun;

const first = dispatchedStep({ position: 1, seq: 1 });
const last = dispatchedStep({ position: 2, seq: 2 });
const alone = dispatchedStep({ position: 4, seq: 3, phaseIndex: 1 });
const later = dispatchedStep({ position: 5, seq: 4, phaseIndex: 1, batchIndex: 1 });
const check = dispatchedStep({ position: 3, seq: 0, kind: 'health_check', healthRound: 1 });
const done = (step: RunStep): RunStep => succeededStep({ ...step });
const pending = (step: RunStep): RunStep => ({ ...succeededStep({ ...step }), ...UNTOUCHED });

interface Batch {
  readonly waitSeconds?: number;
  readonly checks?: readonly string[];
}

/** A call of a batch of two. */
const sent = (
  more: Partial<SentFrom> & Pick<SentFrom, 'step'>,
  { waitSeconds = 0, checks = [] }: Batch = {},
): SentFrom => ({
  run: run(),
  plan: planOf(
    phase(0, [{ calls: [call(1, ['a']), call(2, ['b'])], checks }], { wait_seconds: waitSeconds }),
    phase(1, [{ calls: [call(3, ['c'])] }, { calls: [call(4, ['d']), call(5, ['e'])] }], { wait_seconds: waitSeconds }),
  ),
  steps: [more.step],
  ...more,
});

const undone = { ...last, state: 'compensating', compensations: 1, finishedAt: 1 } as const;
const undoing = sent({ run: run('rolling_back', null), steps: [undone], step: undone });

describe('the turn after an answer needs the records before the run', () => {
  it.each([
    ['the next call of the batch', sent({ step: first, steps: [first, pending(last)] })],
    ['the next call of the batch, of which the turn before did not know', sent({ step: first }, { waitSeconds: 60 })],
    ['the next call of a later batch', sent({ step: later }, { waitSeconds: 60 })],
    ['a health check without a wait', sent({ step: last }, { checks: ['web'] })],
    [
      'the next health check',
      sent({ step: check, steps: [done(first), done(last), check, pending({ ...check, id: last.id })] }),
    ],
    ['the end of a rollback', undoing],
  ])('for %s', (_which, from) => {
    expect(foreseeContext(from, SUCCEEDED, NOW, 1)).toBe(true);
  });

  it('for a health check if a demonstration leaves nothing of the wait', () => {
    const waits = sent({ step: last }, { waitSeconds: 60, checks: ['web'] });
    expect([0, 1].map((waitScale) => foreseeContext(waits, SUCCEEDED, NOW, waitScale))).toEqual([true, false]);
  });
});

describe('the turn after an answer needs the run alone', () => {
  it.each([
    ['for the wait after a batch', sent({ step: last }, { waitSeconds: 60, checks: ['web'] }), SUCCEEDED],
    ['for the verdict on a batch', sent({ step: last }), SUCCEEDED],
    ['for the verdict on a batch of a later phase', sent({ step: alone }), SUCCEEDED],
    ['for a pause after a failure in a later phase', sent({ step: later }), FAILED],
    ['for the verdict after a health check', sent({ step: check, steps: [done(first), done(last), check] }), SUCCEEDED],
    ['for the end of the time of a run', sent({ step: first, run: run('executing', NOW) }), SUCCEEDED],
    ['for a pause after a failure', sent({ step: first, steps: [first, pending(last)] }), FAILED],
    ['for a pause for an unknown effect', sent({ step: first, steps: [first, pending(last)] }), UNKNOWN],
    [
      'for an undoing call that is tried again later',
      { ...undoing, step: { ...undone, compensationIdempotent: true } },
      FAILED,
    ],
  ])('%s', (_which, from, answer) => {
    expect(foreseeContext(from, answer, NOW, 1)).toBe(false);
  });
});

import { succeededStep } from './fake-run-plan.js';
import type { RunStep, StepError } from './run-step.js';
import { pauseReason, stepFailed, TIME_LIMIT } from './step-reasons.js';

const ERROR: StepError = { code: 'tool.failed', message: 'The disk is full.' };
const stepWith = (error: StepError | null): RunStep => ({ ...succeededStep(), error });
const detailsOf = ({ id }: RunStep, error: StepError | null) => ({
  ...{ run_step_id: id, step_id: 'step 1', kind: 'call', seq: 1, phase_index: 0, batch_index: 0 },
  error,
});

it.each([
  ['run.effect_unknown', 'whether "step 1" happened', 'whether "step 1" happened'],
  ['run.health_check_failed', 'check "step 1" failed: The disk is full.', 'check "step 1" failed: no answer'],
  ['run.step_not_taken', 'did not start: The disk is full.', 'did not start: No executor took it.'],
  ['run.step_failed', 'Step "step 1" failed: The disk is full.', 'Step "step 1" failed.'],
] as const)('the reason %s names the step and its error', (code, withError, without) => {
  for (const [error, said] of [
    [ERROR, withError],
    [null, without],
  ] as const) {
    const step = stepWith(error);
    const reason = pauseReason(code, step);
    expect(reason).toEqual({ code, message: expect.stringContaining(said) as string, details: detailsOf(step, error) });
  }
});

it('a rollback after a failed step has the reason of its pause', () => {
  const step = stepWith(ERROR);
  expect(stepFailed(step)).toEqual(pauseReason('run.step_failed', step));
});

it('a run that took as long as a run may names the limit', () => {
  expect(TIME_LIMIT).toMatchObject({ code: 'run.time_limit', details: { limit_minutes: 10_080 } });
});

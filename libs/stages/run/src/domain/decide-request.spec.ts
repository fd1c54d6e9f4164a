import { RUN_STATES, type RunState } from '#lib/formats';
import { decideRequest } from './decide-request.js';
import { allows, isFinished } from './run-transitions.js';
import type { Run } from './run.js';
import type { RunRequest } from './run-view.js';

const REQUESTS: readonly RunRequest[] = ['pause', 'cancel', 'roll_back'];
const run = (state: RunState, more: { requested?: RunRequest; rollingBack?: boolean } = {}): Run => {
  const rollingBack = more.rollingBack ?? state === 'rolling_back';
  const sketch: Pick<Run, 'state' | 'requested' | 'finishedAt' | 'rollbackReason'> = {
    state,
    requested: more.requested ?? null,
    finishedAt: isFinished(state) ? 1 : null,
    rollbackReason: rollingBack ? { code: 'run.step_failed', message: 'A step failed.' } : null,
  };
  return sketch as Run;
};
const codeOf = (given: Run, request: RunRequest): string | null => {
  const result = decideRequest(given, request);
  return result.ok ? (result.value === null ? null : 'taken') : result.error.code;
};

const cells = RUN_STATES.flatMap((state) => REQUESTS.map((request) => [state, request] as const));

describe('a request to a run', () => {
  it.each(cells)('to a run that is %s: %s', (state, request) => {
    const nothing =
      (request === 'pause' && state === 'paused') || (request === 'roll_back' && state === 'rolling_back');
    const backwards = request === 'cancel' && state === 'rolling_back';
    const refused = isFinished(state) || !allows(state, request) || backwards;
    expect(codeOf(run(state), request)).toBe(nothing ? null : refused ? 'run.wrong_state' : 'taken');
  });

  it('is the run itself if it takes the request', () => {
    const executing = run('executing');
    expect(decideRequest(executing, 'cancel')).toEqual({ ok: true, value: executing });
  });

  it.each<[earlier: RunRequest, RunRequest, string | null]>([
    ['pause', 'pause', null],
    ['pause', 'cancel', 'taken'],
    ['pause', 'roll_back', 'taken'],
    ['cancel', 'pause', 'run.already_requested'],
    ['cancel', 'cancel', null],
    ['cancel', 'roll_back', 'taken'],
    ['roll_back', 'pause', 'run.already_requested'],
    ['roll_back', 'cancel', 'run.already_requested'],
    ['roll_back', 'roll_back', null],
  ])('after %s, %s replaces no stronger one', (requested, request, code) => {
    expect(codeOf(run('executing', { requested }), request)).toBe(code);
  });

  it('to cancel is refused on a paused run that has begun to roll back', () => {
    const pausedBack = run('paused', { rollingBack: true });
    expect(decideRequest(pausedBack, 'cancel')).toMatchObject({
      error: { code: 'run.wrong_state', details: { state: 'paused' }, action: 'Resume it, and let it roll back.' },
    });
    expect(codeOf(run('paused'), 'cancel')).toBe('taken');
  });
});

import { newId, type RunId } from '#lib/kernel';
import type { RunStepId } from '../domain/ids.js';
import type { Resolution } from '../domain/step-changes.js';
import { codeOf, failed, fine, lost, newHost, phase, step, stepIdOf, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

/** A run with one call, which is unknown. */
async function unknown(tool = 'deploy'): Promise<{ readonly runId: RunId; readonly stepId: RunStepId }> {
  world().behave(() => lost);
  const run = await world().queued({ phases: [phase('one', [newHost()], [step('a', { tool })])] });
  expect((await world().settle(run.id)).reason).toMatchObject({ code: 'run.effect_unknown' });
  world().behave(() => fine);
  return { runId: run.id, stepId: await stepIdOf(world(), run.id, 'a') };
}

const resolve = (runId: RunId, stepId: RunStepId, effect: Resolution) =>
  world().parts.resolve.execute(world().person, runId, stepId, { effect, note: 'looked' });

describe('resolving a step', () => {
  it.each([
    ['happened', 'a:succeeded', 'happened'],
    ['did_not', 'a:failed', 'did_not'],
  ] as const)('as %s is written down, and leaves the run paused', async (effect, state, resolvedAs) => {
    const { runId, stepId } = await unknown();
    expect(valueOf(await resolve(runId, stepId, effect))).toMatchObject({
      state: 'paused',
      nextAt: null,
      reason: { code: 'run.effect_resolved' },
    });
    expect(await world().steps(runId)).toEqual([state]);
    const [row] = await world().tx((tx) => world().runs.steps(tx, runId));
    expect(row).toMatchObject({ resolvedAs, unknownOf: null });
    expect((await world().events(runId)).at(-1)).toMatchObject({
      type: 'run.step_resolved',
      actor: { kind: 'person', id: world().person.personId },
      data: { effect, of: 'call', note: 'looked', state: state.slice(2) },
    });
    expect(world().calls).toHaveLength(1);
  });

  it('as to be tried again puts an idempotent call back', async () => {
    const { runId, stepId } = await unknown('restart');
    valueOf(await resolve(runId, stepId, 'retry'));
    expect(await world().steps(runId)).toEqual(['a:pending']);
    valueOf(await world().parts.resume.execute(world().person, runId, null));
    expect((await world().settle(runId)).state).toBe('completed');
    expect(world().calls).toHaveLength(2);
  });

  it('as to be tried again needs a statement first if the call is not', async () => {
    const { runId, stepId } = await unknown();
    expect(codeOf(await resolve(runId, stepId, 'retry'))).toBe('run_step.retry_needs_did_not');
    valueOf(await resolve(runId, stepId, 'did_not'));
    valueOf(await resolve(runId, stepId, 'retry'));
    expect(await world().steps(runId)).toEqual(['a:pending']);
  });

  it('is for steps that are unknown', async () => {
    const { runId, stepId } = await unknown();
    valueOf(await resolve(runId, stepId, 'happened'));
    for (const effect of ['happened', 'did_not'] as const) {
      expect(codeOf(await resolve(runId, stepId, effect))).toBe('run_step.not_unknown');
    }
  });

  it('does not put back a call that failed without anybody’s statement', async () => {
    world().behave(() => failed('done'));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    await world().settle(run.id);
    const stepId = await stepIdOf(world(), run.id, 'a');
    expect(codeOf(await resolve(run.id, stepId, 'retry'))).toBe('run_step.retry_needs_did_not');
  });

  it('is for paused runs, and for steps of the run', async () => {
    const { runId, stepId } = await unknown();
    const other = await unknown();
    expect(codeOf(await resolve(newId<RunId>(), stepId, 'happened'))).toBe('resource.not_found');
    expect(codeOf(await resolve(runId, other.stepId, 'happened'))).toBe('resource.not_found');
    valueOf(await resolve(runId, stepId, 'happened'));
    valueOf(await world().parts.resume.execute(world().person, runId, null));
    expect(codeOf(await resolve(runId, stepId, 'happened'))).toBe('run.wrong_state');
    await world().settle(runId);
    expect(codeOf(await resolve(runId, stepId, 'happened'))).toBe('run.wrong_state');
  });

  it('wakes a run that was asked for something meanwhile', async () => {
    const { runId, stepId } = await unknown();
    valueOf(await world().parts.control.execute(world().person, runId, 'cancel', null));
    expect((await world().settle(runId)).state).toBe('paused');
    const jobs = world().jobs.of(world()).length;
    expect(valueOf(await resolve(runId, stepId, 'happened')).nextAt).toBe(world().uow.now);
    expect(world().jobs.of(world()).slice(jobs)).toMatchObject([{ name: 'run.advance', id: runId }]);
    expect(await world().settle(runId)).toMatchObject({
      state: 'cancelled',
      outcome: { not_undone: [{ step_id: 'a', why: 'not_rolled_back' }] },
    });
  });
});
